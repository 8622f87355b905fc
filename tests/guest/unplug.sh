# SPDX-License-Identifier: BSD-3-Clause
# Takes the device away from a program on net_devx during traffic, in three ways: mlx5_core loses the PCI device,
# mlx5_ib its RDMA device, or the PCI device is removed. testpmd gets one removal event each time, ends without
# hanging, and the next program finds the device again. Linux does not unload mlx5_ib under a program.
# net_devx waits a second for the return of a device whose PCI device stays, and not at all for a removed one.
# When the PCI device is removed, the port is one on the PCI bus. It is attached again in the same testpmd.
. /run/guest/tests/lib.sh
needs_net_devx
addr=$(pci)
lines() { grep -c "$1" /tmp/testpmd; }

# lose WAY, restore WAY
lose() {
	case $1 in
	unbind) echo "$addr" > /sys/bus/pci/drivers/mlx5_core/unbind ;;
	unbind_rdma) echo mlx5_core.rdma.0 > /sys/bus/auxiliary/drivers/mlx5_ib.rdma/unbind ;;
	remove) echo 1 > "/sys/bus/pci/devices/$addr/remove" ;;
	esac || fail "$1: cannot take the device away: $(dmesg | tail -n 3)"
}
restore() {
	case $1 in
	unbind) echo "$addr" > /sys/bus/pci/drivers/mlx5_core/bind ;;
	unbind_rdma) echo mlx5_core.rdma.0 > /sys/bus/auxiliary/drivers/mlx5_ib.rdma/bind ;;
	remove) echo 1 > /sys/bus/pci/rescan ;;
	esac || fail "$1: cannot give the device back: $(dmesg | tail -n 3)"
	wait_until netdev && wait_until test -c /dev/infiniband/uverbs0 || fail "$1: no device afterwards"
}

for way in unbind unbind_rdma remove; do
	ip link set "$(netdev)" up
	case $way in
	remove) port="-a $addr,driver=net_devx" ;;
	*) port="--no-pci --vdev net_devx0,ibdev=mlx5_0,recovery_wait=1" ;;
	esac
	# shellcheck disable=SC2086
	testpmd_starts -d librte_net_devx.so $port --
	tell 'start tx_first 4'
	! rmmod mlx5_ib || fail "$way: Linux unloaded mlx5_ib under a program"
	lose $way
	wait_until grep -q 'Port 0: device removal event' /tmp/testpmd || fail "$way: no removal event: $(cat /tmp/testpmd)"
	# 100 ms after the event testpmd stops and closes the port by itself.
	wait_until grep -q 'Device is detached' /tmp/testpmd || fail "$way: testpmd did not detach: $(cat /tmp/testpmd)"
	if [ $way = remove ]; then
		restore $way
		ip link set "$(netdev)" up
		tell "port attach $addr,driver=net_devx"
		tell 'port start 0'
		tell stop # testpmd went on without a port
		tell 'start tx_first 4'
		wait_until has_received 0 || fail "no packet after the device is back: $(cat /tmp/testpmd)"
	fi
	testpmd_ends
	[ "$(lines 'device removal event')" = 1 ] || fail "$way: more than one removal event"
	[ "$(lines 'the kernel reports that the device failed or was removed')" = 1 ] ||
		fail "$way: not one line about the loss"
	[ $way = remove ] || restore $way
done
forward net_devx --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0
