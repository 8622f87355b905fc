# SPDX-License-Identifier: BSD-3-Clause
# net_devx and the kernel share a port (needs --wire tap:NAME). net_devx receives the frames to the MAC
# address of the netdev, and the kernel receives all other frames at the same time.
#
#	net_devx	sends ARP requests as 10.98.0.3; the replies go to the MAC address of the netdev
#	the kernel	has 10.98.0.2 on a macvlan with its own MAC address, for ping and iperf3
. /run/guest/tests/lib.sh
needs_net_devx
N=512 # a power of two
dev=$(netdev) || fail "no netdev of mlx5_core"
mac=$(cat /sys/class/net/"$dev"/address)
modprobe macvlan
ethtool -K "$dev" gro off # the kernel merges no frames
ip addr flush dev "$dev"
ip link set "$dev" up
ip link add mv0 link "$dev" type macvlan mode bridge
ip link set mv0 up
ip addr add 10.98.0.2/24 dev mv0
wait_until ping -c 1 -W 1 10.98.0.1 || fail "ping: no answer from 10.98.0.1 within $WAIT_S s: $(ip addr; ip -s link)"

# A capture with N ARP requests for 10.98.0.1. The second port of testpmd sends them to net_devx, and
# writes the frames that net_devx receives to a file.
bytes() { for b; do printf "\\$(printf %03o "0x$b")"; done; }
zeroes() { head -c "$1" /dev/zero; }
{
	us=$(echo "$mac" | tr : ' ')
	bytes 0 0 0 0 0 0 0 0 3c 0 0 0 3c 0 0 0 ff ff ff ff ff ff $us 8 6
	bytes 0 1 8 0 6 4 0 1 $us a 62 0 3 0 0 0 0 0 0 a 62 0 1
	zeroes 18
} > /tmp/asked
for i in 1 2 3 4 5 6 7 8 9; do
	cat /tmp/asked /tmp/asked > /tmp/twice
	mv /tmp/twice /tmp/asked
done
{ bytes d4 c3 b2 a1 2 0 4 0; zeroes 8; bytes 0 0 4 0 1 0 0 0; cat /tmp/asked; } > /tmp/ask.pcap

# frames FILE: prints each frame of a capture as one line of hex digits
frames() {
	od -An -v -tu1 -w1 "$1" | awk 'NR <= 24 { next }
		!left { h[n++] = $1; if (n == 16) { left = h[8] + 256 * h[9]; n = 0; line = "" } next }
		{ line = line sprintf("%02x", $1); if (!--left) print line }'
}

counted() { ethtool -S "$dev" | sed -n "s/^ *$1: //p"; }
on_wire() { counted rx_vport_unicast_packets; }
to_kernel() { echo $(($(cat /sys/class/net/mv0/statistics/rx_packets) - $(cat /sys/class/net/mv0/statistics/multicast))); }

wire_before=$(on_wire) kernel_before=$(to_kernel) full_before=$(counted rx_out_of_buffer)
# adds_up: each unicast frame from the wire went to the kernel, was dropped, or is one of the $unicast frames to net_devx
adds_up() {
	wire=$(($(on_wire) - wire_before)) kernel=$(($(to_kernel) - kernel_before))
	full=$(($(counted rx_out_of_buffer) - full_before))
	[ "$wire" -eq $((kernel + full + unicast)) ]
}
is_promisc() { [ $(($(cat /sys/class/net/"$dev"/flags) & 0x100)) -ne 0 ]; }
is_not_promisc() { ! is_promisc; }
testpmd_starts --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0 \
	--vdev net_pcap0,rx_pcap=/tmp/ask.pcap,tx_pcap=/tmp/got.pcap -- --no-flush-rx
is_promisc || fail "the netdev is not promiscuous after the start of testpmd"
tell 'set promisc 0 off'
wait_until is_not_promisc || fail "the netdev is still promiscuous $WAIT_S s after set promisc off"
ping_each 20 10.98.0.1 || fail "ping: no reply within $WAIT_S s"
# The first iperf3 runs until net_devx has the replies.
iperf3 -c 10.98.0.1 -t 400 > /tmp/iperf 2>&1 &
iperf=$!
sees_iperf() { [ $(($(to_kernel) - kernel_before)) -gt 200 ]; }
wait_until sees_iperf || fail "iperf3 to the host does not run: $(cat /tmp/iperf)"
tell start
wait_until has_received $((N - 1)) || fail "net_devx received $received of $N frames"
kill $iperf || fail "iperf3 to the host ended: $(cat /tmp/iperf)"
wait $iperf
wait_until iperf3 -c 10.98.0.1 -n 8M -R || fail "iperf3 from the host ended with $?" # the server ends the first test meanwhile
tell stop
testpmd_ends
ours=$(sed -n '/ Forward statistics for port 0/,/---$/s/.*RX-packets: *\([0-9]*\).*/\1/p' /tmp/testpmd)
frames /tmp/got.pcap > /tmp/got
got=$(wc -l < /tmp/got) unicast=$(grep -c '^.[02468ace]' /tmp/got)
wait_until adds_up || :
answers=$(grep -c "^$(echo "$mac" | tr -d :)............08060001080006040002" /tmp/got)
echo "unicast frames: $wire from the wire; $kernel to the macvlan, $full dropped without a buffer, $unicast to net_devx"
echo "net_devx: $ours frames received, $got forwarded, $answers ARP replies"
[ "$answers" -eq $N ] || fail "net_devx received $answers of $N ARP replies: $(sort /tmp/got | uniq -c)"
[ "$got" -eq "$ours" ] || fail "net_devx received $ours frames, but forwarded $got"
[ "$wire" -eq $((kernel + full + unicast)) ] ||
	fail "$wire frames came from the wire, but the counters have $((kernel + full + unicast))"

# After the port is closed, the kernel receives the frames to the MAC address of the netdev.
ip link del mv0
ip addr add 10.98.0.2/24 dev "$dev"
wait_until ping -c 1 -W 1 10.98.0.1 || fail "ping: no answer to the address of the netdev within $WAIT_S s"
echo "FIGURE: of $wire unicast frames, the kernel got $((kernel + full)) (ping, iperf3) and net_devx $unicast"
