# SPDX-License-Identifier: BSD-3-Clause
# A port of net_devx starts and stops 100 times, and leaves no object in the kernel.
. /run/guest/tests/lib.sh
needs_net_devx
ip link set "$(netdev)" up
devx-loopback mlx5_0 || fail "devx-loopback ended with $?" # the kernel makes objects of its own for the first user
before=$(objects) began=$(now)
pmd_test --gtest_filter=port.a_hundred_starts_leave_nothing_behind | tee /tmp/own
grep -q '^\[  PASSED  \] 1 test' /tmp/own || fail "pmd_test did not pass"
echo "before: $before"; echo "after:  $(objects)"
[ "$(objects)" = "$before" ] || fail "objects are left in the kernel"
echo "FIGURE: starting and stopping a port of net_devx takes $(calc "($(now) - $began) * 10") ms"
