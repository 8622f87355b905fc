#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# secondary-examples.sh LAUNCHER DRIVER_DIR SYMMETRIC_MP MP_SERVER MP_CLIENT
#
# DPDK's multi-process examples forward between two ports, whose wires are TAPs; net_mlx5 is the control. In
# symmetric_mp each process has a queue of both ports. In client_server_mp the primary process receives, and
# each client sends on a queue of its own. A process that was killed is started again, and then no frame is
# lost.
TAPS="emu0 emu1" EMU_OPTIONS="--ports 2 --wire 0=tap:emu0 --wire 1=tap:emu1"
here=$(realpath "$(dirname "$0")")
. "$here/secondary.bash"
symmetric=$3 server=$4 client=$5
for tap in $TAPS; do # net_mlx5 takes promiscuous mode from the netdev
	ip link set "$tap" promisc on || fail "cannot change the netdev $tap"
done
mlx5=(-a 0000:c1:00.0 -a 0000:c1:00.1)
devx=(--no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0 --vdev net_devx1,ibdev=mlx5_1)

# example NAME LCORE PROGRAM EAL-ARG...: starts a process; its log is that of this driver
example() {
	local name=$driver-$1 lcore=$2

	shift 2
	start_program "$name" "$1" "--lcores=$lcore@(0-1)" "${eal[@]}" "${@:2}"
}
# forward: sends frames into emu0 and expects all of them at emu1
forward() {
	local out

	out=$(python3 "$here/tap_frames.py" emu0 emu1 10 50) || fail "$driver: $1: $out"
	say "$driver: $1: $out"
}
# expect_rx PROCESS: a process of symmetric_mp prints that it received frames of port 0; $rx adds them up
expect_rx() {
	local n

	wait_for "Port 0: RX - " "$driver-$1"
	n=$(sed -n 's/^Port 0: RX - \([0-9]*\).*/\1/p' "$work/$driver-$1.log")
	[ "${n:-0}" -gt 0 ] || fail "$driver: process $1 received no frame"
	rx=$((rx + n))
}

run_symmetric() {
	local first

	driver=$1 rx=0
	shift
	example first 0 "$symmetric" --proc-type=primary "$@" -- -p 3 --num-procs=2 --proc-id=0
	first=$pid
	wait_for "using queue 0 of each port" "$driver-first"
	example second 1 "$symmetric" --proc-type=secondary "$@" -- -p 3 --num-procs=2 --proc-id=1
	wait_for "using queue 1 of each port" "$driver-second"
	forward "symmetric_mp"
	kill -INT "$pid"
	wait "$pid" || fail "$driver: the second process ended with status $?"
	expect_rx second
	if [ "$driver" = net_devx ]; then # net_mlx5 does not promise that its queues survive a kill
		example third 1 "$symmetric" --proc-type=secondary "$@" -- -p 3 --num-procs=2 --proc-id=1
		wait_for "using queue 1 of each port" "$driver-third"
		forward "symmetric_mp, third process"
		kill -KILL "$pid"
		wait "$pid" 2> /dev/null
		wait_for "net_devx1 (mlx5_1): Tx queue 1: secondary process 2 ended while it used the queue" "$driver-first"
		example fourth 1 "$symmetric" --proc-type=secondary "$@" -- -p 3 --num-procs=2 --proc-id=1
		wait_for "using queue 1 of each port" "$driver-fourth"
		forward "symmetric_mp, after a kill"
		kill -INT "$pid"
		wait "$pid" || fail "$driver: the fourth process ended with status $?"
	fi
	kill -INT "$first"
	wait "$first" || fail "$driver: the first process ended with status $?"
	expect_rx first
}

run_clients() {
	local main clients=()

	driver=$1-server
	shift
	example main 0 "$server" --proc-type=primary "$@" -- -p 3 -n 2
	main=$pid
	wait_for "Finished Process Init" "$driver-main"
	for i in 0 1; do
		example "client$i" $((i + 1)) "$client" --proc-type=secondary "$@" -- -n $i
		clients+=("$pid")
		wait_for "Client process $i handling packets" "$driver-client$i"
	done
	forward "client_server_mp"
	kill -KILL "${clients[@]}"
	wait "${clients[@]}" 2> /dev/null
	kill -INT "$main"
	wait "$main" || fail "$driver: the server ended with status $?"
}

run_symmetric net_mlx5 "${mlx5[@]}"
run_symmetric net_devx "${devx[@]}"
run_clients net_mlx5 "${mlx5[@]}"
run_clients net_devx "${devx[@]}"
pass "symmetric_mp and client_server_mp"
