# SPDX-License-Identifier: BSD-3-Clause
# TCP runs in both directions between the kernel's netdev and the host (needs --wire tap:NAME). The
# device segments what the guest sends (LSO).
. /run/guest/tests/lib.sh
dev=$(netdev) || fail "no netdev of mlx5_core"
ip link set "$dev" up
ip addr replace 10.98.0.2/24 dev "$dev"
wait_until ping -c 1 -W 1 10.98.0.1 || fail "ping: no answer from 10.98.0.1 within $WAIT_S s"
iperf3 -c 10.98.0.1 -n 16M || fail "iperf3 to the host ended with $?"
iperf3 -c 10.98.0.1 -n 16M -R || fail "iperf3 from the host ended with $?"
ethtool -S "$dev" | grep -E '^ *(tx_tso_packets|tx_tso_inner_packets|rx_csum_complete|rx_csum_unnecessary|tx_packets|rx_packets):'
ethtool -S "$dev" | grep -q 'tx_tso_packets: [1-9]' || fail "tx_tso_packets is 0: the device segmented no packet"
