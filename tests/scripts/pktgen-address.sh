#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# pktgen-address.sh PKTGEN
#
# devx-pktgen sends between two ports that a bridge of the kernel joins, and answers for their
# addresses. The kernel is the other host: it resolves both ports, and pings them.
set -u
pktgen=$(realpath "${1:?}")
. "$(dirname "$0")/pktgen.bash"

if [ "${2:-}" != inside ]; then
	unshare -Urn ip link show > /dev/null 2>&1 || skip "no user and network namespaces here, or no ip (iproute2)"
	unshare -Urn ip link add type veth > /dev/null 2>&1 || skip "the kernel has no veth"
	unshare -Urn ip link add type bridge > /dev/null 2>&1 || skip "the kernel has no bridge"
	need_driver net_af_packet iface=none
	exec unshare -Urn "$0" "$pktgen" inside
fi
enter_work

# The kernel has its addresses at the bridge alone: only devx-pktgen can answer for the ports.
ip link add br0 type bridge
for port in 0 1; do
	ip link add "port$port" address "02:00:00:00:00:0$port" type veth peer name "wire$port"
	echo 1 > "/proc/sys/net/ipv6/conf/port$port/disable_ipv6"
	ip link set "wire$port" master br0 up
	ip link set "port$port" up
done
ip addr add 198.18.0.254/24 dev br0
ip addr add 2001:db8::fe/64 dev br0 nodad
ip link set br0 up

# The program ping FAMILY ADDRESS SECONDS pings until a reply with the same data comes, or the time is over
cat > ping << 'END'
import socket, struct, sys, time
is_ip6 = sys.argv[1] == "6"
family, protocol = (socket.AF_INET6, socket.IPPROTO_ICMPV6) if is_ip6 else (socket.AF_INET, socket.IPPROTO_ICMP)
s = socket.socket(family, socket.SOCK_RAW, protocol)
s.settimeout(0.3)
data = bytes(range(256)) * 5 # longer than a small buffer
message = struct.pack("!BBHHH", 128 if is_ip6 else 8, 0, 0, 4711, 1) + data
if not is_ip6: # the kernel computes the checksum of ICMPv6
    total = sum(struct.unpack("!%dH" % (len(message) // 2), message))
    total = (total & 0xffff) + (total >> 16)
    total = (total & 0xffff) + (total >> 16)
    message = message[:2] + struct.pack("!H", ~total & 0xffff) + message[4:]
end = time.monotonic() + float(sys.argv[3])
while time.monotonic() < end:
    s.sendto(message, (sys.argv[2], 0))
    try:
        while True:
            got = s.recv(65536)
            if not is_ip6:
                got = got[(got[0] & 15) * 4:]
            if got[0] == (129 if is_ip6 else 0) and got[4:] == message[4:]:
                sys.exit(0)
    except socket.timeout:
        pass
sys.exit(1)
END

# count_sent: prints how many frames port 0 has sent to the bridge
count_sent() {
	sed -n 's/^ *wire0: *[0-9]* *\([0-9]*\) .*/\1/p' /proc/net/dev
}

# run_pktgen ARGS...: sends between the ports in the background, until check_end; the output is in out and err.
# With one worker, a busy machine delays the sender and the receiver alike: no queue of the kernel overflows.
run_pktgen() {
	local before

	before=$(count_sent)
	"$pktgen" run --cores 1 --drain 10s --rate 2000pps --duration ${WAIT_S}s "$@" -- --no-pci \
		--vdev net_af_packet0,iface=port0 --vdev net_af_packet1,iface=port1 > out 2> err &
	pid=$!
	wait_for_run has_sent $((before + 100))
}
has_sent() { [ "$(count_sent)" -gt "$1" ]; }

# check_end FLOWS: ends the run, and expects that every packet of so many flows arrived as sent
check_end() {
	kill -INT $pid
	wait $pid
	[ "$(grep -c "^flow .* 0 lost, 0 duplicated, 0 reordered, 0 corrupted" out)" -eq "$1" ] ||
		fail "not every packet arrived as sent"
}

run_pktgen --both --json json --address 0=198.18.0.1/24 --address 1=198.18.0.2/24 \
	--address 0=2001:db8::1/64 --address 1=2001:db8::2/64
for host in 1 2; do
	python3 ping 4 "198.18.0.$host" 20 || fail "no reply of 198.18.0.$host"
	python3 ping 6 "2001:db8::$host" 20 || fail "no reply of 2001:db8::$host"
	for ip in "198.18.0.$host" "2001:db8::$host"; do
		ip neigh show "$ip" | grep -q "lladdr 02:00:00:00:00:0$((host - 1)) .*\(REACHABLE\|DELAY\)" ||
			fail "$ip: $(ip neigh show "$ip")"
	done
done
! python3 ping 4 198.18.0.3 1 2> /dev/null || fail "198.18.0.3 exists"
check_end 2
for port in 0 1; do
	# The record for programs has the same numbers.
	tail -n 1 json | python3 -c "import json, sys; a = json.load(sys.stdin)['ports'][$port]['answers']
say = lambda n, what: '%d %s%s' % (n, what, '' if n == 1 else 's')
print('port $port: answered', ', '.join((say(a['arp'], 'ARP request'), say(a['neighbour_discovery'], 'neighbour solicitation'), say(a['ping'], 'ping'))))
assert a['sent'] + a['dropped'] == a['arp'] + a['neighbour_discovery'] + a['ping'], a" > answers &&
		grep -qxf answers out || fail "port $port: the answers in the JSON record"
	grep -q "^port $port: answered [1-9][0-9]* ARP requests\?, [1-9][0-9]* neighbour solicitations\?, [1-9]" \
		out || fail "port $port: counters"
done

# Without addresses, the ports answer nothing.
ip neigh flush dev br0
run_pktgen
! python3 ping 4 198.18.0.1 1 2> /dev/null || fail "a port without an address answers"
check_end 1
! grep -q answered out || fail "answers without --address"

eal=(-- --no-pci --vdev net_null0)
refused 2 "no port number" run --address 198.18.0.1 "${eal[@]}"
refused 2 "its VLAN is invalid (valid: vlan5, or vlan100.5 with two tags; 1 to 4094)" run --address 0=vlan4095:198.18.0.1 "${eal[@]}"
refused 2 "a host cannot have this address" run --address 0=224.0.0.1 "${eal[@]}"
refused 2 "--address 7=: no such port (valid: 0 to 0)" run --address 7=198.18.0.1 "${eal[@]}"
refused 2 "--address or --gateway, and --send-only" run --address 0=198.18.0.1 --send-only "${eal[@]}"
refused 2 "--sender ring: port" run --address 0=198.18.0.1 --sender ring "${eal[@]}"
pass
