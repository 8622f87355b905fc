# SPDX-License-Identifier: BSD-3-Clause
#
# Drives an interactive dpdk-testpmd on emu. To be sourced, by scripts that are called
#
#     script LAUNCHER DRIVER_DIR
#
# LAUNCHER is devx-emu, DRIVER_DIR has librte_net_devx.so, or is "none". EAL refuses a plugin by
# path when any folder above it is world-writable; a bare name that the dynamic loader finds works
# from everywhere, as long as no file of that name stands in the current folder.

set -u
. "$(dirname "$0")/lib.bash"
emu=$(realpath "${1:?usage: $0 LAUNCHER DRIVER_DIR}")
driver_dir=${2:?usage: $0 LAUNCHER DRIVER_DIR}
[ "$driver_dir" = none ] || driver_dir=$(realpath "$driver_dir")

need dpdk-testpmd dpdk
need script bsdutils

make_work
pmd_pid=
log=$work/log logs=("$work/log") ends_at_failure=yes
: > "$log"
cd "$work" || exit 3

# the EAL of dpdk-testpmd, and the number of its ABI: DPDK 22.11 has 23, 23.11 has 24, 24.11 has 25, 25.11 has 26
eal_library=$(ldd "$(command -v dpdk-testpmd)" | sed -n 's/.* => \(.*librte_eal\.so\.[0-9]*\) .*/\1/p')
dpdk_abi=${eal_library##*.}
# testpmd's own process: its command line has the name of our folder
testpmd_pid() { pgrep -f "^dpdk-testpmd .*$prefix"; }
cleanup() {
	local left

	left=$(testpmd_pid)
	[ -z "$left" ] || kill -KILL $left
	[ -z "$pmd_pid" ] || wait "$pmd_pid"
}

# EAL for everyone: no hugepages, no files left behind.
prefix=$(basename "$work")
eal=("--file-prefix=$prefix" --no-huge -m 512 --iova-mode=va --no-shconf --no-telemetry -l 0-1)
devx_eal=("${eal[@]}" --no-pci -d librte_net_devx.so)
# testpmd would lock the memory of EAL, which writes all of it: most of the time that a start takes
interactive=(-i --no-mlockall)

declare -A stats
# pmd_begin COMMAND...: starts it with a pipe for its commands, and waits for the prompt. It gets a terminal, by
# script: it prints by lines then, and an answer stands before the next echo.
pmd_begin() {
	local command

	say "+ $*"
	printf -v command '%q ' "$@"
	rm -f "$work/in"
	mkfifo "$work/in"
	: > "$log"
	LD_LIBRARY_PATH=$driver_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} SHELL=/bin/bash \
		script -qefc "exec $command" /dev/null < "$work/in" > "$log" 2>&1 &
	pmd_pid=$!
	exec 9> "$work/in" 8< "$log"
	pmd_mark=0 stats=()
	pmd_ask ""
}

# pmd_ask LINE: types a line; $out is what testpmd printed until it was done. What is typed is echoed too early to show
# that; a second line, which is no command, gets its answer after the first one.
pmd_ask() {
	local new

	IFS= read -r -d '' -u 8 new # printed before
	out=
	pmd_mark=$((pmd_mark + 1))
	printf '%s\nmark%s\n' "$1" "$pmd_mark" >&9
	wait_until has_answer || fail "testpmd does not answer to '$1' within $WAIT_S s"
}
# The line of an event may stand between the characters of the echo.
has_answer() {
	IFS= read -r -d '' -u 8 new
	out+=${new//$'\r'}
	[[ $out == *"Command not found"* && $out =~ m.*a.*r.*k.*$pmd_mark.*"Command not found" ]] && return
	kill -0 "$pmd_pid" 2> /dev/null || fail "testpmd ended"
	return 1
}
pmd_do() {
	pmd_ask "$1"
	say "testpmd> $1"
}

# pmd_stats: reads the counters of all ports into stats[PORT.NAME]
pmd_stats() {
	local port= name value line

	pmd_ask "show port stats all"
	while read -r line; do
		[[ $line =~ statistics\ for\ port\ ([0-9]+) ]] && port=${BASH_REMATCH[1]}
		while [[ $line =~ ([RT]X-[a-z]+):\ +([0-9]+)(.*) ]]; do
			name=${BASH_REMATCH[1]} value=${BASH_REMATCH[2]} line=${BASH_REMATCH[3]}
			stats[$port.$name]=$value
		done
	done <<< "$out"
}

# pmd_run RX|TX PACKETS PORT...: waits until each port has received or sent so many packets more than at the last pmd_stats
pmd_run() {
	local direction=$1 packets=$2 port
	local -A goals
	shift 2

	for port; do goals[$port]=$((${stats[$port.$direction-packets]:-0} + packets)); done
	wait_until reached_goals || fail "$packets $direction packets more on each port of $*: not within $WAIT_S s"
	for port; do say "port $port: ${stats[$port.$direction-packets]} $direction packets"; done
}
reached_goals() {
	local port

	pmd_stats
	for port in "${!goals[@]}"; do
		[ "${stats[$port.$direction-packets]}" -ge "${goals[$port]}" ] || return
	done
}

# expect_equal SENT_PORT RECEIVED_PORT: after pmd_drain, every packet arrived
expect_equal() {
	local tx=${stats[$1.TX-packets]} rx=${stats[$2.RX-packets]} name

	say "port $1 sent $tx, port $2 received $rx"
	[ "$tx" -gt 0 ] || fail "nothing was sent"
	[ "$tx" = "$rx" ] || fail "$tx sent, $rx received"
	for name in RX-missed RX-errors RX-nombuf TX-errors; do
		[ "${stats[$2.$name]}" = 0 ] || fail "port $2: $name is ${stats[$2.$name]}"
	done
}

# pmd_drain PORT...: after "stop", receives what is still under way, until these ports, which send only to each other, have
# received all that they sent. If packets are lost, this ends after WAIT_S, and the script compares the counters.
pmd_drain() {
	pmd_do "set fwd rxonly"
	pmd_do "start"
	wait_until are_drained "$@"
	pmd_do "stop"
	pmd_stats
}
are_drained() {
	local port under_way=0

	pmd_stats
	for port; do under_way=$((under_way + stats[$port.TX-packets] - stats[$port.RX-packets])); done
	[ $under_way -le 0 ]
}

# pmd_expect_driver PORT NAME
pmd_expect_driver() {
	pmd_do "show port info $1"
	[[ $out == *"Driver name: $2"* ]] || fail "port $1: the driver is not $2: $out"
}

# pmd_exchange PORT...: sends packets over the loop of each port, and receives all of them
pmd_exchange() {
	local port

	pmd_stats
	pmd_do "set fwd io"
	pmd_do "start tx_first 2"
	pmd_run RX 100000 "$@"
	pmd_do "stop"
	pmd_drain "$@"
	for port; do expect_equal "$port" "$port"; done
}

# pmd_end: quit, and return the exit status
pmd_end() {
	local rc=0

	printf 'quit\n' >&9
	exec 9>&- 8<&-
	wait "$pmd_pid" || rc=$?
	pmd_pid=
	return $rc
}

# pmd_quit: expects exit status 0, which devx-emu gives only without a protocol mistake
pmd_quit() {
	local rc=0

	pmd_end || rc=$?
	grep -a 'mistake' "$log" | tail -n 3
	[ $rc -ne 125 ] || fail "protocol mistakes (see above)"
	[ $rc -eq 0 ] || fail "exit status $rc"
}
