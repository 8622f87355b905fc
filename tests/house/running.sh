#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# running.sh RUNNING: devtools/running names the test that has run for the longest time.
set -eu
running=$1 failed=0
. "$(dirname "$0")/../scripts/wait.sh"
work=$(mktemp -d)
: > "$work/pids"
# shellcheck disable=SC2046
trap 'kill $(cat "$work/pids") 2> /dev/null || :; rm -rf "$work"' EXIT

mkdir "$work/meson-info"
cat > "$work/meson-info/intro-tests.json" <<-EOF
	[{"name": "first", "cmd": ["sleep", "120"]}, {"name": "second", "cmd": ["sleep", "119"]}]
EOF
printf ' 3/5 net-devx / done OK 0.01s\n' > "$work/log"

# A shell plays meson, and runs two tests at once. The pause makes their start times differ.
sh -c 'sleep 120 & echo $!; sleep 0.1; sleep 119 & echo $!; wait' > "$work/pids" &
parent=$!
# both run, and no longer as the shell that forked
# shellcheck disable=SC2046
has_both() { [ "$(cat $(sed 's|.*|/proc/&/comm|' "$work/pids") < /dev/null | grep -c sleep)" -eq 2 ]; }
wait_until has_both
"$running" "$work" "$work/log" $parent > "$work/out" &
wanted='^ +[0-9]+ s  3 of 5 finished; running: first for [0-9]+ s, and 1 other$'
wait_until grep -Eq "$wanted" "$work/out" || failed=1
# devtools/running must end when the process that it watches ends.
# shellcheck disable=SC2046
kill $(cat "$work/pids")
wait
cat "$work/out"
exit $failed
