#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tap_moved.sh LAUNCHER TEST: the netdev of a TAP wire is moved to another network namespace, and
# deleted; LAUNCHER says each once. In namespaces of its own.
set -u
. "$(dirname "$0")/../../scripts/lib.bash"
need ip iproute2
enter_namespaces -Urn "$@"
make_work
launcher=$1 test=$2

# expect_lines TEXT COUNT: the launcher printed COUNT lines with TEXT
expect_lines() { [ "$(grep -c "^devx-emu: .*$1" "$work/out")" -eq "$2" ] || fail "not $2 lines with '$1'"; }

run() {
	expect 0 "" timeout $WAIT_S "$launcher" --wire tap:devx-tap -- "$test" --gtest_filter="$1"
	cat "$work/out"
}

run 'tap_moved.frames_pass_both_ways'
expect_lines "no longer in this network namespace" 1
expect_lines "stays in the network namespace" 1
expect_lines "was deleted" 0
run 'tap_moved.link_goes_down_when_the_netdev_is_deleted'
expect_lines "no longer in this network namespace" 0
expect_lines "was deleted" 1
pass
