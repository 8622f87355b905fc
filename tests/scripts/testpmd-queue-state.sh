#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# dpdk-testpmd forwards on 4 queues and 2 cores on emu, stops a queue while the port runs, and starts
# it again: net_devx, then net_mlx5 as control. net_devx also sets the stopped queue up again, smaller.
. "$(dirname "$0")/testpmd.bash"

eal=("--file-prefix=$prefix" --no-huge -m 512 --iova-mode=va --no-shconf --no-telemetry '--lcores=(0-2)@(0-1)')
devx_eal=("${eal[@]}" --no-pci -d librte_net_devx.so)

# expect_state RXQ|TXQ STATE: `show rxq|txq info` of queue 1 says so
expect_state() {
	pmd_do "show $1 info 0 1"
	[[ $out == *[Qq]"ueue state: $2"* ]] || { say "$out"; fail "$1 1 is not $2"; }
}

# set_up RXQ|TXQ: sets queue 1 up again, with 128 descriptors
set_up() {
	pmd_do "port config 0 $1 1 ring_size 128"
	pmd_do "port 0 $1 1 setup"
	pmd_do "show $1 info 0 1"
	[[ $out == *"Number of "*" 128"* ]] || { say "$out"; fail "$1 1 was not set up again"; }
}

# toggle_queues COMMAND: stops and starts Rx and Tx queue 1 of port 0, with `COMMAND rxq|txq` between; then forwards
toggle_queues() {
	local side

	for side in rxq txq; do
		pmd_do "port 0 $side 1 stop"
		expect_state $side stopped
		$1 $side
		pmd_do "port 0 $side 1 start"
		expect_state $side started
	done
	pmd_do "start tx_first 2"
	pmd_run RX 200000 0
	pmd_do "stop"
	pmd_drain 0
	expect_equal 0 0
	pmd_quit
}

pmd_args=("${interactive[@]}" --forward-mode=io --total-num-mbufs=24576 --rxq=4 --txq=4 --nb-cores=2 --rxd=512 --txd=512
	  --rss-udp --txonly-multi-flow)

say "== net_devx"
pmd_begin "$emu" --wire loop,pause=on -- dpdk-testpmd "${devx_eal[@]}" --vdev net_devx0,ibdev=mlx5_0 -- "${pmd_args[@]}"
toggle_queues set_up

unshare -Urn true 2> /dev/null || pass "net_devx; net_mlx5 needs user namespaces (sysctl kernel.unprivileged_userns_clone=1)"
[ -w /dev/net/tun ] || pass "net_devx; net_mlx5 needs /dev/net/tun (load the kernel's module tun)"
say "== net_mlx5"
pmd_begin unshare -Urn "$emu" --wire loop,pause=on --netdev emu -- \
	sh -c 'ip link set emu0 up promisc on && exec "$@"' - dpdk-testpmd "${eal[@]}" \
	-a 0000:c1:00.0,rx_vec_en=0 -- "${pmd_args[@]}"
toggle_queues :
pass "queue 1 of net_devx and of net_mlx5 stopped and started, that of net_devx was set up again, and no packet was lost"
