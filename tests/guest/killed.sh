# SPDX-License-Identifier: BSD-3-Clause
# A program on net_devx is killed in full flight, three times: the kernel destroys all that it
# had. That nothing holds the drivers shows when reload.sh unloads them.
. /run/guest/tests/lib.sh
needs_net_devx
ip link set "$(netdev)" up
testpmd() {
	exec dpdk-testpmd -l 0-1 --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0 --no-telemetry -- \
		--forward-mode=io --total-num-mbufs=8192 --stats-period=1 --tx-first
}
devx-loopback mlx5_0 || fail "no way through" # the first user makes the kernel make its own
before=$(objects)
for i in 1 2 3; do
	testpmd > /tmp/testpmd 2>&1 &
	wait_for 20 grep -q 'TX-packets: [1-9]' /tmp/testpmd || fail "round $i: $(cat /tmp/testpmd)"
	running=$(objects)
	kill -9 $!
	wait $! 2> /dev/null
	# The netdev stays promiscuous, as nobody is left who could take that back; it is no object
	# of the program's, but the kernel has a table for it.
	ip link set "$(netdev)" promisc off
	after=$(objects)
	echo "before:  $before"; echo "running: $running"; echo "after:   $after"
	[ "$running" != "$before" ] || fail "the count shows nothing of a running program"
	[ "$after" = "$before" ] || fail "round $i: something is left"
done
