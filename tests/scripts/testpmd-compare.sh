#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Stock net_mlx5 and net_devx do the same on the same emu: io forwarding of 64-byte packets over a loop and over
# a pair of ports. Everything sent is received, and emu saw no protocol mistake. Both use their fast burst
# functions. net_mlx5 insists on a netdev: both get one, in a namespace of their own, promiscuous as `ip link`
# makes it.
#
# Without net_devx (DRIVER_DIR is "none") net_mlx5 alone: then it is a test of emu. No rate is judged:
# bench_budget judges the instructions of net_devx, bench_mlx5 those of net_mlx5, and bench_pcie the doorbells.
. "$(dirname "$0")/testpmd.bash"
need_taps
need ip iproute2

N_PACKETS=1000000 # of each port
prepare='for n in emu0 emu1; do
	[ ! -e /sys/class/net/$n ] && ! ip link show $n > /dev/null 2>&1 || ip link set $n up promisc on
done
exec "$@"'

# expect_mode PORT rxq|txq PATTERN: the name of the burst function matches an extended regular expression
expect_mode() {
	local mode

	pmd_do "show $2 info $1 0"
	mode=$(sed -n 's/^Burst mode: //p' <<< "$out")
	[[ $mode =~ $3 ]] || fail "port $1, $2: the burst function is '$mode' (valid: $3)"
	say "port $1, $2: $mode"
}

# compare DRIVER WIRE RX_MODE TX_MODE EAL_ARGS...: the wire is loop, of one port, or pair, of two ports
compare() {
	local driver=$1 wire=$2 rx_mode=$3 tx_mode=$4 ports=0 port

	shift 4
	[ "$wire" = loop ] || ports="0 1"
	say "== $driver over $wire"
	pmd_begin unshare -Urn "$emu" --ports $(wc -w <<< "$ports") --wire "$wire" --netdev emu -- \
		sh -c "$prepare" - dpdk-testpmd "${eal[@]}" "$@" -- \
		"${interactive[@]}" --forward-mode=io --total-num-mbufs=8192 --rxd=1024 --txd=1024 --burst=64
	for port in $ports; do
		expect_mode $port rxq "$rx_mode"
		expect_mode $port txq "$tx_mode"
	done
	pmd_do "start tx_first 8"
	pmd_run RX $N_PACKETS $ports
	pmd_do "stop"
	pmd_drain $ports
	expect_equal 0 "${ports#0 }"
	expect_equal "${ports#0 }" 0
	pmd_quit
}

mlx5=("Vector" "Enhanced MPW" -a 0000:c1:00.0)
# net_devx uses the widest vectors that EAL and the CPU allow
simd=scalar
! grep -qw avx2 /proc/cpuinfo || simd='avx2|avx512'
devx=("$simd" "multi-packet WQE" --no-pci -d librte_net_devx.so --vdev "net_devx0,ibdev=mlx5_0")
did="both drivers"
compare net_mlx5 loop "${mlx5[@]}"
compare net_mlx5 pair "${mlx5[@]}" -a 0000:c1:00.1
if [ "$driver_dir" = none ]; then
	did=net_mlx5
else
	compare net_devx loop "${devx[@]}"
	compare net_devx pair "${devx[@]}" --vdev "net_devx1,ibdev=mlx5_1"
fi
pass "$did forwarded $N_PACKETS packets and more over each wire, lost nothing, and used their fast functions"
