# SPDX-License-Identifier: BSD-3-Clause
# The kernel's netdev receives compressed CQEs (needs --wire tap:NAME and a profile with compress=1 or 2). Ping and TCP
# check each packet's length and contents, and the kernel its checksum from a mini CQE.
. /run/guest/tests/lib.sh
dev=$(netdev) || fail "no netdev of mlx5_core"
trap 'ethtool --set-priv-flags $dev rx_cqe_compress off; ethtool -K $dev rxhash on' EXIT
# Linux reports checksums in mini CQEs, so it has no hashes, and would warn that it turns them off.
ethtool -K "$dev" rxhash off || fail "ethtool -K ended with $?"
ethtool --set-priv-flags "$dev" rx_cqe_compress on || fail "ethtool --set-priv-flags ended with $?"
ip link set "$dev" up
ip addr replace 10.98.0.2/24 dev "$dev"
wait_until ping -c 1 -W 1 10.98.0.1 || fail "ping: no answer from 10.98.0.1 within $WAIT_S s"
count() { ethtool -S "$dev" | awk -v name="$1:" '$1 == name { print $2 }'; }
bad_sums() { nstat -asz TcpInCsumErrors UdpInCsumErrors IpInHdrErrors | awk 'NR > 1 { n += $2 } END { print n + 0 }'; }
iperf3 -c 10.98.0.1 -n 16M -R || fail "iperf3 from the host ended with $?"
ping_each 20 10.98.0.1 1400 || fail "ping: no reply within $WAIT_S s"
ethtool -S "$dev" | grep -E '^ *(rx_cqe_compress_blks|rx_cqe_compress_pkts|rx_csum_complete|rx_csum_unnecessary|rx_csum_none|rx_packets|rx_wqe_err):'
[ "$(count rx_cqe_compress_pkts)" -gt 1000 ] || fail "rx_cqe_compress_pkts is $(count rx_cqe_compress_pkts) (valid: above 1000); boot with --profile cx6dx,compress=1"
[ "$(bad_sums)" = 0 ] || fail "$(bad_sums) packets had a wrong checksum"
