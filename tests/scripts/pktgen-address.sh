#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# pktgen-address.sh PKTGEN
#
# devx-pktgen sends between two ports that a bridge of the kernel joins, and answers for their
# addresses. The kernel is the other host: it resolves both ports, and pings them.
set -u
pktgen=$(realpath "${1:?}")

if [ "${2:-}" != inside ]; then
	unshare -Urn ip link show > /dev/null 2>&1 ||
		{ echo "SKIP: no user and network namespaces here, or no ip (iproute2)"; exit 77; }
	unshare -Urn ip link add type veth > /dev/null 2>&1 ||
		{ echo "SKIP: the kernel has no veth"; exit 77; }
	unshare -Urn ip link add type bridge > /dev/null 2>&1 ||
		{ echo "SKIP: the kernel has no bridge"; exit 77; }
	"$pktgen" run --port net_af_packet0,iface=none --send-only -n 1 2>&1 | grep -q "nable to parse device\|no driver claims" &&
		{ echo "SKIP: DPDK has no net_af_packet here (Debian: librte-net-af-packet)"; exit 77; }
	exec unshare -Urn "$0" "$pktgen" inside
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
failed=0

fail() {
	echo "FAIL: $*"
	failed=1
}

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

# The program $work/ping FAMILY ADDRESS SECONDS pings until a reply with the same data comes, or the time is over
cat > "$work/ping" << 'END'
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
	timeout 100 "$pktgen" run --cores 1 --drain 10s --rate 2000pps --duration 1000s "$@" -- --no-pci \
		--vdev net_af_packet0,iface=port0 --vdev net_af_packet1,iface=port1 \
		> "$work/out" 2> "$work/err" &
	for _ in $(seq 100); do
		[ "$(count_sent)" -gt $((before + 100)) ] && break
		sleep 0.1
	done
}

# check_end FLOWS: ends the run, and expects that every packet of so many flows arrived as sent
check_end() {
	kill -INT $!
	wait $!
	[ "$(grep -c "^flow .* 0 lost, 0 duplicated, 0 reordered, 0 corrupted" "$work/out")" -eq "$1" ] ||
		{ fail "not every packet arrived as sent"; cat "$work/out" "$work/err"; }
}

run_pktgen --both --json "$work/json" --address 0=198.18.0.1/24 --address 1=198.18.0.2/24 \
	--address 0=2001:db8::1/64 --address 1=2001:db8::2/64
for host in 1 2; do
	python3 "$work/ping" 4 "198.18.0.$host" 20 || fail "no reply of 198.18.0.$host"
	python3 "$work/ping" 6 "2001:db8::$host" 20 || fail "no reply of 2001:db8::$host"
	for ip in "198.18.0.$host" "2001:db8::$host"; do
		ip neigh show "$ip" | grep -q "lladdr 02:00:00:00:00:0$((host - 1)) .*\(REACHABLE\|DELAY\)" ||
			fail "$ip: $(ip neigh show "$ip")"
	done
done
! python3 "$work/ping" 4 198.18.0.3 1 2> /dev/null || fail "198.18.0.3 exists"
check_end 2
for port in 0 1; do
	# The record for programs has the same numbers.
	tail -n 1 "$work/json" | python3 -c "import json, sys; a = json.load(sys.stdin)['ports'][$port]['answers']
print('port $port: answered %d ARP requests, %d neighbour solicitations, %d pings' % (a['arp'], a['neighbour_discovery'], a['ping']))
assert a['sent'] + a['dropped'] == a['arp'] + a['neighbour_discovery'] + a['ping'], a" > "$work/answers" &&
		grep -qxf "$work/answers" "$work/out" || fail "port $port: the answers in the JSON record"
	grep -q "^port $port: answered [1-9][0-9]* ARP requests, [1-9][0-9]* neighbour solicitations, [1-9]" \
		"$work/out" || { fail "port $port: counters"; cat "$work/out"; }
done

# Without addresses, the ports answer nothing.
ip neigh flush dev br0
run_pktgen
! python3 "$work/ping" 4 198.18.0.1 1 2> /dev/null || fail "a port without an address answers"
check_end 1
! grep -q answered "$work/out" || fail "answers without --address"

# refused TEXT ARGS...: expects one line on stderr with TEXT
refused() {
	local rc=0

	"$pktgen" run "${@:2}" -- --no-pci --vdev net_null0 > /dev/null 2> "$work/err" || rc=$?
	[ $rc -eq 2 ] && grep -qF -- "$1" "$work/err" || { fail "exit $rc: ${*:2}"; cat "$work/err"; }
}
refused "no number of a port" --address 198.18.0.1
refused "a host cannot have this address" --address 0=224.0.0.1
refused "--address 7=: no such port (valid: 0 to 0)" --address 7=198.18.0.1
refused "--address or --gateway, and --send-only" --address 0=198.18.0.1 --send-only
refused "--sender ring: port" --address 0=198.18.0.1 --sender ring
[ $failed -eq 0 ] && echo PASS
exit $failed
