#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Stock net_mlx5 and net_devx do the same on the same emu, in one run: io forwarding of
# 64-byte packets over a loop and over a pair of ports. Everything sent is received, and emu
# saw no protocol mistake. net_mlx5 insists on a netdev: both get one, in a namespace of
# their own, promiscuous as `ip link` makes it.
#
# Without net_devx (DRIVER_DIR is "none") net_mlx5 alone: then it is a test of emu.
#
# A pair of net_memif ports in the same testpmd shows how fast this machine copies packets. The
# script fails when net_devx forwards less than MIN_MPPS (2.5) over the loop. It also fails when a
# driver forwards less than MIN_PAIR_SHARE (0.15) of net_memif's rate over the pair. The best two
# seconds of three tries count. Driver and engine are a thread each: where others keep them from two
# CPUs the figure is the machine's, not ours, and is not judged.
. "$(dirname "$0")/testpmd.bash"

unshare -Urn true 2> /dev/null ||
	{ echo "SKIP: no user namespaces for this user (sysctl kernel.unprivileged_userns_clone=1)"; exit 77; }
[ -w /dev/net/tun ] || { echo "SKIP: no /dev/net/tun; load the kernel's module tun"; exit 77; }
unshare -Urn ip link show > /dev/null 2>&1 || { echo "SKIP: no ip; install iproute2"; exit 77; }

table=()
prepare='for n in emu0 emu1; do
	[ ! -e /sys/class/net/$n ] && ! ip link show $n > /dev/null 2>&1 || ip link set $n up promisc on
done
exec "$@"'

# compare DRIVER WIRE PORTS EAL_ARGS...
compare() {
	local driver=$1 wire=$2 ports=$3 peer

	shift 3
	say "== $driver over $wire"
	pmd_begin unshare -Urn "$emu" --ports "$ports" --wire "$wire" --netdev emu -- \
		sh -c "$prepare" - dpdk-testpmd "${eal[@]}" "$@" -- \
		-i --forward-mode=io --total-num-mbufs=8192 --rxd=1024 --txd=1024 --burst=64
	pmd_do "start tx_first 8"
	if [ "$ports" = 1 ]; then
		pmd_run "$seconds" 0
	else
		pmd_run "$seconds" 0 1
	fi
	pmd_do "stop"
	if [ "$ports" = 1 ]; then
		pmd_drain 0
		expect_equal 0 0
	else
		pmd_drain 0 1
		expect_equal 0 1
		expect_equal 1 0
	fi
	pmd_quit
	table+=("$(printf '%-10s %-6s %8s %8s' "$driver" "$wire" "$mpps" "$best")")
}

# compare_memif: two ports of net_memif, connected to each other: one thread, no emu. Sets $min_pair.
# How net_memif ends is not judged: it is the measure here, not under test.
compare_memif() {
	local socket=$work/memif

	say "== net_memif"
	pmd_begin dpdk-testpmd "${eal[@]}" --no-pci \
		--vdev "net_memif0,role=server,rsize=10,socket=$socket" \
		--vdev "net_memif1,role=client,rsize=10,socket=$socket" -- \
		-i --forward-mode=io --total-num-mbufs=8192 --rxd=1024 --txd=1024 --burst=64
	pmd_do "start tx_first 8"
	pmd_run "$seconds" 0 1
	pmd_do "stop"
	pmd_end || say "== testpmd on net_memif ended with status $?"
	table+=("$(printf '%-10s %-6s %8s %8s' net_memif pair "$mpps" "$best")")
	min_pair=$(awk -v best="$best" -v share="${MIN_PAIR_SHARE:-0.15}" 'BEGIN { print best * share }')
}

had_cpus() { awk -v got="$best_cpus" 'BEGIN { exit !(got >= 1.8) }'; }
fast_enough() { awk -v got="$1" -v min="$2" 'BEGIN { exit !(got >= min) }'; }

# judge MIN_MPPS DRIVER WIRE PORTS EAL_ARGS...: compare(), up to three times
judge() {
	local min=$1 try judged=0 top=0
	shift

	for try in 1 2 3; do
		compare "$@"
		! fast_enough "$best" "$min" || return 0
		say "== less than $min Mpps in try $try of 3, on $best_cpus CPUs"
		! had_cpus || judged=$((judged + 1))
		! fast_enough "$best" "$top" || top=$best
	done
	if [ $judged -gt 0 ]; then
		too_slow+=("$1 forwards $top Mpps over the $2 at best, less than $min")
	else
		say "== not judged: this machine had no two CPUs for it"
	fi
}

too_slow=()
mlx5=(-a 0000:c1:00.0)
devx=(--no-pci -d librte_net_devx.so --vdev "net_devx0,ibdev=mlx5_0")
did="both drivers"
compare_memif
compare net_mlx5 loop 1 "${mlx5[@]}"
judge "$min_pair" net_mlx5 pair 2 "${mlx5[@]}" -a 0000:c1:00.1
if [ "$driver_dir" = none ]; then
	did=net_mlx5
else
	judge "${MIN_MPPS:-2.5}" net_devx loop 1 "${devx[@]}"
	judge "$min_pair" net_devx pair 2 "${devx[@]}" --vdev "net_devx1,ibdev=mlx5_1"
fi

say "driver     wire       Mpps     best   (testpmd io, 64 bytes, received on all ports, $(nproc) CPUs)"
printf '%s\n' "${table[@]}"
[ ${#too_slow[@]} -eq 0 ] || fail "$(printf '%s; ' "${too_slow[@]}")"
pass "$did forwarded $seconds s over each wire and lost nothing"
