# SPDX-License-Identifier: BSD-3-Clause
# A program on net_devx is killed in full flight; the kernel cleans up and the next one runs.
. /run/guest/tests/lib.sh
needs_net_devx
ip link set "$(netdev)" up
testpmd() {
	exec dpdk-testpmd -l 0-1 --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0 --no-telemetry -- \
		--forward-mode=io --total-num-mbufs=8192 --stats-period=1 --tx-first
}
for i in 1 2 3; do
	testpmd > /tmp/testpmd 2>&1 &
	wait_for 20 grep -q 'TX-packets: [1-9]' /tmp/testpmd || fail "round $i: $(cat /tmp/testpmd)"
	kill -9 $!
	wait $! 2> /dev/null
done
unload_drivers || fail "something still holds the drivers: $(lsmod)"
load_drivers || fail "the drivers do not come back"
kernel_is_happy
