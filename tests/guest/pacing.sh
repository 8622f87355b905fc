# SPDX-License-Identifier: BSD-3-Clause
# The kernel limits the rate of a send queue (tx_maxrate, SET_PP_RATE_LIMIT), and moderates the events of
# its CQs (ethtool -C, MODIFY_CQ). The netdev sends frames to itself over the loop.
. /run/guest/tests/lib.sh
dev=$(netdev) || fail "no netdev of mlx5_core"
rate=/sys/class/net/$dev/queues/tx-0/tx_maxrate
ethtool -L "$dev" combined 1 || fail "ethtool -L ended with $?"
ip link set "$dev" up
wait_until grep -q 1 /sys/class/net/"$dev"/carrier || fail "no carrier within $WAIT_S s"

# Prints frames and completion interrupts per second, both over $1 seconds.
flood() { guest_flood "$dev" "$1" || fail "guest_flood ended with $?"; }
modified() { cat /sys/kernel/debug/mlx5/"$(pci)"/commands/MODIFY_CQ/n; }

# Linux sets 2 Mbit/s as 2 * 1024 kbit/s: 181 frames of 1414 bytes a second.
echo 2 > "$rate" || fail "tx_maxrate ended with $?: $(dmesg | tail -n 3)"
[ "$(cat "$rate")" = 2 ] || fail "tx_maxrate is $(cat "$rate") (valid: 2)"
# A busy machine sends fewer frames, never more: then another second counts.
keeps_rate() {
	paced=$(flood 2 | cut -d ' ' -f 1)
	[ "$paced" -le 190 ] || fail "$paced frames/s at 2 Mbit/s (valid: 172 to 190)"
	[ "$paced" -ge 172 ]
}
wait_until keeps_rate || fail "$paced frames/s at 2 Mbit/s (valid: 172 to 190)"
echo 0 > "$rate" || fail "tx_maxrate 0 ended with $?"
is_free() {
	free=$(flood 1 | cut -d ' ' -f 1)
	[ "$free" -gt $((paced * 2)) ]
}
wait_until is_free || fail "$free frames/s without a limit (valid: more than $((paced * 2)))"
echo "FIGURE: the kernel's queue sends $paced frames/s at 2 Mbit/s, $free without a limit"

before=$(modified)
coalesce() { ethtool -C "$dev" adaptive-rx off adaptive-tx off "$@" || fail "ethtool -C $* ended with $?"; }
echo 8 > "$rate"
# On a busy machine an event may stand for several frames without moderation too: then another second counts.
is_moderated() {
	coalesce rx-usecs 0 rx-frames 0 tx-usecs 0 tx-frames 0
	each=$(flood 1 | cut -d ' ' -f 2)
	coalesce rx-usecs 4000 rx-frames 200 tx-usecs 4000 tx-frames 200
	few=$(flood 1 | cut -d ' ' -f 2)
	[ $((few * 3)) -lt $((each * 2)) ]
}
wait_until is_moderated || fail "moderation: $few interrupts/s (valid: fewer than two thirds of $each)"
echo 0 > "$rate"
echo "FIGURE: 724 frames/s raise $each interrupts/s, $few with a moderation of 4 ms"
[ "$(modified)" -gt "$before" ] || fail "the kernel sent no MODIFY_CQ"
