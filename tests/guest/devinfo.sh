# SPDX-License-Identifier: BSD-3-Clause
# ibv_devinfo of rdma-core finds the device, and its port is active.
. /run/guest/tests/lib.sh
ip link set "$(netdev)" up
wait_until sh -c "ibv_devinfo | grep -q PORT_ACTIVE" || fail "port not active within $WAIT_S s: $(ibv_devinfo)"
ibv_devinfo -v > /tmp/devinfo || fail "ibv_devinfo -v ended with $?"
cat /tmp/devinfo
# With profile roce, the kernel makes GIDs from the netdev's address, and the adapter accepts them.
case $(cat /sys/class/infiniband/mlx5_0/board_id) in
EMU0000000003)
	for v in 'RoCE v1' 'RoCE v2'; do
		grep -q "GID.*fe80:.*$v" /tmp/devinfo || fail "ibv_devinfo lists no GID of type $v"
	done ;;
*)	! grep GID /tmp/devinfo || fail "ibv_devinfo lists GIDs, although the profile has no RoCE" ;;
esac
ip link set "$(netdev)" down
