#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# pktgen-vlan.sh PKTGEN
#
# Two ports of devx-pktgen are in VLAN 5, and so is a Linux router whose interface has no tag. Debian's Open vSwitch, with the
# userspace datapath, joins them: trunk ports for devx-pktgen, an access port for the router. All packets come through the
# router, and arrive as sent. The database and all sockets of Open vSwitch are in the folder of the script.
set -u
pktgen=$(realpath "${1:?}")
. "$(dirname "$0")/pktgen.bash"
. "$(dirname "$0")/openvswitch.bash"

if [ "${2:-}" != inside ]; then
	need ovs-vswitchd openvswitch-switch
	need ovsdb-server openvswitch-switch
	need_taps
	unshare -Urn ip link add type veth > /dev/null 2>&1 ||
		skip "no user and network namespaces here, no ip (iproute2), or no veth"
	need_driver net_af_packet iface=none
	exec unshare -Urn "$0" "$pktgen" inside
fi
enter_work
logs=(out err server.log switch.log)

# ---- the router: both networks are in VLAN 5 ----

router() { nsenter -t "$router_pid" -n -- "$@"; }
unshare -n sleep 600 &
router_pid=$!
has_network() { [ "$(readlink /proc/$router_pid/ns/net)" != "$(readlink /proc/self/ns/net)" ]; }
wait_until has_network || fail "cannot make a network namespace"
ip link add access type veth peer name lan address 02:00:00:00:01:00
ip link set access up
ip link set lan netns "$router_pid"
router sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward; echo 1 > /proc/sys/net/ipv6/conf/all/forwarding
	echo 0 > /proc/sys/net/ipv4/conf/all/send_redirects; echo 0 > /proc/sys/net/ipv4/conf/lan/send_redirects'
for port in 0 1; do
	router ip addr add "10.0.$port.254/24" dev lan
	router ip addr add "2001:db8:$port::fe/64" dev lan nodad
	ip link add "port$port" address "02:00:00:00:00:0$port" type veth peer name "trunk$port"
	echo 1 > "/proc/sys/net/ipv6/conf/port$port/disable_ipv6"
	ip link set "port$port" up
	ip link set "trunk$port" up
done
router ip link set lan up

# ---- the switch ----

vswitchd_begin
vsctl add-br switch -- set bridge switch datapath_type=netdev \
	-- add-port switch trunk0 trunks=5 -- add-port switch trunk1 trunks=5 -- add-port switch access tag=5
for port in trunk0 trunk1 access; do
	vsctl wait-until interface $port link_state=up
done

# ---- runs ----

run_pktgen() {
	timeout $WAIT_S "$pktgen" run --cores 1 "$@" -- --no-pci --vdev net_af_packet0,iface=port0 \
		--vdev net_af_packet1,iface=port1 > out 2> err
}

# check_run HEADERS NETWORK...: expects that every packet of both flows came through the router as sent
check_run() {
	local args=() n=0 host gateway

	for host in "${@:2:2}"; do
		gateway=${@:$((n + 4)):1}
		args+=(--address "$n=vlan5:$host" --gateway "$n=vlan5:$gateway")
		n=$((n + 1))
	done
	run_pktgen --both --rate 1000pps --count 1000 --size 200 --drain 10s --packet "$1" "${args[@]}"
	[ "$(grep -c "^flow .*: 1,000 sent, 1,000 received, 0 lost, 0 duplicated, .* 0 corrupted" out)" -eq 2 ] ||
		fail "not every packet came through the router: $1"
	for n in 0 1; do
		grep -q "^port $n: gateway vlan5:.* has MAC address 02:00:00:00:01:00" out || fail "port $n: the plan does not name the gateway"
	done
}
check_run "ethernet/vlan(id=5)/ipv4/udp" 10.0.0.1/24 10.0.1.1/24 10.0.0.254 10.0.1.254
check_run "ethernet/vlan(id=5)/ipv6/udp" 2001:db8:0::1/64 2001:db8:1::1/64 2001:db8:0::fe 2001:db8:1::fe

# The router asks for the address of a port whose gateway is not known. Its requests have the tag behind the switch.
router ip neigh flush dev lan
run_pktgen --rate 1000pps --count 1000 --size 200 --drain 1s --packet "ethernet/vlan(id=5)/ipv4/udp" --address 0=vlan5:10.0.0.1/24 \
	--gateway 0=vlan5:10.0.0.254 --address 1=vlan5:10.0.1.1/24
grep -q "^port 1: answered [1-9][0-9]* ARP request" out || fail "port 1 answered nothing"
router ip neigh show 10.0.1.1 | grep -q "lladdr 02:00:00:00:00:01" || fail "the router does not know port 1"

# Without the tag, the switch drops the requests, and also those with the tag of another VLAN.
for vlan in "" vlan6:; do
	run_pktgen --count 1 --address 0="${vlan}10.0.0.1/24" --gateway 0="${vlan}10.0.0.254"
	[ $? -eq 3 ] && grep -q "gateway ${vlan}10.0.0.254 did not answer 3 ARP requests" err || fail "a gateway outside its VLAN"
done
pass
