#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# must_fail.sh PROGRAM: runs must_fail and checks that one test skips and all others fail.
. "$(dirname "$0")/../scripts/lib.bash"
ends_at_failure=yes
out=$(GTEST_OUTPUT= "$1" --gtest_color=no 2>&1)
status=$?
printf '%s\n' "$out"
total=$(printf '%s\n' "$out" | grep -c '^\[ RUN ')
failed=$(printf '%s\n' "$out" | grep -c '^\[  FAILED  \] .*ms)$')
[ $status -eq 1 ] || fail "exit status is $status (valid: 1)"
[ "$failed" -eq $((total - 1)) ] || fail "$failed of $total tests failed (valid: all except one)"
printf '%s\n' "$out" | grep -q 'needs a card' || fail "the reason of a skip is not printed"
printf '%s\n' "$out" | grep -q ': bad_row$' || fail "a failure in a loop does not name its row"
! printf '%s\n' "$out" | grep -q ': good_row$' || fail "a failure names a row that passed"
printf '%s\n' "$out" | grep -q 'teardown ran' || fail "no teardown after a failed setup"
! printf '%s\n' "$out" | grep -q 'BUG' || fail "a failed check did not stop the test"
