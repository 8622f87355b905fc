#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# devx-emu itself: exit statuses, signals, what it says about wrong options, what it leaves behind.
# Usage: emu-launcher.sh DEVX-EMU MISTAKE-PROGRAM
emu=$1 mistake=$2
failed=0

TMPDIR=$(mktemp -d) || exit 1
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT

fail()
{
	echo "FAILED: $*"
	failed=1
}

# expect STATUS COMMAND...: runs it, output in $TMPDIR/out
expect()
{
	want=$1
	shift
	"$@" >"$TMPDIR/out" 2>&1
	got=$?
	[ $got -eq "$want" ] || { fail "exit $got, wanted $want: $*"; cat "$TMPDIR/out"; }
}

# says TEXT: the last command said so
says()
{
	grep -qF -- "$1" "$TMPDIR/out" || { fail "did not say \"$1\""; cat "$TMPDIR/out"; }
}

nothing_left()
{
	for dir in "$TMPDIR"/devx-emu-*; do
		[ ! -e "$dir" ] || fail "left behind: $dir ($*)"
	done
}

echo "exit statuses"
expect 0 "$emu" -- true
says "0 protocol mistakes"
expect 5 "$emu" -- sh -c 'exit 5'
expect 137 "$emu" -- sh -c 'kill -9 $$'
expect 127 "$emu" -- /nonexistent/program
says "No such file"
expect 126 "$emu" -- /dev/null
nothing_left "after programs"

echo "wrong options: one line, status 2, nothing run"
for wrong in "--ports 0" "--ports 9" "--ports two" "--mtu 67" "--mtu 65536" "--wire bent" \
	     "--wire 9=loop" "--wire loop,drop=2" "--profile cx99" "--profile roce"; do
	# shellcheck disable=SC2086
	expect 2 "$emu" $wrong -- sh -c 'echo RAN'
	grep -q RAN "$TMPDIR/out" && fail "ran with $wrong"
done
# refused_wire WORD OPTION...: status 2, one line that has WORD and no other
refused_wire()
{
	word=$1
	shift
	expect 2 "$emu" "$@" -- sh -c 'echo RAN'
	says "$word"
	[ "$(wc -l <"$TMPDIR/out")" -eq 1 ] || { fail "more than a line: $*"; cat "$TMPDIR/out"; }
}
refused_wire "port 1" --ports 1 --wire pair
refused_wire "port 3" --ports 3 --wire pair
refused_wire "loop" --ports 2 --wire 0=pair --wire 1=loop
refused_wire "tap" --ports 2 --wire 0=pair --wire 1=tap:emu0
refused_wire "sink" --ports 4 --wire pair --wire 2=sink
refused_wire "twice" --wire loop,drop=0.1,drop=0.2
refused_wire "twice" --wire pcap:in=/nonexistent/a,in=/nonexistent/b
expect 2 env DEVX_EMU_CAPS=net_raw,cap_sys_rawio "$emu" -- sh -c 'echo RAN'
says '"cap_sys_rawio"'
says "net_raw and sys_rawio"
expect 2 env DEVX_EMU_CAPS=,net_raw "$emu" -- sh -c 'echo RAN'
for caps in "" net_raw sys_rawio,net_raw; do
	expect 0 env DEVX_EMU_CAPS=$caps "$emu" -- true
done
expect 2 "$emu"
expect 2 "$emu" true
says "write -- before PROGRAM"
expect 3 "$emu" --wire pcap:in=/nonexistent.pcap -- true
nothing_left "after wrong options"

echo "mistakes are counted whatever way the program ends"
for how in return _exit kill; do
	expect 125 "$emu" -- "$mistake" $how
	says "1 x a command set a reserved bit"
expect 3 sh -c 'ulimit -n 20 && exec "$@"' - "$emu" -- true
says "the limit is 20 (needed: at least 256)"
	says "1 protocol mistake"
done

echo "the environment of the program"
expect 0 "$emu" -- sh -c 'test -d "$SYSFS_PATH/class/infiniband/mlx5_0" && test -d "$SYSFS_PCI_DEVICES"'
expect 0 "$emu" --ports 3 -- sh -c 'test -e "$SYSFS_PATH/class/infiniband_verbs/uverbs2/dev"'
expect 0 env LD_PRELOAD=/nonexistent-first.so "$emu" -- sh -c \
	'case $LD_PRELOAD in *nonexistent-first.so:*libdevx-emu.so) ;; *) exit 1 ;; esac'
expect 0 "$emu" -- stat -c %a "$TMPDIR"
expect 0 "$emu" -- sh -c 'test "$(stat -c %a "$(dirname "$SYSFS_PATH")")" = 700'
expect 0 "$emu" --trace "$TMPDIR/trace" -- ibv_devinfo
grep -q "create_uctx" "$TMPDIR/trace" || fail "no trace"

echo "signals sent to the launcher reach the program, and its status comes back"
for sig in TERM:143 INT:130 HUP:129; do
	rm "$TMPDIR/out"
	# setsid: a background job of a script ignores SIGINT
	setsid "$emu" -- sh -c 'echo ready; exec sleep 60' >"$TMPDIR/out" 2>&1 &
	pid=$!
	while ! grep -qs ready "$TMPDIR/out"; do sleep 0.1; done
	sleep 0.2
	kill -s "${sig%:*}" $pid
	wait $pid
	got=$?
	[ $got -eq "${sig#*:}" ] || fail "after SIG$sig: exit $got"
done
nothing_left "after signals"

echo "a killed launcher takes the program along; the next one cleans up"
rm "$TMPDIR/out"
"$emu" -- sh -c 'echo $$; exec sleep 60' >"$TMPDIR/out" 2>&1 &
pid=$!
while [ ! -s "$TMPDIR/out" ]; do sleep 0.1; done
program=$(cat "$TMPDIR/out")
kill -9 $pid
wait $pid 2>/dev/null
sleep 0.5
# a zombie that nobody reaped is dead enough
grep -s '^State:' "/proc/$program/status" | grep -qv Z && fail "the program outlived its launcher"
ls -d "$TMPDIR"/devx-emu-* >/dev/null 2>&1 || fail "nothing was left: the test tests nothing"
"$emu" -- sleep 3 >"$TMPDIR/other" 2>&1 &
other=$!
sleep 0.5
expect 0 "$emu" -- sh -c 'test "$(ls -d "$TMPDIR"/devx-emu-* | wc -l)" -eq 2'
wait $other
nothing_left "at the end"

[ $failed -eq 0 ] && echo "OK"
exit $failed
