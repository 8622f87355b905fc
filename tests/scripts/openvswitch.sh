#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# openvswitch.sh LAUNCHER DRIVER_DIR
#
# Debian's Open vSwitch with DPDK, unmodified, switches between two network namespaces over two ports of net_devx: each
# namespace pings the other, and iperf3 runs in each direction. Ports come from the allow list of EAL; for net_devx
# also from Open vSwitch's own hotplug, as PCI devices and as virtual devices. The counters of Open vSwitch are those
# of the wires. net_mlx5 is the control. The database and all sockets are in the folder of the script.
set -- "$1" "$2" /usr/lib/openvswitch-switch-dpdk/ovs-vswitchd-dpdk
. "$(dirname "$0")/lib.bash"
[ -x "$3" ] || skip "no Open vSwitch with DPDK; install openvswitch-switch-dpdk"
need ovsdb-server openvswitch-switch-dpdk
. "$(dirname "$0")/dpdk_example.bash"
. "$here/two_networks.bash" || exit 3
. "$here/openvswitch.bash"
missing=$(ldd "$program" | grep -m 1 -F "not found")
[ -z "$missing" ] || skip "$program does not start: $missing"

# eal_of FILE: the soname of EAL that a program or driver is linked with; it changes with each release of DPDK
eal_of() { ldd "$1" | sed -n 's/.*\(librte_eal\.so\.[0-9]*\) .*/\1/p' | head -n 1; }
[ "$(eal_of "$program")" = "$(eal_of "$driver_dir/librte_net_devx.so")" ] ||
	skip "Open vSwitch is linked with $(eal_of "$program"), and net_devx with" \
		"$(eal_of "$driver_dir/librte_net_devx.so"); build net_devx for the DPDK of Open vSwitch"

appctl() { ovs-appctl --timeout=$WAIT_S --target="$control" "$@"; }

# switch_begin EAL_ARGUMENTS DEVARGS0 DEVARGS1: starts Open vSwitch with a bridge of two ports
switch_begin() {
	database_begin
	# --legacy-mem: otherwise Open vSwitch adds --in-memory, which EAL refuses beside --no-huge.
	# per-port-memory: without it Open vSwitch asks for 262,144 mbufs, then for half, and so on. It gives up if the heap ends
	# with a piece smaller than an mbuf (ENOBUFS).
	vsctl --no-wait init -- set Open_vSwitch . other_config:dpdk-init=true other_config:per-port-memory=true \
		other_config:dpdk-extra="--no-huge --legacy-mem --no-shconf -m 768 --iova-mode=va --no-telemetry \
		--file-prefix=$prefix $1"
	example_launch "DPDK Enabled - initialized" "$database" --unixctl="$control"
	vsctl add-br bridge -- set bridge bridge datapath_type=netdev \
		-- add-port bridge port0 -- set interface port0 type=dpdk options:dpdk-devargs="$2" \
		-- add-port bridge port1 -- set interface port1 type=dpdk options:dpdk-devargs="$3"
	for n in 0 1; do
		[ "$(vsctl get interface port$n error)" = "[]" ] || fail "port$n: $(vsctl get interface port$n error)"
		vsctl wait-until interface port$n link_state=up
	done
	say "Open vSwitch: $(vsctl get interface port0 status:driver_name) $(vsctl get interface port0 status:bus_info)"
}

# statistic PORT NAME: a counter of a port, from Open vSwitch's database
statistic() { vsctl get interface "port$1" "statistics:$2"; }

# counters_agree: each port sends what the other one receives, and the database agrees with the datapath. Sets
# ${packets[N]} to the packets that port N has received.
counters_agree() {
	shown=$(appctl dpctl/show --statistics netdev@ovs-netdev | awk '/^ *port [0-9]+: / { port = $3 }
		/packets:/ { split($2, a, ":"); n[port " " $1] = a[2] }
		END { print n["port0 RX"], n["port1 TX"], n["port1 RX"], n["port0 TX"] }')
	packets=($(statistic 0 rx_packets) $(statistic 1 rx_packets))
	[ "$shown" = "${packets[0]} ${packets[0]} ${packets[1]} ${packets[1]}" ]
}

# expect_counters: once the hosts are silent, the counters agree
expect_counters() {
	local shown

	wait_until counters_agree || fail "the counters differ: $shown; $(vsctl get interface port0 statistics)"
	for n in 0 1; do
		for name in rx_errors rx_dropped tx_errors tx_dropped ovs_tx_failure_drops rx_mbuf_allocation_errors; do
			[ "$(statistic $n $name)" = 0 ] || fail "port$n: $name is $(statistic $n $name)"
		done
	done
	[ "${packets[0]}" -gt 40 ] || fail "Open vSwitch counts ${packets[0]} packets"
}

switch_end() {
	appctl exit || fail "ovs-appctl exit ended with $?"
	example_wait 0
	helper_end $database_server
	for n in 0 1; do
		grep -q "^devx-emu: port $n, .*: frames sent ${packets[1 - n]} .*, received ${packets[$n]} (" "$log" ||
			fail "the wire of port $n counts other frames than Open vSwitch, ${packets[*]}"
	done
	say "Open vSwitch and the wires count ${packets[0]} and ${packets[1]} packets"
}

# run_switch TCP EAL_ARGUMENTS DEVARGS0 DEVARGS1
run_switch() {
	say "== $3 $4 (EAL: $2)"
	switch_begin "${@:2}"
	networks_begin 10.9.0.1/24 10.9.0.2/24
	expect_ping 0 10.9.0.2 64
	expect_ping 1 10.9.0.1 64
	if [ "$1" = tcp ]; then
		expect_tcp 0 1 10.9.0.2
		expect_tcp 1 0 10.9.0.1
	fi
	networks_end
	expect_counters
	switch_end
}

run_switch tcp "-a 0000:c1:00.0 -a 0000:c1:00.1" 0000:c1:00.0 0000:c1:00.1
plugin="-d librte_net_devx.so"
run_switch tcp "$plugin -a 0000:c1:00.0,driver=net_devx -a 0000:c1:00.1,driver=net_devx" 0000:c1:00.0 0000:c1:00.1
# the allow list has a device that does not exist: otherwise net_mlx5 takes both ports before Open vSwitch asks
run_switch ping "$plugin -a 0000:ff:1f.7" 0000:c1:00.0,driver=net_devx 0000:c1:00.1,driver=net_devx
run_switch ping "$plugin --no-pci" net_devx0,ibdev=mlx5_0 net_devx1,ibdev=mlx5_1
pass "Open vSwitch carries ping and TCP on both drivers"
