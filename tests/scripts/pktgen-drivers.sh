#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# pktgen-drivers.sh PKTGEN
#
# devx-pktgen on ports of other DPDK drivers, both ways, with several sizes: two of net_tap, which a
# bridge of the kernel joins, and two of net_memif. Each frame arrives as it was sent.
set -u
pktgen=$(realpath "${1:?}")
. "$(dirname "$0")/pktgen.bash"

if [ "${2:-}" != inside ]; then
	for driver in net_tap net_memif; do need_driver $driver role=none,iface=/; done
	unshare -Urn ip link add type bridge > /dev/null 2>&1 ||
		skip "no user and network namespaces here, no ip (iproute2), or no bridge"
	unshare -Urn ip tuntap add test0 mode tap > /dev/null 2>&1 || skip "no TAP netdevs here; load the kernel's module tun"
	exec unshare -Urn "$0" "$pktgen" inside
fi
enter_work

# run_pktgen ARGS...: runs devx-pktgen in the background, as a job of its own; the output is in out and err.
# With one worker, a busy machine delays the sender and the receiver alike: no queue of the kernel overflows.
run_pktgen() {
	set -m
	"$pktgen" run --both --size imix --cores 1 --drain 10s "$@" > out 2> err &
	pid=$!
	set +m
}

# check_end NAME PACKETS: expects that each of two flows delivered so many packets, and that the counters agree
check_end() {
	wait "$pid"
	[ "$(grep -c "^flow .*: $2 sent, $2 received, 0 lost, 0 duplicated, .* 0 corrupted" out)" -eq 2 ] &&
		! grep -q "sent packets, as the port counts them" out || fail "$1"
}

# The netdevs exist only while the ports do. devx-pktgen stops (SIGTSTP) before it sends, until the bridge
# is complete. A bridge keeps frames to the MAC address of its netdevs, which are those of the ports.
run_pktgen --packet 'ethernet(src=02:00:00:00:00:0a,dst=02:00:00:00:00:0b)/ipv4(src=10.0.0.1-10.0.0.9)/udp' --rate 10kpps -n 10000 --delay 1s --port net_tap0,iface=devx0 --port net_tap1,iface=devx1
wait_for_run grep -q "^flow" out
kill -TSTP "$pid"
wait_for_run grep -q "^State:.*stopped" "/proc/$pid/status"
ip link add br0 type bridge
for netdev in devx0 devx1; do
	echo 1 > "/proc/sys/net/ipv6/conf/$netdev/disable_ipv6"
	ip link set "$netdev" master br0
done
ip link set br0 up
kill -CONT "$pid"
check_end net_tap 10,000
grep -q "^flow 0: .* checksums: port, " out || fail "net_tap does not write the checksums"

run_pktgen --sport 1000-2000 --rate 100kpps -n 50k --port "net_memif0,role=server,socket=$work/socket" \
	--port "net_memif1,role=client,socket=$work/socket"
check_end net_memif 50,000
pass
