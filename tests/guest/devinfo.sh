# SPDX-License-Identifier: BSD-3-Clause
# rdma-core's own tool finds a sane device.
. /run/guest/tests/lib.sh
ip link set "$(netdev)" up
wait_for 5 sh -c "ibv_devinfo | grep -q PORT_ACTIVE" || fail "the port is not active: $(ibv_devinfo)"
ibv_devinfo -v > /tmp/devinfo || fail "ibv_devinfo"
cat /tmp/devinfo
# Profile roce: the kernel made GIDs of the netdev's address, and the adapter took them.
case $(cat /sys/class/infiniband/mlx5_0/board_id) in
EMU0000000003)
	for v in 'RoCE v1' 'RoCE v2'; do
		grep -q "GID.*fe80:.*$v" /tmp/devinfo || fail "no GID of $v"
	done ;;
*)	! grep GID /tmp/devinfo || fail "GIDs, without RoCE" ;;
esac
ip link set "$(netdev)" down
