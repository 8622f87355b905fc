#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# secondary-hotplug.sh LAUNCHER DRIVER_DIR
#
# A primary testpmd adds a port and removes it, while it sends on another port and a secondary testpmd is
# attached; then the secondary process does so. The port comes and goes in both processes, and the traffic goes
# on: as a vdev, and on the PCI bus. With SUB_FUNCTION=yes the ports are sub-functions.
EMU_OPTIONS="${SUB_FUNCTION:+--sf} --ports 2 --wire 0=loop --wire 1=loop"
. "$(dirname "$0")/secondary.bash"

ports=(--num-procs=2 --rxq=2 --txq=2 --rss-udp --txonly-multi-flow --total-num-mbufs=16384)

# second_do LINE: types a command into the secondary testpmd; $out is what it printed until it was done
second_do() {
	local at

	at=$(stat -c %s "$work/second.log")
	second_mark=$((second_mark + 1))
	printf '%s\nmark%s\n' "$1" "$second_mark" >&4
	wait_until has_answer second "$at" "$second_mark" || fail "the secondary process does not answer to '$1' within $WAIT_S s"
}

second_begin() {
	mkfifo "$work/second.in"
	: > "$work/second.log"
	stdbuf -oL dpdk-testpmd '--lcores=(2,3)@(0-1)' "${eal[@]}" --proc-type=secondary --log-level=pmd.net.devx:info \
		"${attach[@]}" -- -i "${ports[@]}" --proc-id=1 \
		< "$work/second.in" > "$work/second.log" 2>&1 3>&- &
	second=$!
	children+=("$second")
	exec 4> "$work/second.in"
	second_mark=0
	second_do ""
}

# expect_ports WHO N: a process has ports 0 to N - 1
expect_ports() {
	local n

	"$1_do" "show port summary all"
	n=$(sed -n 's/^Number of available ports: *\([0-9]*\).*/\1/p' <<< "$out" | head -n 1)
	[ "${n:-0}" -eq "$2" ] || fail "the $1 process has ${n:-no number of} ports (valid: $2): $out"
}

# wait_for_traffic: the primary process still sends on port 0
wait_for_traffic() {
	local last

	read_stat TX-packets
	last=$stat
	wait_until sends_more || fail "port 0 stays at $last sent packets"
}
sends_more() {
	read_stat TX-packets
	[ "$stat" -gt "$last" ]
}

# use_port: the primary process sends on the second port too, and the secondary process sees it
use_port() {
	local sent

	primary_do "stop"
	primary_do "port start 1"
	primary_do "start"
	wait_for_traffic
	primary_do "stop"
	second_do "show port stats 1"
	sent=$(sed -n 's/.*TX-packets: *\([0-9]*\).*/\1/p' <<< "$out")
	[ "${sent:-0}" -gt 0 ] || fail "the secondary process sees no sent packet on port 1: $out"
	primary_do "port stop 1"
}

# add_and_remove WHO IDENTIFIER NAME: process WHO adds the second port, and removes it
add_and_remove() {
	round=$((round + 1))
	say "== $1: $2"
	"$1_do" "port attach $2"
	grep -q "Port 1 is attached" <<< "$out" || fail "the $1 process does not attach the port: $out"
	wait_for "$3 (mlx5_1): attached as secondary process" second "$round"
	expect_ports primary 2
	expect_ports second 2
	wait_for_traffic
	[ "$1" != primary ] || use_port
	"$1_do" "port detach 1"
	grep -q "is detached" <<< "$out" || fail "the $1 process does not detach the port: $out"
	[ "$1" != primary ] || primary_do "start"
	expect_ports primary 1
	expect_ports second 1
	wait_for_traffic
}

# run_pair IDENTIFIER NAME: of the second port. $port and $attach name the first one
run_pair() {
	round=0
	primary_begin "${ports[@]}" --proc-id=0 --forward-mode=txonly
	primary_do "start"
	second_begin
	add_and_remove primary "$@"
	add_and_remove second "$@"
	add_and_remove primary "$@"
	printf 'quit\n' >&4
	exec 4>&-
	wait "$second" || fail "the secondary process ended with status $?"
	wait_for_traffic
	primary_do "stop"
	primary_end
	rm "$work/in" "$work/second.in"
}

attach=(--no-pci -d librte_net_devx.so)
if [ -n "${SUB_FUNCTION-}" ]; then
	port=("${attach[@]}" -a auxiliary:mlx5_core.sf.4,driver=net_devx)
	attach+=(-a auxiliary:mlx5_core.sf.4)
	run_pair auxiliary:mlx5_core.sf.5,driver=net_devx mlx5_core.sf.5
	pass "a sub-function comes and goes in both processes"
fi
run_pair net_devx1,ibdev=mlx5_1 net_devx1
attach=(-d librte_net_devx.so -a 0000:c1:00.0)
port=("${attach[@]}",driver=net_devx)
run_pair 0000:c1:00.1,driver=net_devx 0000:c1:00.1
pass "a port comes and goes in both processes"
