#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# tap_moved.sh LAUNCHER TEST: the netdev of a TAP wire is moved to another network namespace, and
# deleted; LAUNCHER says each once. In namespaces of its own.
set -u
if [ -z "${IN_NAMESPACE-}" ]; then
	unshare -Urn true 2> /dev/null || { echo "SKIP: no user and network namespaces here"; exit 77; }
	[ -c /dev/net/tun ] || { echo "SKIP: no /dev/net/tun here"; exit 77; }
	command -v ip > /dev/null || { echo "SKIP: no ip; install iproute2"; exit 77; }
	IN_NAMESPACE=yes exec unshare -Urn "$0" "$@"
fi
failed=0
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT

# expect TEXT COUNT: the launcher printed COUNT lines with TEXT
expect() {
	[ "$(grep -c "^devx-emu: .*$1" "$out")" -eq "$2" ] && return
	echo "FAILED: not $2 lines with \"$1\""
	failed=1
}

run() {
	timeout 120 "$1" --wire tap:devx-tap -- "$2" --gtest_filter="$3" > "$out" 2>&1 ||
		{ echo "FAILED: exit $?: $3"; failed=1; }
	cat "$out"
}

run "$1" "$2" 'tap_moved.frames_pass_both_ways'
expect "no longer in this network namespace" 1
expect "stays in the network namespace" 1
expect "was deleted" 0
run "$1" "$2" 'tap_moved.link_goes_down_when_the_netdev_is_deleted'
expect "no longer in this network namespace" 0
expect "was deleted" 1
exit $failed
