#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# must_fail.sh PROGRAM: runs must_fail and checks that one test skips and all others fail.
out=$(GTEST_OUTPUT= "$1" --gtest_color=no 2>&1)
status=$?
printf '%s\n' "$out"
bad() { echo "must_fail.sh: $1" >&2; exit 1; }
total=$(printf '%s\n' "$out" | grep -c '^\[ RUN ')
failed=$(printf '%s\n' "$out" | grep -c '^\[  FAILED  \] .*ms)$')
[ $status -eq 1 ] || bad "exit status is $status (valid: 1)"
[ "$failed" -eq $((total - 1)) ] || bad "$failed of $total tests failed (valid: all except one)"
printf '%s\n' "$out" | grep -q 'needs a card' || bad "the reason of a skip is not printed"
printf '%s\n' "$out" | grep -q ': bad_row$' || bad "a failure in a loop does not name its row"
! printf '%s\n' "$out" | grep -q ': good_row$' || bad "a failure names a row that passed"
printf '%s\n' "$out" | grep -q 'teardown ran' || bad "no teardown after a failed setup"
! printf '%s\n' "$out" | grep -q 'BUG' || bad "a failed check did not stop the test"
