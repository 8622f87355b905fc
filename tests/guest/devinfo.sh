# SPDX-License-Identifier: BSD-3-Clause
# rdma-core's own tool finds a sane device.
. /run/guest/tests/lib.sh
ip link set "$(netdev)" up
wait_for 5 sh -c "ibv_devinfo | grep -q PORT_ACTIVE" || fail "the port is not active: $(ibv_devinfo)"
ibv_devinfo -v || fail "ibv_devinfo"
ip link set "$(netdev)" down
