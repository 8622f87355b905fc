# SPDX-License-Identifier: BSD-3-Clause
# A port of net_devx starts and stops 100 times, and the kernel has no object more than before.
. /run/guest/tests/lib.sh
needs_net_devx
ip link set "$(netdev)" up
devx-loopback mlx5_0 || fail "no way through" # the first user makes the kernel make its own
before=$(objects) began=$(now)
pmd_test --gtest_filter=port.a_hundred_starts_leave_nothing_behind | tee /tmp/own
grep -q '^\[  PASSED  \] 1 test' /tmp/own || fail "pmd_test"
echo "before: $before"; echo "after:  $(objects)"
[ "$(objects)" = "$before" ] || fail "something is left"
echo "FIGURE: a start and a stop of a port of net_devx: $(calc "($(now) - $began) * 10") ms"
