#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests devx-emu: exit statuses, wrong options, --quiet, --counters, --trace, signals, and the
# removal of its private directories.
# Usage: emu-launcher.sh DEVX-EMU MISTAKE-PROGRAM DEVX-LOOPBACK
emu=$(realpath "$1") mistake=$(realpath "$2") loopback=$(realpath "$3")
. "$(dirname "$0")/lib.bash"
make_work
export TMPDIR=$work

nothing_left()
{
	for dir in "$TMPDIR"/devx-emu-*; do
		[ ! -e "$dir" ] || fail "$dir is still there ($*)"
	done
}

echo "exit statuses"
expect 0 "0 protocol mistakes" "$emu" -- true
expect 5 "0 protocol mistakes; sh exited with status 5" "$emu" -- sh -c 'exit 5'
expect 137 "0 protocol mistakes; sh was ended by signal 9" "$emu" -- sh -c 'kill -9 $$'
expect 127 "No such file" "$emu" -- /nonexistent/program
expect 126 "" "$emu" -- /dev/null
nothing_left "after programs"

echo "a wrong option gives one line and status 2, and the program does not start"
for wrong in "--ports 0" "--ports 9" "--ports two" "--mtu 67" "--mtu 65536" "--wire bent" \
	     "--wire 9=loop" "--wire loop,drop=2" "--profile cx99" "--profile roce" "--profile cx6dx,x=1" \
	     "--ports 2 --wire 5=loop" "--wire 2=loop --ports 2" "--wire loop --wire sink" \
	     "--wire sink --wire sink" "--ports 2 --wire 1=loop --wire 1=sink" \
	     "--clock soon" "--clock held" "--clock STEPPED" "--clock=" \
	     "--trace $TMPDIR/none/trace" "--trace $TMPDIR" "--trace $TMPDIR/trace/"; do
	# shellcheck disable=SC2086
	expect 2 "" "$emu" $wrong -- sh -c 'echo RAN'
	[ "$(wc -l < "$TMPDIR/out")" -eq 1 ] || fail "not exactly one line: $wrong"
	grep -q RAN "$TMPDIR/out" && fail "the program started: $wrong"
done
# refused_wire WORD OPTION...: status 2, one line that has WORD and no other
refused_wire()
{
	expect 2 "$1" "$emu" "${@:2}" -- sh -c 'echo RAN'
	[ "$(wc -l < "$TMPDIR/out")" -eq 1 ] || fail "more than a line: $*"
}
refused_wire "port 1" --ports 1 --wire pair
refused_wire "port 3" --ports 3 --wire pair
refused_wire "loop" --ports 2 --wire 0=pair --wire 1=loop
refused_wire "tap" --ports 2 --wire 0=pair --wire 1=tap:emu0
refused_wire "sink" --ports 4 --wire pair --wire 2=sink
refused_wire "twice" --wire loop,drop=0.1,drop=0.2
refused_wire "twice" --wire pcap:in=/nonexistent/a,in=/nonexistent/b
expect 2 '"cap_sys_rawio"' env DEVX_EMU_CAPS=net_raw,cap_sys_rawio "$emu" -- sh -c 'echo RAN'
says "net_raw, sys_rawio and ipc_lock"
expect 2 "" env DEVX_EMU_CAPS=,net_raw "$emu" -- sh -c 'echo RAN'
for caps in "" net_raw sys_rawio,net_raw ipc_lock; do
	expect 0 "" env DEVX_EMU_CAPS=$caps "$emu" -- true
done
expect 2 "" "$emu"
expect 2 "write -- before PROGRAM" "$emu" true
expect 3 "" "$emu" --wire pcap:in=/nonexistent.pcap -- true
expect 3 "the limit is 20 (needed: at least 256)" sh -c 'ulimit -n 20 && exec "$@"' - "$emu" -- true
nothing_left "after wrong options"

echo "the wire of one port overrides the wire of all ports, in any order"
expect 0 "port 0, wire loop:" "$emu" --counters --ports 2 --wire 1=sink --wire loop -- true
says "port 1, wire sink:"

echo "mistakes are counted however the program ends; 125 does not hide its status"
for how in return:125 _exit:7 kill:137; do
	expect "${how#*:}" "1 x a command set a reserved bit" "$emu" -- "$mistake" "${how%:*}"
	says "devx-emu: 1 protocol mistake"
done
says "mistake was ended by signal 9"

echo "--quiet prints only errors and mistakes"
expect 0 "" "$emu" --quiet -- true
[ ! -s "$TMPDIR/out" ] || fail "not quiet"
expect 5 "" "$emu" --quiet -- sh -c 'exit 5'
[ ! -s "$TMPDIR/out" ] || fail "not quiet"
expect 125 "devx-emu: 1 protocol mistake" "$emu" --quiet -- "$mistake" return
expect 127 "No such file" "$emu" --quiet -- /nonexistent/program

echo "--counters prints frames and faults, also after kill -9 of the program"
expect 0 "port 0, wire loop: frames sent 1000 (64000 bytes), received 1000 (64000 bytes)" "$emu" --counters -- "$loopback" mlx5_0
expect 0 "frames sent 1000 (64000 bytes), received 2000 (128000 bytes)" "$emu" --counters --wire loop,dup=1 -- "$loopback" mlx5_0
says "faults of the wire: 1000 duplicated"
# the file gets the frame that devx-loopback waits for; a shell takes its place in the launcher
expect 137 "frames sent 1 (64 bytes), received 0 (0 bytes)" "$emu" --counters --wire "pcap:out=$TMPDIR/sent" -- sh -c '
	"$0" mlx5_0 & until [ "$(stat -c %s "$1" 2> /dev/null || echo 0)" -ge $((24 + 16 + 64)) ]; do sleep 0.02; done
	kill -9 $! $$' "$loopback" "$TMPDIR/sent"

echo "a stepped clock jumps over the times for which the device waits: 1000 times 10 s"
expect 2 "devx-emu: --clock soon: unknown clock (valid: real, stepped)" "$emu" --clock soon -- true
expect 0 "1000 of 1000 frames came back" "$emu" --counters --clock stepped --wire loop,delay=10s -- "$loopback" mlx5_0
says "faults of the wire: 1000 delayed"
expect 0 "" "$emu" --clock real -- "$loopback" mlx5_0

mkdir "$TMPDIR/shared" && chmod 1777 "$TMPDIR/shared" && ln -s ../target "$TMPDIR/shared/link"
: > "$TMPDIR/target"
expect 2 "--trace $TMPDIR/shared/link: it is a link in a folder that others can write (valid: the file itself); name a file that you may write" \
	"$emu" --trace "$TMPDIR/shared/link" -- true
expect 127 'a\x1b[31m: No such file' "$emu" -- $'a\e[31m'
echo "the program finds the files of sysfs, and the trace has its commands"
expect 0 "" "$emu" -- sh -c 'test -d "$SYSFS_PATH/class/infiniband/mlx5_0" && test -d "$SYSFS_PCI_DEVICES"'
expect 0 "" "$emu" --ports 3 -- sh -c 'test -e "$SYSFS_PATH/class/infiniband_verbs/uverbs2/dev"'
expect 0 "" env LD_PRELOAD=/nonexistent-first.so "$emu" -- sh -c \
	'case $LD_PRELOAD in *nonexistent-first.so:*libdevx-emu.so) ;; *) exit 1 ;; esac'
expect 0 "" "$emu" -- stat -c %a "$TMPDIR"
expect 0 "" "$emu" -- sh -c 'test "$(stat -c %a "$(dirname "$SYSFS_PATH")")" = 700'
expect 0 "" "$emu" --trace "$TMPDIR/trace" -- ibv_devinfo
expect 0 "" "$emu" --trace "$TMPDIR/trace" --profile small -- ibv_devices
expect 0 "" "$emu" --trace "$TMPDIR/trace" --profile small -- ibv_devinfo
one='[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6} pid [0-9]+ port 0 [a-z_]+ uid=0x[0-9a-f]+ .*-> [A-Z_]+'
grep -v '^#' "$TMPDIR/trace" | grep -Evq "^$one" && fail "a line of the trace has another form"
grep -Eq "pid [0-9]+ port 0 create_uctx uid=0x0 .*-> OK" "$TMPDIR/trace" || fail "the trace has no create_uctx"
grep '^#' "$TMPDIR/trace" > "$TMPDIR/headers"
[ "$(wc -l < "$TMPDIR/headers")" -eq 2 ] || fail "not one header line per run"
grep -Eq "program ibv_devinfo, pid [0-9]+, $(date +%Y)-.*, profile small, 1 port\$" "$TMPDIR/headers" ||
	fail "a header line lacks program, process, date or profile"
for pid in $(sed 's/.*pid \([0-9]*\),.*/\1/' "$TMPDIR/headers"); do
	grep -q " pid $pid port 0 create_uctx" "$TMPDIR/trace" || fail "no command of process $pid"
done
expect 0 "create_uctx" env --chdir="$TMPDIR" "$emu" --trace - -- ibv_devinfo
[ ! -e "$TMPDIR/-" ] || fail "--trace - makes a file"
mkfifo "$TMPDIR/fifo"
cat "$TMPDIR/fifo" > "$TMPDIR/copy" &
expect 0 "" "$emu" --trace "$TMPDIR/fifo" -- ibv_devinfo
wait $!
grep -q "create_uctx" "$TMPDIR/copy" || fail "no trace in a FIFO"

echo "signals sent to the launcher reach the program, and its status comes back"
for sig in TERM:143 INT:130 HUP:129; do
	rm "$TMPDIR/out"
	# a shell makes a background job ignore SIGINT, and the program of devx-emu inherits that
	env --default-signal "$emu" -- sh -c 'echo ready; exec sleep infinity' >"$TMPDIR/out" 2>&1 &
	pid=$!
	wait_until grep -qs ready "$TMPDIR/out" || fail "the program does not run"
	kill -s "${sig%:*}" $pid
	wait $pid
	got=$?
	[ $got -eq "${sig#*:}" ] || fail "exit status $got after SIG$sig"
done
nothing_left "after signals"

echo "the program ends when its launcher is killed; the next launcher removes the directory"
rm "$TMPDIR/out"
"$emu" -- sh -c 'echo $$; exec sleep infinity' >"$TMPDIR/out" 2>&1 &
pid=$!
wait_until test -s "$TMPDIR/out" || fail "the program does not run"
program=$(cat "$TMPDIR/out")
kill -9 $pid
wait $pid 2>/dev/null
# a zombie has ended too
has_ended() { ! grep -s '^State:' "/proc/$program/status" | grep -qv Z; }
wait_until has_ended || fail "the program outlived its launcher"
ls -d "$TMPDIR"/devx-emu-* >/dev/null 2>&1 || fail "the killed launcher left no directory, so this test shows nothing"
mkfifo "$TMPDIR/end"
"$emu" -- sh -c 'echo ready; cat < "$0"' "$TMPDIR/end" >"$TMPDIR/other" 2>&1 &
other=$!
wait_until grep -qs ready "$TMPDIR/other" || fail "the program does not run"
expect 0 "" "$emu" -- sh -c 'test "$(ls -d "$TMPDIR"/devx-emu-* | wc -l)" -eq 2'
echo > "$TMPDIR/end"
wait $other

echo "launchers that start at the same time leave each other's directories alone"
start_often() { for _ in $(seq 30); do "$emu" --quiet -- true; done; }
for _ in 1 2 3 4; do start_often & done > "$TMPDIR/out" 2>&1
wait
[ ! -s "$TMPDIR/out" ] || fail "a launcher failed"
nothing_left "at the end"

echo "--help and --version have the form that help2man reads"
expect 0 "Usage: devx-emu [OPTION...] -- PROGRAM" "$emu" --help
says "devx-emu pci --help"
expect 0 "" "$emu" --version
grep -Eqx "devx-emu [0-9.]+" "$TMPDIR/out" || fail "--version says: $(cat "$TMPDIR/out")"

pass
