#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# devx-emu pci itself: exit statuses, signals, sockets, what it says about wrong options.
# Usage: emu-pci.sh DEVX-EMU
emu=$1
failed=0

dir=$(mktemp -d) || exit 1
server=
trap '[ -z "$server" ] || kill -9 $server 2> /dev/null; rm -rf "$dir"' EXIT

fail()
{
	echo "FAILED: $*"
	failed=1
}

# expect STATUS TEXT ARGUMENTS...: ends so, and says so in its first line
expect()
{
	want=$1 text=$2
	shift 2
	timeout 10 "$emu" pci "$@" > "$dir/out" 2>&1
	got=$?
	[ $got -eq "$want" ] || { fail "exit $got, wanted $want: pci $*"; cat "$dir/out"; }
	head -n 1 "$dir/out" | grep -qF -- "$text" || { fail "pci $* does not say: $text"; cat "$dir/out"; }
}

# start ARGUMENTS...: in the background, until it says that it listens
start()
{
	: > "$dir/server"
	"$emu" pci --socket "$dir/socket" "$@" >> "$dir/server" 2>&1 &
	server=$!
	n=0
	until grep -q " on $dir/socket, wire " "$dir/server"; do
		n=$((n + 1))
		[ $n -lt 200 ] || { fail "it does not listen"; cat "$dir/server"; break; }
		sleep 0.05
	done
}

# stop SIGNAL STATUS: it ends so, and takes its socket with it
stop()
{
	kill -"$1" $server
	wait $server
	got=$?
	server=
	[ $got -eq "$2" ] || { fail "exit $got after SIG$1, wanted $2"; cat "$dir/server"; }
	[ ! -e "$dir/socket" ] || fail "SIG$1 leaves the socket"
}

expect 0 'Usage: devx-emu pci [OPTION...] --socket PATH' --help
expect 0 'devx-emu ' --version
expect 2 "--socket PATH is missing; see --help"
expect 2 '"more" is not an option; see --help' --socket "$dir/socket" more
expect 2 "--mac 2:3:4: invalid" --socket "$dir/socket" --mac 2:3:4
expect 2 "--mtu big: invalid number (valid: 68 to 9978)" --socket "$dir/socket" --mtu big
expect 2 '68 to 9978' --socket "$dir/socket" --mtu 67
expect 2 'unicast' --socket "$dir/socket" --mac 01:00:00:00:00:01
expect 2 '"cx99" (valid: cx6dx, small, roce)' --socket "$dir/socket" --profile cx99
expect 2 'rope' --socket "$dir/socket" --wire rope
expect 2 "--trace $dir/none/trace: No such file or directory" --socket "$dir/socket" --trace "$dir/none/trace"

expect 3 'socket path: 0 bytes' --socket ''
expect 3 '(valid: 1 to 107)' --socket "$dir/$(printf '%0108d' 0)"
expect 3 'No such file or directory' --socket "$dir/none/socket"
: > "$dir/file"
expect 3 'is no socket' --socket "$dir/file"
[ -f "$dir/file" ] || fail "a file that is no socket is gone"

start
expect 3 'another server listens' --socket "$dir/socket"
[ -S "$dir/socket" ] || fail "who was refused took the socket"
kill -USR1 $server
n=0
until grep -q 'objects: none' "$dir/server"; do
	n=$((n + 1))
	[ $n -lt 100 ] || { fail "SIGUSR1 does not say which objects there are"; break; }
	sleep 0.05
done
stop TERM 0
grep -q '^devx-emu: 0 protocol mistakes$' "$dir/server" || fail "nothing said of mistakes"
start --wire sink --profile small --mac 02:00:00:00:00:07 --mtu 9000 --counters
stop INT 0
grep -q 'port 0, wire sink: frames sent 0 (0 bytes), received 0 (0 bytes)$' "$dir/server" ||
	fail "--counters prints no counters"
"$emu" pci --socket "$dir/socket" --quiet > "$dir/quiet" 2>&1 &
server=$!
until [ -S "$dir/socket" ]; do sleep 0.05; done
stop TERM 0
[ ! -s "$dir/quiet" ] || { fail "--quiet is not quiet"; cat "$dir/quiet"; }
start --trace "$dir/trace"
stop TERM 0
start --trace "$dir/trace"
stop TERM 0
[ "$(grep -c '^# devx-emu trace: program devx-emu, pid [0-9]*, .*, profile cx6dx, 1 port$' "$dir/trace")" -eq 2 ] ||
	{ fail "not one header line per run"; cat "$dir/trace"; }

# One that was killed leaves its socket; the next takes it over.
start
kill -9 $server
wait $server 2> /dev/null
[ -S "$dir/socket" ] || fail "SIGKILL took the socket along"
start
stop TERM 0

[ $failed -eq 0 ] && echo "all passed"
exit $failed
