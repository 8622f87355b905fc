# SPDX-License-Identifier: BSD-3-Clause
# net_devx's counters of the port and of the physical port equal `ethtool -S` of mlx5_core's netdev. Its
# flow control and speed are those of ethtool, and `set link-down` is seen by ip link.
. /run/guest/tests/lib.sh
needs_net_devx
dev=$(netdev) || fail "no netdev"
ip link set "$dev" up

# statistic NAME: prints a statistic of the netdev
statistic() { ethtool -S "$dev" | sed -n "s/^ *$1: //p"; }
# xstat NAME: prints the last value of an extended statistic of the port
xstat() { tr -d '\r' < /tmp/testpmd | sed -n "s/.*\b$1: *\([0-9]*\)$/\1/p" | tail -n 1; }

for name in rx_packets_phy tx_packets_phy rx_bytes_phy tx_bytes_phy rx_vport_unicast_packets tx_vport_unicast_bytes; do
	eval "before_$name=$(statistic $name)"
done
testpmd_starts --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0 --
tell 'start tx_first 4'
wait_until has_received 1000 || fail "testpmd did not receive 1000 packets within $WAIT_S s"
tell stop
receive_rest
tell 'show port xstats 0'
# compare XSTAT STATISTIC SLACK: STATISTIC may have grown by SLACK more than XSTAT. The kernel may send frames of
# its own before the probe, and after XSTAT was read.
compare() {
	eval "want=\$(($(statistic "$2") - before_$2))"
	got=$(xstat "$1")
	[ -n "$got" ] && [ "$got" -le $want ] && [ "$got" -ge $((want - $3)) ] ||
		fail "$1 is '$got', but $2 of ethtool grew by $want"
	[ $want -gt 1000 ] || fail "$2 grew by $want (valid: more than 1000)"
	echo "$1: $want"
}
compare rx_phy_packets rx_packets_phy 5
compare tx_phy_packets tx_packets_phy 5
compare rx_phy_bytes rx_bytes_phy 1000
compare tx_phy_bytes tx_bytes_phy 1000
compare rx_unicast_packets rx_vport_unicast_packets 5
compare tx_unicast_bytes tx_vport_unicast_bytes 1000
[ "$(xstat rx_phy_crc_errors)" = 0 ] || fail "rx_phy_crc_errors is '$(xstat rx_phy_crc_errors)', wanted 0"

tell 'show port info 0'
grep -q 'Link speed: 100 Gbps' /tmp/testpmd || fail "testpmd does not show 100 Gbps"
tell 'set link-down port 0'
wait_until sh -c "ip link show $dev | grep -q 'state DOWN'" || fail "set link-down: $(ip link show "$dev")"
tell 'set link-up port 0'
wait_until grep -q 1 /sys/class/net/"$dev"/carrier || fail "set link-up: no carrier within $WAIT_S s"
tell 'show port info 0'
testpmd_ends > /dev/null
