# SPDX-License-Identifier: BSD-3-Clause
# net_devx, as the guest's rdma-core and DPDK have it, forwards over the wire's loop.
. /run/guest/tests/lib.sh
needs_net_devx
dev=$(netdev) || fail "no netdev"
ip link set "$dev" up
(sleep 12; echo stop; sleep 1; echo quit) | timeout 60 dpdk-testpmd -l 0-1 --no-pci -d librte_net_devx.so \
	--vdev net_devx0,ibdev=mlx5_0 --no-telemetry -- -i --forward-mode=io \
	--total-num-mbufs=8192 --cmdline-file=/run/guest/tests/testpmd.cmd > /tmp/testpmd 2>&1
cat /tmp/testpmd
grep -q 'Bye' /tmp/testpmd || fail "testpmd did not end"
rx=$(sed -n 's/.*RX-packets: *\([0-9]*\).*/\1/p' /tmp/testpmd | tail -n 1)
[ "${rx:-0}" -gt 1000 ] || fail "only ${rx:-no} packets came back"
kernel_is_happy
