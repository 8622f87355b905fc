# SPDX-License-Identifier: BSD-3-Clause
# Kills a program on net_devx during traffic, three times. The kernel destroys all objects of the
# program. reload.sh shows that no object keeps the drivers loaded.
. /run/guest/tests/lib.sh
needs_net_devx
ip link set "$(netdev)" up
testpmd() {
	exec dpdk-testpmd -l 0-1 --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0 --no-telemetry -- \
		--forward-mode=io --total-num-mbufs=8192 --stats-period=1 --tx-first
}
devx-loopback mlx5_0 || fail "devx-loopback ended with $?" # the kernel makes objects of its own for the first user
before=$(objects)
for i in 1 2 3; do
	testpmd > /tmp/testpmd 2>&1 &
	wait_until grep -q 'TX-packets: [1-9]' /tmp/testpmd || fail "round $i: $(cat /tmp/testpmd)"
	running=$(objects)
	kill -9 $!
	wait $! 2> /dev/null
	# A killed program cannot end promiscuous mode of the netdev, and the kernel has a flow table for it.
	ip link set "$(netdev)" promisc off
	after=$(objects)
	echo "before:  $before"; echo "running: $running"; echo "after:   $after"
	[ "$running" != "$before" ] || fail "the counts do not change while a program runs"
	[ "$after" = "$before" ] || fail "round $i: objects of the killed program are left"
done
