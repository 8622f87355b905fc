#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# steps.sh STEPS: the functions of devtools/steps.sh end a command with all that it started, and tell a full
# disk from another failure.
set -eu
steps=$1
work=$(mktemp -d)
script=''
trap 'kill $script 2> /dev/null || :; rm -rf "$work"' EXIT

# A command that starts another one, as meson starts ninja
cat > "$work/script" <<-EOF
	set -eu
	. "$steps"
	step first "$work/log" sh -c 'sleep 1000 & echo \$! > "$work/pid"; wait'
EOF
for signal in INT:130 TERM:143; do
	# This shell starts a command in the background with SIGINT ignored, which no trap can change.
	env --default-signal=INT sh "$work/script" &
	script=$!
	until [ -s "$work/pid" ]; do sleep 0.1; done
	kill -"${signal%:*}" $script
	status=0
	wait $script || status=$?
	script=''
	[ $status -eq "${signal#*:}" ]
	echo "waits until the command of the command has ended"
	while grep -q sleep "/proc/$(cat "$work/pid")/cmdline" 2> /dev/null; do sleep 0.1; done
	rm "$work/pid"
done

status=0
(. "$steps"; step failing "$work/log" sh -c 'echo why; exit 2') > "$work/out" || status=$?
cat "$work/out"
[ $status -eq 2 ]
grep -qx "== failing failed with status 2; the end of $work/log:" "$work/out"
grep -qx '   | why' "$work/out"

unshare --map-root-user --mount true || { echo "SKIP: cannot mount: unshare failed (see above)"; exit 77; }
status=0
unshare --map-root-user --mount sh -c '
	mount -t tmpfs -o size=16k none "$2"
	. "$1"
	step filling "$2/log" seq 100000' sh "$steps" "$work" > "$work/out" || status=$?
cat "$work/out"
[ $status -eq 3 ]
[ "$(tail -n 1 "$work/out")" = '== filling failed: the disk is full; make room, and run this again' ]
[ "$(grep -c '|' "$work/out")" -eq 0 ]
