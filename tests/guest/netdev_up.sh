# SPDX-License-Identifier: BSD-3-Clause
# The netdev comes up, and goes down, twice; the kernel's queues exist.
. /run/guest/tests/lib.sh
dev=$(netdev) || fail "no netdev"
for i in 1 2; do
	ip link set "$dev" up || fail "up $i: $(dmesg | tail -n 3)"
	wait_for 10 grep -q 1 /sys/class/net/"$dev"/carrier || fail "no carrier"
	ip link set "$dev" down || fail "down $i"
done
