# SPDX-License-Identifier: BSD-3-Clause
# TCP both ways between the kernel's netdev and the host (needs --wire tap:NAME): LSO outwards.
. /run/guest/tests/lib.sh
dev=$(netdev) || fail "no netdev"
ip link set "$dev" up
ip addr replace 10.98.0.2/24 dev "$dev"
wait_for 10 ping -c 1 -W 1 10.98.0.1 || fail "no answer"
iperf3 -c 10.98.0.1 -t 3 || fail "iperf3 out"
iperf3 -c 10.98.0.1 -t 3 -R || fail "iperf3 in"
ethtool -S "$dev" | grep -E '^ *(tx_tso_packets|tx_tso_inner_packets|rx_csum_complete|rx_csum_unnecessary|tx_packets|rx_packets):'
ethtool -S "$dev" | grep -q 'tx_tso_packets: [1-9]' || fail "nothing was segmented by the device"
