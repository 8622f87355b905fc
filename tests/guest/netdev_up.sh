# SPDX-License-Identifier: BSD-3-Clause
# The netdev goes up and down twice; mlx5_core makes its queues and the carrier is on.
. /run/guest/tests/lib.sh
dev=$(netdev) || fail "no netdev of mlx5_core"
for i in 1 2; do
	ip link set "$dev" up || fail "round $i: ip link set up ended with $?: $(dmesg | tail -n 3)"
	wait_until grep -q 1 /sys/class/net/"$dev"/carrier || fail "round $i: no carrier within $WAIT_S s"
	ip link set "$dev" down || fail "round $i: ip link set down ended with $?"
done
