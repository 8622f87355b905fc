#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# DPDK's net_mlx5 with 2, 4 and 8 queues of 512 descriptors forwards on emu, over a loop. Every queue
# receives packets and sends packets, no packet is lost, and emu counts no mistake. DPDK 25.11 puts the
# rings of all Tx queues into one umem, at offsets inside a page.
. "$(dirname "$0")/testpmd.bash"
need_taps

# read_queues: reads the counters of each queue, as `show fwd stats all` prints them, into queue[N.RX]
# and queue[N.TX]
declare -A queue
read_queues() {
	local line n=

	queue=()
	pmd_ask "show fwd stats all"
	while read -r line; do
		[[ $line =~ RX\ Port=\ 0/Queue=\ *([0-9]+) ]] && n=${BASH_REMATCH[1]}
		[[ $line =~ NIC\ statistics|Forward\ statistics ]] && n=
		[[ -n $n && $line =~ RX-packets:\ *([0-9]+)\ +TX-packets:\ *([0-9]+) ]] || continue
		queue[$n.RX]=${BASH_REMATCH[1]}
		queue[$n.TX]=${BASH_REMATCH[2]}
		n=
	done <<< "$out"
}

# use_all_queues: each of $n queues has moved packets; $idle are the others
use_all_queues() {
	local i

	read_queues
	idle=
	for ((i = 0; i < n; i++)); do
		[[ ${queue[$i.RX]:-0} -gt 0 && ${queue[$i.TX]:-0} -gt 0 ]] || idle+=" $i"
	done
	[ -z "$idle" ]
}

# forward_on N: forwards on N Rx and N Tx queues until each queue has moved packets
forward_on() {
	local n=$1 idle

	say "== net_mlx5 with $n queues"
	# net_mlx5 needs a netdev, and takes promiscuous mode from the netdev.
	pmd_begin unshare -Urn "$emu" --wire loop,pause=on --netdev emu -- \
		sh -c 'ip link set emu0 up promisc on && exec "$@"' - dpdk-testpmd "${eal[@]}" -a 0000:c1:00.0 -- \
		"${interactive[@]}" --forward-mode=io --total-num-mbufs=24576 --rxq="$n" --txq="$n" --rxd=512 --txd=512 \
		--rss-udp --txonly-multi-flow
	pmd_do "start tx_first 2"
	[[ $out != *"Not all ports were started"* ]] || fail "the port does not start with $n queues"
	wait_until use_all_queues || { say "$out"; fail "$n queues: no packets on queue$idle within $WAIT_S s"; }
	pmd_do "stop"
	pmd_drain 0
	expect_equal 0 0
	pmd_quit
}

for n in 2 4 8; do forward_on $n; done
pass "net_mlx5 forwarded on each of 2, 4 and 8 queues, and lost no packet"
