#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Every forwarding mode of stock dpdk-testpmd that moves packets, on net_devx by PCI address, and on net_mlx5 as a
# control: one port whose wire comes back to it receives everything that it sent. The wire waits for buffers, because
# txonly receives nothing while it sends.
. "$(dirname "$0")/lib.bash"
enter_namespaces -Urn "$@"
. "$(dirname "$0")/testpmd.bash"

# run_mode DRIVER MODE COMMAND PACKETS: sends this many packets and more, then receives the rest in mode rxonly
run_mode() {
	pmd_do "set fwd $2"
	[[ $out == *"Set $2 packet forwarding mode"* ]] || fail "$1: testpmd has no mode $2: $out"
	pmd_do "$3"
	pmd_run TX "$4" 0
	pmd_do "stop"
	pmd_drain 0
	expect_equal 0 0
}

for driver in net_mlx5 net_devx; do
	[ $driver = net_mlx5 ] || [ "$driver_dir" != none ] || continue
	case $driver in
	net_mlx5) port=(-a 0000:c1:00.0) ;;
	net_devx) port=(-d librte_net_devx.so -a 0000:c1:00.0,driver=net_devx) ;;
	esac
	pmd_begin "$emu" --wire loop,pause=on --netdev emu -- sh -c 'ip link set emu0 up promisc on; exec "$@"' - \
		dpdk-testpmd "${eal[@]}" "${port[@]}" -- "${interactive[@]}" --total-num-mbufs=8192 --rxd=1024 --txd=1024 --burst=64 \
		--noisy-tx-sw-buffer-size=64 --noisy-tx-sw-buffer-flushtime=5 --noisy-lkup-memory=1 --noisy-lkup-num-reads=1
	for mode in io mac macswap csum 5tswap; do
		run_mode $driver $mode "start tx_first 4" 100000
	done
	run_mode $driver noisy "start tx_first 4" 200 # those of tx_first: the mode keeps what it receives
	run_mode $driver txonly "start" 1000 # the port receives nothing meanwhile, and its rings become full
	run_mode $driver flowgen "start" 100000
	pmd_quit
done
pass "every mode moved packets and lost none"
