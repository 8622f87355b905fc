#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests devx-emu pci: exit statuses, wrong options, signals, the socket and the trace file.
# Usage: emu-pci.sh DEVX-EMU
emu=$1
. "$(dirname "$0")/wait.sh"
failed=0

dir=$(mktemp -d) || exit 1
server=
trap '[ -z "$server" ] || kill -9 $server 2> /dev/null; rm -rf "$dir"' EXIT

fail()
{
	echo "FAILED: $*"
	failed=1
}

# expect STATUS TEXT ARGUMENTS...: `devx-emu pci` ends with STATUS and has TEXT in its first line
expect()
{
	want=$1 text=$2
	shift 2
	timeout $WAIT_S "$emu" pci "$@" > "$dir/out" 2>&1
	got=$?
	[ $got -eq "$want" ] || { fail "exit status $got (valid: $want): pci $*"; cat "$dir/out"; }
	head -n 1 "$dir/out" | grep -qF -- "$text" || { fail "pci $*: not in the first line: $text"; cat "$dir/out"; }
}

# start ARGUMENTS...: starts the server in the background, and waits until it listens
start()
{
	: > "$dir/server"
	"$emu" pci --socket "$dir/socket" "$@" >> "$dir/server" 2>&1 &
	server=$!
	wait_until grep -q " on $dir/socket, wire " "$dir/server" || { fail "the server does not listen"; cat "$dir/server"; }
}

# stop SIGNAL STATUS: the server ends with STATUS after SIGNAL, and removes its socket
stop()
{
	kill -"$1" $server
	wait $server
	got=$?
	server=
	[ $got -eq "$2" ] || { fail "exit status $got after SIG$1 (valid: $2)"; cat "$dir/server"; }
	[ ! -e "$dir/socket" ] || fail "the socket is still there after SIG$1"
}

expect 0 'Usage: devx-emu pci [OPTION...] --socket PATH' --help
expect 0 'devx-emu ' --version
expect 2 "--socket PATH is missing; see --help"
expect 2 '"more" is not an option; see --help' --socket "$dir/socket" more
expect 2 "--mac 2:3:4: invalid" --socket "$dir/socket" --mac 2:3:4
expect 2 "--mtu big: invalid number (valid: 68 to 9978)" --socket "$dir/socket" --mtu big
expect 2 '68 to 9978' --socket "$dir/socket" --mtu 67
expect 2 'unicast' --socket "$dir/socket" --mac 01:00:00:00:00:01
expect 2 '"cx99" (valid: cx6dx, small, roce, vf, vf-trusted, multi-pf, realtime, ib, inline)' --socket "$dir/socket" --profile cx99
expect 2 'rope' --socket "$dir/socket" --wire rope
expect 2 "--trace $dir/none/trace: No such file or directory" --socket "$dir/socket" --trace "$dir/none/trace"

expect 3 'socket path: 0 bytes' --socket ''
expect 3 '(valid: 1 to 107)' --socket "$dir/$(printf '%0108d' 0)"
expect 3 'No such file or directory' --socket "$dir/none/socket"
: > "$dir/file"
expect 3 'is no socket' --socket "$dir/file"
[ -f "$dir/file" ] || fail "the server removed a file that is not a socket"

start
expect 3 'another server listens' --socket "$dir/socket"
[ -S "$dir/socket" ] || fail "the refused server removed the socket of the first one"
kill -USR1 $server
wait_until grep -q 'objects: none' "$dir/server" || fail "no list of objects after SIGUSR1"
stop TERM 0
grep -q '^devx-emu: 0 protocol mistakes$' "$dir/server" || fail "no line with the number of mistakes"
start --wire sink --profile small --mac 02:00:00:00:00:07 --mtu 9000 --counters
stop INT 0
grep -q 'port 0, wire sink: frames sent 0 (0 bytes), received 0 (0 bytes)$' "$dir/server" ||
	fail "--counters prints no counters"
"$emu" pci --socket "$dir/socket" --quiet > "$dir/quiet" 2>&1 &
server=$!
wait_until test -S "$dir/socket" || { fail "no socket"; cat "$dir/quiet"; }
stop TERM 0
[ ! -s "$dir/quiet" ] || { fail "--quiet is not quiet"; cat "$dir/quiet"; }
start --trace "$dir/trace"
stop TERM 0
start --trace "$dir/trace"
stop TERM 0
[ "$(grep -c '^# devx-emu trace: program devx-emu, pid [0-9]*, .*, profile cx6dx, 1 port$' "$dir/trace")" -eq 2 ] ||
	{ fail "not one header line per run"; cat "$dir/trace"; }

# A killed server leaves its socket. The next server takes the socket over.
start
kill -9 $server
wait $server 2> /dev/null
[ -S "$dir/socket" ] || fail "the socket is gone after SIGKILL"
start
stop TERM 0

[ $failed -eq 0 ] && echo "all passed"
exit $failed
