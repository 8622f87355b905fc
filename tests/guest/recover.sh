# SPDX-License-Identifier: BSD-3-Clause
# mlx5_core takes its RDMA device away under a program on net_devx and gives it back, in three ways: the driver of the
# RDMA device is unbound and bound, or the PCI function is, or devlink reloads the function. testpmd keeps running and
# forwards packets again.
. /run/guest/tests/lib.sh
needs_net_devx
addr=$(pci)

lose() {
	case $1 in
	rdma) echo mlx5_core.rdma.0 > /sys/bus/auxiliary/drivers/mlx5_ib.rdma/unbind ;;
	function) echo "$addr" > /sys/bus/pci/drivers/mlx5_core/unbind ;;
	devlink) devlink dev reload "pci/$addr" ;;
	esac || fail "$1: cannot take the device away: $(dmesg | tail -n 3)"
}
restore() {
	case $1 in
	rdma) echo mlx5_core.rdma.0 > /sys/bus/auxiliary/drivers/mlx5_ib.rdma/bind ;;
	function) echo "$addr" > /sys/bus/pci/drivers/mlx5_core/bind ;;
	devlink) ;; # the reload has done it
	esac || fail "$1: cannot give the device back: $(dmesg | tail -n 3)"
	wait_until test -c /dev/infiniband/uverbs0 || fail "$1: no device afterwards"
}

for way in rdma function devlink; do
	ip link set "$(netdev)" up
	testpmd_starts -d librte_net_devx.so --no-pci --vdev net_devx0,ibdev=mlx5_0,recovery_wait=600 --
	tell 'start tx_first 4'
	lose $way
	wait_until grep -q 'moves no packets until' /tmp/testpmd || fail "$way: net_devx does not see the loss: $(cat /tmp/testpmd)"
	restore $way
	wait_until grep -q 'the device is back; recovered' /tmp/testpmd || fail "$way: no recovery: $(cat /tmp/testpmd)"
	tell 'stop'
	tell 'clear port stats all'
	tell 'start tx_first 4'
	wait_until has_received 0 || fail "$way: no packet after the recovery: $(cat /tmp/testpmd)"
	testpmd_ends
	! grep -q 'device removal event' /tmp/testpmd || fail "$way: a removal event"
	grep -q 'error recovery successful' /tmp/testpmd || fail "$way: testpmd shows no RTE_ETH_EVENT_RECOVERY_SUCCESS"
done
