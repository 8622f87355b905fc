# SPDX-License-Identifier: BSD-3-Clause
# devtools/on-adapter runs on a real kernel, and leaves no object behind. The device is emu, so what it
# confirms says nothing about adapters; the refusals and the objects are those of the kernel. The test
# needs a boot of its own: devtools/guest then ignores the breaches of the protocol that the checks make.
. /run/guest/tests/lib.sh
dev=$(netdev) || fail "no netdev of mlx5_core"
ip link set "$dev" up
# check_failed_cq_raises_wq_catas_error overruns a CQ; the others send commands that firmware refuses.
kernel_may_say 'CQ error'
kernel_may_say 'CQE error'
devx-loopback mlx5_0 || fail "devx-loopback ended with $?" # the kernel makes objects of its own for the first user
has_objects() { [ "$(objects)" = "$1" ]; }
before=$(objects)

on_adapter() {
	rm -f report
	status=0
	timeout 400 on-adapter --programs /run/guest/bin --out report "$@" mlx5_0 || status=$?
	cat report
	wait_until has_objects "$before" || fail "objects are left: before $before, after $(objects)"
}
refuted() { sed -n '/^## refuted/,/^## confirmed/p' report | sed -n 's/^\([a-z0-9_]*\): .*/\1/p' | tr '\n' ' '; }
confirmed() { sed -n 's/^\([0-9]*\) confirmed.*/\1/p' report; }

on_adapter --send --checks-only
[ $status -eq 1 ] || fail "status $status (valid: 1, because emu lacks the low water mark)"
[ "$(refuted)" = 'modify_rq_bit_0_is_lwm ' ] || fail "refuted: $(refuted)"
sends=$(confirmed)
on_adapter
[ $status -eq 1 ] || fail "status $status (valid: 1)"
grep -q 'tests: [1-9][0-9]* passed, 0 failed, ' report || fail "a test failed"
[ "$(confirmed)" -lt "$sends" ] || fail "$(confirmed) confirmed without frames, $sends with them"

ip addr add 192.0.2.1/24 dev "$dev"
rm -f report
status=0
on-adapter --programs /run/guest/bin --out report mlx5_0 2> says || status=$?
ip addr del 192.0.2.1/24 dev "$dev"
[ $status -eq 3 ] && grep -q 'has an IP address' says || fail "a port in use: status $status, $(cat says)"
ip link set "$dev" down
status=0
on-adapter --programs /run/guest/bin --out report mlx5_0 2> says || status=$?
ip link set "$dev" up
[ $status -eq 3 ] && grep -q 'the link is down' says || fail "a port that is down: status $status, $(cat says)"
echo "FIGURE: on-adapter: $sends assumptions confirmed on this kernel and emu"
