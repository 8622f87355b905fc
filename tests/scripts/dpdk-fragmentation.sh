#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# dpdk-fragmentation.sh LAUNCHER DRIVER_DIR IP_FRAGMENTATION
#
# DPDK's ip_fragmentation, unmodified, routes packets of 8 KB between two network namespaces over two ports of net_devx.
# It sends them as fragments of at most 1500 bytes: packets of many segments, whose data is shared with the received
# packet. The kernels of the hosts reassemble each packet, IPv4 and IPv6, and ping compares every byte of it. net_mlx5
# is the control.
. "$(dirname "$0")/dpdk_example.bash"
. "$here/two_networks.bash" || exit 3

memory_mib=768

# reassembled N FILE NAME: a counter of the kernel of namespace N
reassembled() {
	in_network "$1" awk -v name="$3" '$1 == "Ip:" && !n++ { for (i = 2; i <= NF; i++) if ($i == name) at = i; next }
		$1 == "Ip:" { print $at } $1 == name { print $2 }' "/proc/net/$2"
}

# expect_fragments N FRAGMENTS VERSION: namespace N has reassembled 40 packets of this version of IP, from FRAGMENTS fragments
expect_fragments() {
	local file=snmp prefix='' pair n

	[ "$3" = 4 ] || file=snmp6 prefix=Ip6
	for pair in ReasmReqds:"$2" ReasmOKs:40 ReasmFails:0; do
		n=$(reassembled "$1" $file $prefix${pair%:*})
		[ "$n" = "${pair#*:}" ] || fail "IPv$3, namespace $1: ${pair%:*} is $n (wanted: ${pair#*:})"
	done
	say "IPv$3: namespace $1 reassembled 40 packets from $2 fragments"
}

for driver in net_mlx5 net_devx; do
	use_driver $driver
	example_begin " -- lcoreid=0 portid=1" -p 3 -q 2
	networks_begin 100.10.0.1/16 100.20.0.1/16
	for n in 0 1; do
		in_network $n sh -c 'echo 0 > /proc/sys/net/ipv6/conf/all/disable_ipv6; echo 0 > /proc/sys/net/ipv6/conf/net'$n'/accept_ra'
		in_network $n ip link set net$n mtu 9000
		in_network $n ip neighbour add 100.$((n + 1))0.0.254 lladdr 02:00:00:00:01:00 dev net$n
		in_network $n ip route add default via 100.$((n + 1))0.0.254
		in_network $n ip address add $((n + 1))01:101:101::1/48 dev net$n nodad
		in_network $n ip neighbour add $((n + 1))01:101:101::254 lladdr 02:00:00:00:01:00 dev net$n
		in_network $n ip route add default via $((n + 1))01:101:101::254
	done
	expect_ping 0 100.20.0.1 64 8000
	expect_ping 1 100.10.0.1 64 8000
	# 8008 bytes of ICMP: 1480 bytes in a fragment of IPv4, 1448 in one of IPv6
	expect_fragments 0 240 4
	expect_fragments 1 240 4
	expect_ping 0 201:101:101::1 64 8000
	expect_ping 1 101:101:101::1 64 8000
	expect_fragments 0 240 6
	expect_fragments 1 240 6
	networks_end
	example_end TERM 143 # it has no handler for signals
done
pass "fragments of ip_fragmentation are reassembled with both drivers"
