# SPDX-License-Identifier: BSD-3-Clause
# A secondary DPDK process sends and receives on a queue of net_devx beside the real kernel. kill -9 ends
# it, and the primary process resets the queue and goes on.
. /run/guest/tests/lib.sh
needs_net_devx
ip link set "$(netdev)" up
queues='--num-procs=2 --rxq=2 --txq=2 --rss-udp --txonly-multi-flow'
testpmd_starts --proc-type=primary --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0 -- \
	$queues --proc-id=0
tell 'set fwd txonly'
tell start
stdbuf -oL dpdk-testpmd --lcores '2@0,3@1' --no-telemetry --proc-type=secondary --no-pci -d librte_net_devx.so \
	--vdev net_devx0,ibdev=mlx5_0 -- $queues --proc-id=1 --forward-mode=io --stats-period=1 \
	< /dev/null > /tmp/second 2>&1 &
second=$!
has_received() { grep 'RX-packets:' /tmp/second | tail -n 1 | grep -q 'RX-packets: [1-9]'; }
wait_for 30 has_received || fail "the secondary process receives nothing: $(cat /tmp/second)"
kill -9 $second
wait_for 5 grep -q 'Tx queue 1: secondary process 1 ended while it used the queue; queue restarted' /tmp/testpmd ||
	fail "the primary process did not reset the queue: $(cat /tmp/testpmd)"
tell stop
testpmd_ends
