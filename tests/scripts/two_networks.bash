# SPDX-License-Identifier: BSD-3-Clause
#
# Two network namespaces, 0 and 1, whose hosts reach the ports of the example by the TAPs emu0 and emu1. To be sourced
# after dpdk_example.bash. The TAPs stay in the namespace of the script, because drivers ask them for their state. A
# macvlan on each TAP, net0 and net1, is in its namespace. Its MAC address is 02:00:00:00:00:00 or 02:00:00:00:00:01, to
# which DPDK's examples send what they route to port 0 or 1.

need ping iputils-ping
need iperf3 iperf3

holders=() # a process in each network namespace

# in_network N COMMAND...: runs a command in namespace N
in_network() { nsenter -t "${holders[$1]}" -n -- "${@:2}"; }

# mac_of NETDEV: prints the MAC address of a netdev in the namespace of the script
mac_of() { ip -o link show "$1" | sed 's/.*ether \([^ ]*\) .*/\1/'; }

# has_network PID: the process has a network namespace of its own
has_network() { [ "$(readlink "/proc/$1/ns/net")" != "$(readlink /proc/self/ns/net)" ] && kill -0 "$1" 2> /dev/null; }

# networks_begin ADDRESS0 ADDRESS1: makes both namespaces, once the example has opened the ports
networks_begin() {
	local n addresses=("$@")

	holders=()
	for n in 0 1; do
		unshare -n sleep infinity &
		holders+=($!)
		wait_until has_network $! || fail "cannot make a network namespace"
		ip link add link emu$n name net$n address 02:00:00:00:00:0$n type macvlan mode private 2> "$work/macvlan" ||
			skip "the kernel has no macvlan: $(cat "$work/macvlan")"
		ip link set net$n netns "${holders[$n]}" || fail "cannot move net$n"
		# the kernel sends no frames of IPv6
		in_network $n sh -c 'echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6' 2> /dev/null
		in_network $n ip address add "${addresses[$n]}" dev net$n
		in_network $n ip link set net$n up
	done
}

# networks_end: the hosts send nothing after it
networks_end() {
	local n

	for n in 0 1; do
		in_network $n ip link delete net$n || fail "cannot delete net$n"
	done
	helper_end "${holders[@]}"
	holders=()
}

# expect_ping N ADDRESS TTL [BYTES]: 20 echo requests of namespace N, with BYTES of data, have replies with TTL. Each ping
# sends one request: after a reply, ping waits for the next one for two round trips only, which a busy machine exceeds.
expect_ping() {
	in_network "$1" sh -c 'for i in $(seq 20); do ping -c 1 -W "$3" -M dont -s "$1" "$2" || exit; done' - \
		"${4:-1400}" "$2" $WAIT_S > "$work/ping" 2>&1 || fail "ping $2: $(cat "$work/ping")"
	[ "$(grep -c "ttl=$3 " "$work/ping")" -eq 20 ] && ! grep -q "wrong data" "$work/ping" ||
		fail "ping $2 (wanted: 20 replies with TTL $3): $(cat "$work/ping")"
	say "ping $2: 20 of 20 replies of ${4:-1400} bytes"
}

# serve N TEXT COMMAND...: starts a server in namespace N, and waits until it has printed TEXT; $server is its process
serve() {
	: > "$work/server"
	in_network "$1" "${@:3}" > "$work/server" 2>&1 &
	server=$!
	wait_until is_serving "$2" || fail "no server within $WAIT_S s: $(cat "$work/server")"
}

is_serving() {
	grep -q "$1" "$work/server" && return
	kill -0 $server 2> /dev/null || fail "no server: $(cat "$work/server")"
	return 1
}

# expect_tcp FROM TO ADDRESS: TCP carries bytes from namespace FROM to ADDRESS, which is in namespace TO: those of
# iperf3, and some whose values the receiver compares. No segment has a wrong checksum.
expect_tcp() {
	local server n received

	serve "$2" "Server listening" iperf3 -s -1 --forceflush
	in_network "$1" timeout $WAIT_S iperf3 -c "$3" -n 4M -J > "$work/client" 2>&1 ||
		fail "iperf3 to $3: $(cat "$work/client" "$work/server")"
	wait $server || fail "iperf3: the server ended with status $?: $(cat "$work/server")"
	helper_end $server
	received=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["end"]["sum_received"]["bytes"])' < "$work/client")
	# iperf3 does not read the bytes that are still under way when the sender is done
	[ "$received" -gt 0 ] || fail "iperf3 to $3: $received bytes arrived: $(cat "$work/client")"

	serve "$2" listening python3 "$here/tcp_transfer.py" receive 5202 $((2 << 20)) "$1"
	in_network "$1" python3 "$here/tcp_transfer.py" send "$3" 5202 $((2 << 20)) "$1" || fail "TCP to $3 (see above)"
	wait $server || fail "TCP to $3: $(cat "$work/server")"
	helper_end $server
	for n in 0 1; do
		[ "$(in_network $n awk '/^Tcp:/ { if (n++) print $16; else if ($16 != "InCsumErrors") print "unknown" }' \
			/proc/net/snmp)" = 0 ] || fail "segments with a wrong checksum: $(in_network $n cat /proc/net/snmp)"
	done
	say "TCP to $3: iperf3 received $received bytes; 2 MiB arrived, each byte as sent"
}
