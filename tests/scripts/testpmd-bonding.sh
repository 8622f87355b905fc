#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# DPDK's bonding driver over two ports of net_devx, in stock dpdk-testpmd; net_mlx5 is the control. The wires of the two
# ports end at two more ports, which receive what the bond sends. Modes: round robin, balance (XOR), broadcast, and active
# backup, adaptive transmit load balancing and adaptive load balancing, where the link of the first port goes down. The
# wires wait for buffers, because nobody receives while the bond sends. In mode 802.3ad the two other ports are a bond too,
# and each bond is the partner of the other one in LACP.
. "$(dirname "$0")/lib.bash"
enter_namespaces -Urn "$@"
. "$(dirname "$0")/testpmd.bash"
ls /usr/lib/*/dpdk/pmds-*/librte_net_bond.so* > /dev/null 2>&1 || skip "no librte_net_bond.so; install librte-net-bond23"

ports=(0000:c1:00.0 0000:c1:00.1 0000:c1:00.2 0000:c1:00.3) # 0 and 1, 2 and 3 are connected
# the words of DPDK 22.11, and those since 23.11
member=slave active="Active Slaves" show_lacp="show bonding lacp info"
[ "$dpdk_abi" -lt 24 ] || { member=member active="Active Members"; show_lacp="show bonding config"; }
# count PORT: sets $n to the packets that the port has received
count() { n=${stats[$1.RX-packets]:-0}; }

# begin DRIVER MODE
begin() {
	local args=() port options="mode=$2,xmit_policy=l34"

	[ "$1" = net_mlx5 ] || args=(-d librte_net_devx.so)
	for port in "${ports[@]}"; do
		[ "$1" = net_mlx5 ] && args+=(-a "$port") || args+=(-a "$port,driver=net_devx")
	done
	args+=(--vdev "net_bonding0,$options,$member=${ports[0]},$member=${ports[2]}")
	[ "$2" != 4 ] || args+=(--vdev "net_bonding1,$options,$member=${ports[1]},$member=${ports[3]}")
	pmd_begin "$emu" --ports 4 --wire pair,pause=on --netdev emu -- \
		sh -c 'for i in 0 1 2 3; do ip link set emu$i up promisc on; done; exec "$@"' - dpdk-testpmd "${eal[@]}" \
		"${args[@]}" -- \
		"${interactive[@]}" --total-num-mbufs=16384 --rxd=1024 --txd=1024 --burst=32 --txonly-multi-flow
	pmd_do "set promisc all on"
}

# send BURSTS [PORT...]: the bond sends BURSTS bursts of 32 packets, or, with 0, until each PORT has sent 1000 packets;
# sets $first and $second to the packets that arrived at ports 1 and 3
send() {
	local sent=${stats[4.TX-packets]:-0}

	count 1; first=$n
	count 3; second=$n
	pmd_do "set portlist 4"
	if [ "$1" -gt 0 ]; then
		pmd_do "set fwd rxonly"
		pmd_do "start tx_first $1"
	else
		pmd_do "set fwd txonly"
		pmd_do "start"
		pmd_run TX 1000 "${@:2}"
	fi
	pmd_do "stop"
	receive_rest 1 3
	sent=$((${stats[4.TX-packets]} - sent))
	say "$driver: $mode: sent $sent, received $first and $second"
	[ $sent -gt 500 ] && [ $sent -eq $((first + second)) ] || fail "packets are missing"
}

# receive_rest RECEIVER...: these ports receive until all frames on the wires have arrived; subtracts what ports 1 and 3
# have received from $first and $second
receive_rest() {
	pmd_do "set portlist $(tr ' ' , <<< "$*")"
	pmd_drain 0 1 2 3
	count 1; first=$((n - first))
	count 3; second=$((n - second))
}

# expect_active TEXT: waits until the active ports of the bond are TEXT
expect_active() { wait_until is_active "$1" || fail "no '$1': $out"; }
is_active() {
	pmd_ask "show bonding config 4"
	[[ $out == *"$1"* ]]
}

# expect_lacp BOND PORTS: waits until PORTS ports of a bond collect and distribute, as their partners in LACP do
expect_lacp() { wait_until has_lacp "$@" || fail "LACP of bond $1: $out"; }
has_lacp() {
	pmd_ask "$show_lacp $1"
	[ "$(grep -c "state: .*SYNCHRONIZATION.*COLLECTING.*DISTRIBUTING" <<< "$out")" -eq $((2 * $2)) ]
}

# exchange N PORT...: the two bonds send to each other over N ports, until each PORT has received 1000 packets; sets $first
# and $second to the packets of ports 1 and 3
exchange() {
	local sent=$((${stats[4.TX-packets]:-0} + ${stats[5.TX-packets]:-0}))
	local received=$((${stats[4.RX-packets]:-0} + ${stats[5.RX-packets]:-0}))

	count 1; first=$n
	count 3; second=$n
	pmd_do "set portlist 4,5"
	pmd_do "set fwd flowgen"
	pmd_do "start"
	expect_lacp 4 "$1"
	expect_lacp 5 "$1"
	pmd_run RX 1000 "${@:2}"
	pmd_do "stop"
	receive_rest 4 5
	sent=$((${stats[4.TX-packets]} + ${stats[5.TX-packets]} - sent))
	received=$((${stats[4.RX-packets]} + ${stats[5.RX-packets]} - received))
	say "$driver: $mode: sent $sent, received $received; ports 1 and 3 received $first and $second"
	[ $sent -gt 1000 ] && [ $sent -eq $received ] || fail "packets are missing"
}

for driver in net_mlx5 net_devx; do
	[ $driver = net_mlx5 ] || [ "$driver_dir" != none ] || continue
	for mode in 0 2 3; do # round robin, balance, broadcast
		begin $driver $mode
		send 28
		[ $first -gt 100 ] && [ $second -gt 100 ] || fail "mode $mode did not use both ports"
		[ $mode -eq 2 ] || [ $first -eq $second ] || fail "mode $mode used one port more"
		pmd_quit
	done
	mode=4 # 802.3ad
	begin $driver $mode
	exchange 2 0 1 2 3
	[ $first -gt 1000 ] && [ $second -gt 1000 ] || fail "a bond did not use both ports"
	ip link set emu0 down
	ip link set emu1 down
	expect_active "$active (1): [2]"
	exchange 1 2 3
	[ $first -eq 0 ] || fail "the port without a link received $first"
	pmd_quit
	for mode in 5 6; do # adaptive transmit load balancing, adaptive load balancing
		begin $driver $mode
		send 0 0 2
		[ $first -gt 0 ] && [ $second -gt 0 ] || fail "mode $mode did not use both ports"
		ip link set emu0 down
		expect_active "$active (1): [2]"
		send 28
		[ $first -eq 0 ] || fail "mode $mode: the port without a link sent"
		pmd_quit
	done
	mode=1 # active backup
	begin $driver $mode
	expect_active "$active (2): [0 2]"
	send 28
	[ $second -eq 0 ] || fail "the backup sent"
	ip link set emu0 down
	expect_active "$active (1): [2]"
	send 28
	[ $first -eq 0 ] || fail "the port without a link sent"
	ip link set emu0 up
	expect_active "$active (2)"
	pmd_quit
done
pass "bonds of both drivers send all packets in all modes, and change to the port that has a link"
