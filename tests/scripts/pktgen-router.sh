#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# pktgen-router.sh PKTGEN
#
# devx-pktgen sends between two ports whose networks a Linux router joins, IPv4 and IPv6. It finds
# the MAC addresses of the router, and knows the frames again that the router forwarded.
set -u
pktgen=$(realpath "${1:?}")
. "$(dirname "$0")/pktgen.bash"

if [ "${2:-}" != inside ]; then
	unshare -Urn ip link add type veth > /dev/null 2>&1 ||
		skip "no user and network namespaces here, no ip (iproute2), or no veth"
	need_driver net_af_packet iface=none
	exec unshare -Urn "$0" "$pktgen" inside
fi
enter_work

# router COMMAND...: runs a command in the network namespace of the router
router() {
	nsenter -t "$router_pid" -n -- "$@"
}

unshare -n sleep 600 &
router_pid=$!
has_network() { [ "$(readlink /proc/$router_pid/ns/net)" != "$(readlink /proc/self/ns/net)" ]; }
wait_until has_network || fail "cannot make a network namespace"
for port in 0 1; do
	ip link add "port$port" address "02:00:00:00:00:0$port" type veth peer name "lan$port" address "02:00:00:00:01:0$port"
	echo 1 > "/proc/sys/net/ipv6/conf/port$port/disable_ipv6"
	ip link set "lan$port" netns "$router_pid"
	ip link set "port$port" up
	router ip addr add "10.0.$port.254/24" dev "lan$port"
	router ip addr add "2001:db8:$port::fe/64" dev "lan$port" nodad
	router ip link set "lan$port" up
done
router sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward; echo 1 > /proc/sys/net/ipv6/conf/all/forwarding'

# run_pktgen ARGS...: sends between the ports; the output is in out and err. Returns the exit status. With
# one worker, a busy machine delays the sender and the receiver alike: no queue of the kernel overflows.
run_pktgen() {
	timeout 60 "$pktgen" run --cores 1 "$@" -- --no-pci --vdev net_af_packet0,iface=port0 \
		--vdev net_af_packet1,iface=port1 > out 2> err
}

addresses4=(--address 0=10.0.0.1/24 --address 1=10.0.1.1/24)
addresses6=(--address 0=2001:db8:0::1/64 --address 1=2001:db8:1::1/64)
gateways4=(--gateway 0=10.0.0.254 --gateway 1=10.0.1.254)
gateways6=(--gateway 0=2001:db8:0::fe --gateway 1=2001:db8:1::fe)

# check_run ARGS...: expects that every packet of both flows came through the router as sent
check_run() {
	run_pktgen --both --rate 5000pps --count 5000 --drain 10s "$@"
	[ "$(grep -c "^flow .*: 5,000 sent, 5,000 received, 0 lost, 0 duplicated, .* 0 corrupted" out)" -eq 2 ] ||
		fail "not every packet came through the router: $*"
	! grep -q "as the port counts them" out || fail "the counters of a port differ"
}

check_run "${addresses4[@]}" "${gateways4[@]}" --size 64-1400 --sport 1000-2000
for port in 0 1; do
	grep -q "^port $port: gateway 10.0.$port.254 has MAC address 02:00:00:00:01:0$port" out ||
		fail "port $port: the plan does not name the gateway"
done
[ "$(router sh -c 'grep ^Ip: /proc/net/snmp' | awk 'NR == 2 { print $7 }')" -ge 10000 ] ||
	fail "the router did not forward the packets"

check_run "${addresses6[@]}" "${gateways6[@]}" --size 100 --packet 'ethernet/ipv6(hop_limit=2-64)/tcp(src_port=1000-2000)'
grep -q "^port 1: gateway 2001:db8:1::fe has MAC address 02:00:00:00:01:01" out || fail "the plan"

# Hop by hop: the router drops packets whose TTL ends there, and says so to the port. So they are lost.
run_pktgen --rate 5000pps --count 1000 "${addresses4[@]}" "${gateways4[@]}" \
	--packet 'ethernet/ipv4(time_to_live=1-2)/udp'
grep -q "^flow 0: 1,000 sent, 500 received, 500 lost, 0 duplicated, .* 0 corrupted" out ||
	fail "TTL 1 and 2 in turn"

# refused STATUS TEXT ARGS...: expects an exit status, and a line on stderr with TEXT
refused() {
	local rc=0

	run_pktgen "${@:3}" || rc=$?
	[ $rc -eq "$1" ] && grep -qF -- "$2" err || fail "exit $rc: ${*:3}"
}
refused 3 "gateway 10.0.0.77 did not answer 3 ARP requests" "${addresses4[@]}" --gateway 0=10.0.0.77
refused 2 "10.0.2.254: is outside the networks of the port" "${addresses4[@]}" --gateway 0=10.0.2.254
refused 2 "10.0.0.1: is an address of the port itself" "${addresses4[@]}" --gateway 0=10.0.0.1
refused 2 "2001:db8::fe: is outside the networks of the port" "${addresses4[@]}" --gateway 0=2001:db8::fe
refused 2 "a gateway has no prefix" --gateway 0=10.0.0.254/24
refused 2 "the port already has a gateway for this version of IP" "${gateways4[@]}" --gateway 0=10.0.0.253
pass
