# SPDX-License-Identifier: BSD-3-Clause
# TCP runs from the netdev through vxlan, gretap and ipip devices. The adapter segments the inner
# packets and computes their checksums; the stack of a second namespace takes the frames apart.
#
#   root namespace                                         namespace peer
#   vx0, gre0... -> netdev -> loop wire -> netdev -> tc -> veth -> vx0, gre0...
#                        <------------------------- tc <- veth <-
. /run/guest/tests/lib.sh
dev=$(netdev) || fail "no netdev of mlx5_core"
ip netns add peer || fail "ip netns add ended with $?"
trap 'ip netns del peer; ip link del tunnel0; ethtool --set-priv-flags $dev rx_no_csum_complete off;
	tc qdisc del dev $dev clsact; ip link set $dev promisc off; ip addr flush dev $dev;
	for t in $devices; do ip link del $t; done' EXIT
devices=

# tc brings the frames that the wire returned to the peer, and the answers of the peer to the netdev.
# tunnel0 has the netdev's MAC: otherwise the answers would count as frames for another host.
mac=$(cat /sys/class/net/"$dev"/address)
ip link add tunnel0 address "$mac" type veth peer name eth0 netns peer
peer_mac=$(ip -n peer -br link show eth0 | awk '{ print $3 }')
ip link set tunnel0 up
ip -n peer link set eth0 up
ip -n peer link set lo up
ip link set "$dev" up promisc on
ip addr replace 10.77.0.1/24 dev "$dev"
ip -n peer addr add 10.77.0.2/24 dev eth0
ip neigh replace 10.77.0.2 lladdr "$peer_mac" dev "$dev"
ip -n peer neigh add 10.77.0.1 lladdr "$mac" dev eth0
tc qdisc add dev "$dev" clsact && tc qdisc add dev tunnel0 clsact || fail "tc qdisc ended with $?"
tc filter add dev "$dev" ingress protocol all flower skip_hw dst_mac "$peer_mac" \
	action mirred egress redirect dev tunnel0 || fail "tc filter ended with $?"
tc filter add dev tunnel0 ingress protocol all matchall \
	action mirred ingress redirect dev "$dev" || fail "tc filter ended with $?"
wait_until ping -c 1 -W 1 10.77.0.2 || fail "ping: no answer of the peer within $WAIT_S s: $(ip -s link; ip -s -n peer link; tc -s filter show dev "$dev" ingress)"

for feature in tx-udp_tnl-segmentation tx-udp_tnl-csum-segmentation tx-gre-segmentation tx-ipxip4-segmentation; do
	ethtool -k "$dev" | grep -q "$feature: on" || fail "ethtool -k: $feature is off"
done
count() { ethtool -S "$dev" | awk -v name="$1:" '$1 == name { print $2 }'; }
bad_sums() { ip netns exec peer nstat -asz TcpInCsumErrors UdpInCsumErrors IpInHdrErrors | awk 'NR > 1 { n += $2 } END { print n + 0 }'; }

# through NET NAME LINK-ARGUMENT...: makes a tunnel device on both sides, and sends TCP through it
through() {
	net=$1 name=$2
	shift 2
	ip link add "$name" type "$@" local 10.77.0.1 remote 10.77.0.2 || fail "ip link add $name ended with $?"
	devices="$devices $name"
	ip -n peer link add "$name" type "$@" local 10.77.0.2 remote 10.77.0.1
	ip addr add "$net.1/24" dev "$name"
	ip -n peer addr add "$net.2/24" dev "$name"
	ip link set "$name" up
	ip -n peer link set "$name" up
	wait_until ping -c 1 -W 1 "$net.2" || fail "$name: no answer of the peer: $(ip -s -n peer link)"
	before=$(count tx_tso_inner_packets)
	ip netns exec peer iperf3 -s -1 -D > /dev/null
	wait_until ip netns exec peer sh -c 'grep -q :1451 /proc/net/tcp /proc/net/tcp6'
	iperf3 -c "$net.2" -n 8M > /tmp/iperf 2>&1 || fail "$name: iperf3 ended with $?: $(cat /tmp/iperf)"
	after=$(count tx_tso_inner_packets)
	[ "$after" -gt "$before" ] || fail "$name: the adapter segmented no inner packet"
	[ "$(bad_sums)" -eq 0 ] || fail "$name: the peer received wrong checksums: $(ip netns exec peer nstat -as)"
	echo "$name: the adapter segmented $((after - before)) packets"
}
through 10.78.1 vx0 vxlan id 42 dstport 4789
through 10.78.2 vx1 vxlan id 43 dstport 8472 udpcsum # a port that the kernel gives to the adapter
through 10.78.3 gre1 gretap key 7
through 10.78.4 ip1 ipip

# Without the sum of the whole packet, the kernel believes the bits of the CQE.
ethtool --set-priv-flags "$dev" rx_no_csum_complete on || fail "ethtool --set-priv-flags ended with $?"
before=$(count rx_csum_unnecessary_inner)
ping_each 3 10.78.1.2 > /dev/null || fail "ping: no answer without rx_csum_complete"
ip netns exec peer iperf3 -s -1 -D > /dev/null
wait_until ip netns exec peer sh -c 'grep -q :1451 /proc/net/tcp /proc/net/tcp6'
iperf3 -c 10.78.1.2 -n 1M > /tmp/iperf 2>&1 || fail "vx0: iperf3 ended with $?: $(cat /tmp/iperf)"
[ "$(count rx_csum_unnecessary_inner)" -gt "$before" ] || fail "no CQE verified an inner checksum: $(ethtool -S "$dev" | grep csum)"
[ "$(bad_sums)" -eq 0 ] || fail "the peer received wrong checksums"
