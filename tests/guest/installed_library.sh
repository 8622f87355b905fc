# SPDX-License-Identifier: BSD-3-Clause
# The examples, built with the installed libdevxio, run on a real kernel: devx-monitor sees the link go down
# and up, and counts the frames that devx-loopback sends at the same time. Each comes twice: from the wire, and by local
# loopback, which mlx5_ib enables for the second context.
. /run/guest/tests/lib.sh
dev=$(netdev) || fail "no netdev of mlx5_core"
ip link set "$dev" up
ldd /run/guest/bin/installed-devx-monitor | grep libdevxio || fail "installed-devx-monitor does not load libdevxio"
installed-devx-loopback mlx5_0 || fail "devx-loopback ended with $?" # the kernel makes objects of its own for the first user
before=$(objects)

installed-devx-monitor mlx5_0 100 > /tmp/monitor 2>&1 &
monitor=$!
wait_until grep -q '^reading 1:' /tmp/monitor || fail "no reading within $WAIT_S s: $(cat /tmp/monitor)"
ip link set "$dev" down
wait_until grep -q '^link down' /tmp/monitor || fail "no event of the link within $WAIT_S s: $(cat /tmp/monitor)"
ups=$(grep -c '^link up' /tmp/monitor)
ip link set "$dev" up
more_ups() { [ "$(grep -c '^link up' /tmp/monitor)" -gt "$ups" ]; }
wait_until more_ups || fail "no event of the link within $WAIT_S s: $(cat /tmp/monitor)"
installed-devx-loopback mlx5_0 || fail "devx-loopback ended with $?"
wait_until grep -q ': 2000 frames' /tmp/monitor || fail "devx-monitor counted other frames: $(cat /tmp/monitor)"
kill -INT $monitor
wait $monitor || fail "devx-monitor ended with $?: $(cat /tmp/monitor)"
cat /tmp/monitor
static-devx-loopback mlx5_0 || fail "devx-loopback, linked with libdevxio.a, ended with $?"
[ "$(objects)" = "$before" ] || fail "objects are left: before $before, after $(objects)"
ip link set "$dev" down
