#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# DPDK's bonding driver over two ports of net_devx, in stock dpdk-testpmd; net_mlx5 is the control. The wires of the two
# ports end at two more ports, which receive what the bond sends. Modes: round robin, balance (XOR), broadcast, and active
# backup, adaptive transmit load balancing and adaptive load balancing, where the link of the first port goes down. The
# wires wait for buffers, because nobody receives while the bond sends. In mode 802.3ad the two other ports are a bond too,
# and each bond is the partner of the other one in LACP.
. "$(dirname "$0")/in_namespace.bash"
. "$(dirname "$0")/testpmd.bash"
ls /usr/lib/*/dpdk/pmds-*/librte_net_bond.so* > /dev/null 2>&1 || { echo "SKIP: no librte_net_bond.so; install librte-net-bond23"; exit 77; }

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
	stats=()
	pmd_begin "$emu" --ports 4 --wire pair,pause=on --netdev emu -- \
		sh -c 'for i in 0 1 2 3; do ip link set emu$i up promisc on; done; exec "$@"' - dpdk-testpmd "${eal[@]}" \
		"${args[@]}" -- \
		-i --total-num-mbufs=16384 --rxd=1024 --txd=1024 --burst=32 --txonly-multi-flow
	pmd_do "set promisc all on"
}

# send: the bond sends until the wires wait; sets $first and $second to the packets that arrived at ports 1 and 3
send() {
	local sent=${stats[4.TX-packets]:-0}

	count 1; first=$n
	count 3; second=$n
	pmd_do "set portlist 4"
	pmd_do "set fwd txonly"
	pmd_do "start"
	sleep 1
	pmd_do "stop"
	pmd_do "set portlist 1,3"
	pmd_drain 1 3
	count 1; first=$((n - first))
	count 3; second=$((n - second))
	sent=$((${stats[4.TX-packets]} - sent))
	say "$driver: $mode: sent $sent, received $first and $second"
	[ $sent -gt 1000 ] && [ $sent -eq $((first + second)) ] || fail "packets are missing"
}

# expect_active TEXT: waits until the active ports of the bond are TEXT
expect_active() {
	local i

	for ((i = 0; i < 50; i++)); do
		pmd_do "show bonding config 4" > /dev/null
		[[ $out != *"$1"* ]] || return 0
		sleep 0.1
	done
	fail "no '$1': $out"
}

# expect_lacp BOND PORTS: waits until PORTS ports of a bond collect and distribute, as their partners in LACP do
expect_lacp() {
	local i

	for ((i = 0; i < 300; i++)); do
		pmd_do "$show_lacp $1" > /dev/null
		[ "$(grep -c "state: .*SYNCHRONIZATION.*COLLECTING.*DISTRIBUTING" <<< "$out")" -ne $((2 * $2)) ] || return 0
		sleep 0.2
	done
	fail "LACP of bond $1: $out"
}

# exchange PORTS: the two bonds send to each other over PORTS ports; sets $first and $second to the packets of ports 1 and 3
exchange() {
	local port sent=$((${stats[4.TX-packets]:-0} + ${stats[5.TX-packets]:-0}))
	local received=$((${stats[4.RX-packets]:-0} + ${stats[5.RX-packets]:-0}))

	count 1; first=$n
	count 3; second=$n
	pmd_do "set portlist 4,5"
	pmd_do "set fwd flowgen"
	pmd_do "start"
	expect_lacp 4 "$1"
	expect_lacp 5 "$1"
	sleep 1
	pmd_do "stop"
	pmd_drain 4 5
	count 1; first=$((n - first))
	count 3; second=$((n - second))
	sent=$((${stats[4.TX-packets]} + ${stats[5.TX-packets]} - sent))
	received=$((${stats[4.RX-packets]} + ${stats[5.RX-packets]} - received))
	say "$driver: $mode: sent $sent, received $received; ports 1 and 3 received $first and $second"
	[ $sent -gt 1000 ] && [ $sent -eq $received ] || fail "packets are missing"
}

for driver in net_mlx5 net_devx; do
	[ $driver = net_mlx5 ] || [ "$driver_dir" != none ] || continue
	for mode in 0 2 3; do # round robin, balance, broadcast
		begin $driver $mode
		send
		[ $first -gt 1000 ] && [ $second -gt 1000 ] || fail "mode $mode did not use both ports"
		[ $mode -eq 2 ] || [ $((first - second)) -le 32 ] || fail "mode $mode used one port more"
		pmd_quit
	done
	mode=4 # 802.3ad
	begin $driver $mode
	exchange 2
	[ $first -gt 1000 ] && [ $second -gt 1000 ] || fail "a bond did not use both ports"
	ip link set emu0 down
	ip link set emu1 down
	expect_active "$active (1): [2]"
	exchange 1
	[ $first -eq 0 ] || fail "the port without a link received $first"
	pmd_quit
	for mode in 5 6; do # adaptive transmit load balancing, adaptive load balancing
		begin $driver $mode
		send
		[ $first -gt 0 ] && [ $second -gt 0 ] || fail "mode $mode did not use both ports"
		ip link set emu0 down
		expect_active "$active (1): [2]"
		send
		[ $first -eq 0 ] || fail "mode $mode: the port without a link sent"
		pmd_quit
	done
	mode=1 # active backup
	begin $driver $mode
	expect_active "$active (2): [0 2]"
	send
	[ $second -eq 0 ] || fail "the backup sent"
	ip link set emu0 down
	expect_active "$active (1): [2]"
	send
	[ $first -eq 0 ] || fail "the port without a link sent"
	ip link set emu0 up
	expect_active "$active (2)"
	pmd_quit
done
pass "bonds of both drivers send all packets in all modes, and change to the port that has a link"
