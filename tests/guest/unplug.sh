# SPDX-License-Identifier: BSD-3-Clause
# Takes the device away from a program on net_devx during traffic, as an unbind of the driver does.
# testpmd gets one removal event, ends without hanging, and the next program finds the device again.
. /run/guest/tests/lib.sh
needs_net_devx
ip link set "$(netdev)" up
addr=$(pci)
lines() { grep -c "$1" /tmp/testpmd; }
testpmd_starts --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0 --
tell 'start tx_first 4'
echo "$addr" > /sys/bus/pci/drivers/mlx5_core/unbind || fail "cannot unbind mlx5_core"
wait_for 10 grep -q 'Port 0: device removal event' /tmp/testpmd || fail "no removal event: $(cat /tmp/testpmd)"
# 100 ms after the event testpmd stops and closes the port by itself.
wait_for 20 grep -q 'Device is detached' /tmp/testpmd || fail "testpmd did not detach: $(cat /tmp/testpmd)"
echo quit >&3
exec 3>&-
wait $testpmd
status=$?
cat /tmp/testpmd
[ $status -eq 0 ] || fail "testpmd ended with $status"
[ "$(lines 'device removal event')" = 1 ] || fail "more than one removal event"
[ "$(lines 'the kernel reports that the device failed or was removed')" = 1 ] || fail "not one line about the loss"
echo "$addr" > /sys/bus/pci/drivers/mlx5_core/bind || fail "cannot bind mlx5_core"
wait_for 5 netdev && wait_for 5 test -c /dev/infiniband/uverbs0 || fail "no netdev after the bind"
forward net_devx --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0
