#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# running.sh RUNNING: devtools/running names the test that has run for the longest time.
set -eu
running=$1
work=$(mktemp -d)
: > "$work/pids"
# shellcheck disable=SC2046
trap 'kill $(cat "$work/pids") 2> /dev/null || :; rm -rf "$work"' EXIT

mkdir "$work/meson-info"
cat > "$work/meson-info/intro-tests.json" <<-EOF
	[{"name": "first", "cmd": ["sleep", "120"]}, {"name": "second", "cmd": ["sleep", "119"]}]
EOF
printf ' 3/5 net-devx / done OK 0.01s\n' > "$work/log"

# A shell plays meson, and runs two tests at once.
sh -c 'sleep 120 & echo $!; sleep 0.1; sleep 119 & echo $!; wait' > "$work/pids" &
parent=$!
# Both tests must run before devtools/running looks: a busy machine starts them late.
# shellcheck disable=SC2046
until [ "$(cat $(sed 's|.*|/proc/&/comm|' "$work/pids") < /dev/null | grep -c sleep)" -eq 2 ]; do sleep 0.1; done
"$running" "$work" "$work/log" $parent > "$work/out" &
for _ in $(seq 300); do
	[ ! -s "$work/out" ] || break
	sleep 0.1
done
# devtools/running must end when the process that it watches ends.
# shellcheck disable=SC2046
kill $(cat "$work/pids")
wait

cat "$work/out"
head -n 1 "$work/out" | grep -Eq '^ +[0-9]+ s  3 of 5 finished; running: first for [0-9]+ s, and 1 other$'
