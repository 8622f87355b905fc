#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# dpdk-router.sh LAUNCHER DRIVER_DIR L3FWD
#
# DPDK's l3fwd, unmodified, routes between two network namespaces over two ports of net_devx: by longest prefix, without
# promiscuous mode. Each namespace pings the other, and iperf3 runs in each direction. net_mlx5 is the control. l3fwd
# answers no ARP, so each host has a static entry for its gateway.
. "$(dirname "$0")/dpdk_example.bash"
. "$here/two_networks.bash" || exit 3

printf 'R10.9.%s.0/24 %s\n' 0 0 1 1 > lpm.v4
printf 'Rfd00:0:0:%s:0:0:0:0/64 %s\n' 0 0 1 1 > lpm.v6

for driver in net_mlx5 net_devx; do
	use_driver $driver
	example_begin " -- lcoreid=0 portid=1" -p 3 --config="(0,0,0),(1,0,0)" --lookup=lpm --rule_ipv4=lpm.v4 \
		--rule_ipv6=lpm.v6
	networks_begin 10.9.0.1/24 10.9.1.1/24
	for n in 0 1; do
		in_network $n ip neighbour add 10.9.$n.254 lladdr "$(mac_of emu$n)" dev net$n
		in_network $n ip route add default via 10.9.$n.254
	done
	expect_ping 0 10.9.1.1 63
	expect_ping 1 10.9.0.1 63
	expect_tcp 0 1 10.9.1.1
	expect_tcp 1 0 10.9.0.1
	networks_end
	example_end INT 0
done
pass "l3fwd routes between two namespaces on both drivers"
