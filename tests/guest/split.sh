# SPDX-License-Identifier: BSD-3-Clause
# Bifurcation (needs --wire tap:NAME): net_devx takes what is sent to the netdev's address, and
# the kernel has all the rest, at the same time and on the same port.
#
#	net_devx	asks the host by ARP, as 10.98.0.3; answers go to the netdev's address
#	the kernel	has 10.98.0.2 on a macvlan, an address of its own; pings and iperf3 use it
. /run/guest/tests/lib.sh
needs_net_devx
N=512 # a power of two
dev=$(netdev) || fail "no netdev"
mac=$(cat /sys/class/net/"$dev"/address)
modprobe macvlan
ethtool -K "$dev" gro off # a frame is a packet
ip addr flush dev "$dev"
ip link set "$dev" up
ip link add mv0 link "$dev" type macvlan mode bridge
ip link set mv0 up
ip addr add 10.98.0.2/24 dev mv0
wait_for 10 ping -c 1 -W 1 10.98.0.1 || fail "no answer: $(ip addr; ip -s link)"

# N times the question who has 10.98.0.1, as a capture; testpmd's second port reads it, and
# writes what net_devx receives.
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

# The frames of a capture, in hex, a line each.
frames() {
	od -An -v -tu1 -w1 "$1" | awk 'NR <= 24 { next }
		!left { h[n++] = $1; if (n == 16) { left = h[8] + 256 * h[9]; n = 0; line = "" } next }
		{ line = line sprintf("%02x", $1); if (!--left) print line }'
}

counted() { ethtool -S "$dev" | sed -n "s/^ *$1: //p"; }
on_wire() { counted rx_vport_unicast_packets; }
to_kernel() { echo $(($(cat /sys/class/net/mv0/statistics/rx_packets) - $(cat /sys/class/net/mv0/statistics/multicast))); }

wire=$(on_wire) kernel=$(to_kernel) full=$(counted rx_out_of_buffer)
is_promisc() { [ $(($(cat /sys/class/net/"$dev"/flags) & 0x100)) -ne 0 ]; }
is_not_promisc() { ! is_promisc; }
testpmd_starts --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0 \
	--vdev net_pcap0,rx_pcap=/tmp/ask.pcap,tx_pcap=/tmp/got.pcap -- --no-flush-rx
is_promisc || fail "testpmd starts in promiscuous mode, the netdev is not"
tell 'set promisc 0 off'
wait_for 5 is_not_promisc || fail "promiscuous mode does not end"
ping -c 20 -i 0.05 10.98.0.1 | tee /tmp/ping
(sleep 0.7; tell start) & # in the middle of this:
iperf3 -c 10.98.0.1 -t 2 || fail "iperf3 out"
iperf3 -c 10.98.0.1 -t 2 -R || fail "iperf3 in"
tell stop
testpmd_ends
wire=$(($(on_wire) - wire)) kernel=$(($(to_kernel) - kernel)) full=$(($(counted rx_out_of_buffer) - full))
ours=$(sed -n '/ Forward statistics for port 0/,/---$/s/.*RX-packets: *\([0-9]*\).*/\1/p' /tmp/testpmd)
frames /tmp/got.pcap > /tmp/got
got=$(wc -l < /tmp/got) unicast=$(grep -c '^.[02468ace]' /tmp/got)
answers=$(grep -c "^$(echo "$mac" | tr -d :)............08060001080006040002" /tmp/got)
echo "unicast frames: on the wire $wire, to the kernel's address $kernel and $full too many, to net_devx $unicast"
echo "net_devx: $ours frames, $got forwarded, $answers answers"
grep -q ' 0% packet loss' /tmp/ping || fail "the kernel lost packets"
[ "$answers" -eq $N ] || fail "$answers of $N answers came: $(sort /tmp/got | uniq -c)"
[ "$got" -eq "$ours" ] || fail "net_devx received $ours frames, $got were forwarded"
[ "$wire" -eq $((kernel + full + unicast)) ] ||
	fail "$wire frames came, $((kernel + full + unicast)) are accounted for"

# What was net_devx's is the kernel's again.
ip link del mv0
ip addr add 10.98.0.2/24 dev "$dev"
wait_for 10 ping -c 1 -W 1 10.98.0.1 || fail "no answer to the netdev's own address"
echo "FIGURE: of $wire unicast frames $((kernel + full)) went to the kernel (ping, iperf3), $unicast to net_devx, none elsewhere"
