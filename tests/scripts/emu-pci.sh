#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests devx-emu pci: exit statuses, wrong options, signals, the socket and the trace file.
# Usage: emu-pci.sh DEVX-EMU
emu=$1
. "$(dirname "$0")/lib.bash"
make_work
logs=("$work/out" "$work/server" "$work/quiet" "$work/trace")

# expect_pci STATUS TEXT ARGUMENTS...: `devx-emu pci` ends with STATUS and has TEXT in its first line
expect_pci()
{
	expect "$1" "$2" timeout $WAIT_S "$emu" pci "${@:3}"
	head -n 1 "$work/out" | grep -qF -- "$2" || fail "pci ${*:3}: not in the first line: $2"
}

# start ARGUMENTS...: starts the server in the background, and waits until it listens
start()
{
	: > "$work/server"
	"$emu" pci --socket "$work/socket" "$@" >> "$work/server" 2>&1 &
	server=$!
	wait_until grep -q " on $work/socket, wire " "$work/server" || fail "the server does not listen"
}

# stop SIGNAL STATUS: the server ends with STATUS after SIGNAL, and removes its socket
stop()
{
	kill -"$1" $server
	wait $server
	got=$?
	[ $got -eq "$2" ] || fail "exit status $got after SIG$1 (valid: $2)"
	[ ! -e "$work/socket" ] || fail "the socket is still there after SIG$1"
}

expect_pci 0 'Usage: devx-emu pci [OPTION...] --socket PATH' --help
expect_pci 0 'devx-emu ' --version
expect_pci 2 "--socket PATH is missing; see --help"
expect_pci 2 '"more" is not an option; see --help' --socket "$work/socket" more
expect_pci 2 "--mac 2:3:4: invalid" --socket "$work/socket" --mac 2:3:4
expect_pci 2 "--mtu big: invalid number (valid: 68 to 9978)" --socket "$work/socket" --mtu big
expect_pci 2 '68 to 9978' --socket "$work/socket" --mtu 67
expect_pci 2 'unicast' --socket "$work/socket" --mac 01:00:00:00:00:01
expect_pci 2 '"cx99" (valid: cx6dx, small, mlx5ctl, cx5, cx7, bf3, roce, vf, vf-trusted, multi-pf, realtime, ib, inline)' --socket "$work/socket" --profile cx99
expect_pci 2 'rope' --socket "$work/socket" --wire rope
expect_pci 2 "--trace $work/none/trace: No such file or directory" --socket "$work/socket" --trace "$work/none/trace"
mkdir -m 1777 "$work/shared" && ln -s /dev/null "$work/shared/trace"
expect_pci 2 "--trace $work/shared/trace: it is a link in a folder that others can write" --socket "$work/socket" \
	--trace "$work/shared/trace"

expect_pci 3 'socket path: 0 bytes' --socket ''
expect_pci 3 '(valid: 1 to 107)' --socket "$work/$(printf '%0108d' 0)"
expect_pci 3 'No such file or directory' --socket "$work/none/socket"
: > "$work/file"
expect_pci 3 'is not a socket' --socket "$work/file"
[ -f "$work/file" ] || fail "the server removed a file that is not a socket"

start
expect_pci 3 'another server listens' --socket "$work/socket"
[ -S "$work/socket" ] || fail "the refused server removed the socket of the first one"
kill -USR1 $server
wait_until grep -q 'objects: none' "$work/server" || fail "no list of objects after SIGUSR1"
stop TERM 0
grep -q '^devx-emu: 0 protocol mistakes$' "$work/server" || fail "no line with the number of mistakes"
start --wire sink --profile small --mac 02:00:00:00:00:07 --mtu 9000 --counters
stop INT 0
grep -q 'port 0, wire sink: frames sent 0 (0 bytes), received 0 (0 bytes)$' "$work/server" ||
	fail "--counters prints no counters"
"$emu" pci --socket "$work/socket" --quiet > "$work/quiet" 2>&1 &
server=$!
wait_until test -S "$work/socket" || fail "no socket"
stop TERM 0
[ ! -s "$work/quiet" ] || fail "--quiet is not quiet"
start --trace "$work/trace"
stop TERM 0
start --trace "$work/trace"
stop TERM 0
[ "$(grep -c '^# devx-emu trace: program devx-emu, pid [0-9]*, .*, profile cx6dx, 1 port$' "$work/trace")" -eq 2 ] ||
	fail "not one header line per run"

# A killed server leaves its socket. The next server takes the socket over.
start
kill -9 $server
wait $server 2> /dev/null
[ -S "$work/socket" ] || fail "the socket is gone after SIGKILL"
start
stop TERM 0

pass
