#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# secondary-null.sh LAUNCHER DRIVER_DIR SYMMETRIC_MP MP_SERVER MP_CLIENT
#
# DPDK's multi-process examples between a port of net_devx on a loop and a port of net_null, which always has
# packets. Each process sends on a queue of its own, and the primary process receives what comes back. It needs no
# TAP and no Python: the guest has none.
. "$(dirname "$0")/secondary.bash"
symmetric=$3 server=$4 client=$5
ports=(--no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0 --vdev net_null0)

# example NAME LCORES PROGRAM ARG...: starts a process
example() {
	start_program "$1" "$3" "--lcores=$2" "${eal[@]}" "${@:4}"
}
# expect_packets NAME DIRECTION: process NAME of symmetric_mp counts packets of port 0 in DIRECTION, RX or TX
expect_packets() {
	local n

	wait_for "Port 0: RX - " "$1"
	n=$(sed -n "s/^Port 0:.* $2 - \([0-9]*\).*/\1/p" "$work/$1.log")
	[ "${n:-0}" -gt 0 ] || fail "$1 counts no packet ($2) of port 0"
	say "symmetric_mp: $1: $2 $n"
}
# second_begin NAME: starts the second process of symmetric_mp
second_begin() {
	example "$1" '1@(0-1)' "$symmetric" --proc-type=secondary -d librte_net_devx.so --no-pci -- -p 3 --num-procs=2 --proc-id=1
	wait_for "using queue 1 of each port" "$1"
	wait_until has_run $(($(count_ticks) + 20)) || fail "$1 gets no CPU time"
}
# The example prints its counters only at its end. It has used its queue when it has had 0.2 s of CPU time.
count_ticks() { cut -d ' ' -f 14 "/proc/$pid/stat"; }
has_run() { [ "$(count_ticks)" -ge "$1" ]; }

run_symmetric() {
	example first '0@(0-1)' "$symmetric" --proc-type=primary "${ports[@]}" -- -p 3 --num-procs=2 --proc-id=0
	primary=$pid
	wait_for "using queue 0 of each port" first
	second_begin killed
	kill -KILL "$pid"
	wait "$pid" 2> /dev/null
	wait_for "net_devx0 (mlx5_0): Tx queue 1: secondary process 1 ended while it used the queue" first
	second_begin second
	kill -INT "$pid"
	wait "$pid" || fail "the second process ended with status $?"
	expect_packets second TX
	kill -INT "$primary"
	wait "$primary" || fail "the first process ended with status $?"
	primary=
	expect_packets first RX
	expect_packets first TX
}

run_clients() {
	local i clients=()

	example server '(0,1)@(0-1)' "$server" --proc-type=primary "${ports[@]}" -- -p 3 -n 2
	primary=$pid
	wait_for "Finished Process Init" server
	for i in 0 1; do
		example "client$i" "$((i + 2))@(0-1)" "$client" --proc-type=secondary -d librte_net_devx.so --no-pci -- -n $i
		clients+=("$pid")
		wait_for "Client process $i handling packets" "client$i"
	done
	wait_until grep -q 'Port 0 - rx: *[1-9][0-9]*.*tx: *[1-9]' "$work/server.log" ||
		fail "the server counts no packet in both directions of port 0"
	say "client_server_mp: $(grep 'Port 0 - rx:' "$work/server.log" | tail -n 1)"
	kill -KILL "${clients[@]}"
	wait "${clients[@]}" 2> /dev/null
	kill -INT "$primary"
	wait "$primary" || fail "the server ended with status $?"
	primary=
}

run_symmetric
run_clients
pass "symmetric_mp and client_server_mp with net_null"
