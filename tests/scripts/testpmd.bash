# SPDX-License-Identifier: BSD-3-Clause
#
# Drives an interactive dpdk-testpmd on emu. To be sourced, by scripts that are called
#
#     script LAUNCHER DRIVER_DIR [seconds]
#
# LAUNCHER is devx-emu, DRIVER_DIR has librte_net_devx.so, or is "none". EAL refuses a plugin by
# path when any folder above it is world-writable; a bare name that the dynamic loader finds works
# from everywhere, as long as no file of that name stands in the current folder.

set -u
emu=$(realpath "${1:?usage: $0 LAUNCHER DRIVER_DIR [seconds]}")
driver_dir=${2:?usage: $0 LAUNCHER DRIVER_DIR [seconds]}
[ "$driver_dir" = none ] || driver_dir=$(realpath "$driver_dir")
seconds=${3:-10}

command -v dpdk-testpmd > /dev/null || { echo "SKIP: no dpdk-testpmd; install dpdk"; exit 77; }
command -v script > /dev/null || { echo "SKIP: no script; install bsdutils"; exit 77; }

work=$(mktemp -d)
pmd_pid=
log=$work/log
: > "$log"
cd "$work" || exit 3

say() { printf '%s\n' "$*"; }
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
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
fail() {
	say "---- last lines of testpmd ----"
	tail -n 40 "$log"
	say "FAIL: $*"
	exit 1
}
pass() {
	say "PASS: $*"
	exit 0
}

# EAL for everyone: no hugepages, no files left behind.
prefix=$(basename "$work")
eal=("--file-prefix=$prefix" --no-huge -m 512 --iova-mode=va --no-shconf --no-telemetry -l 0-1)
devx_eal=("${eal[@]}" --no-pci -d librte_net_devx.so)

# pmd_begin COMMAND...: start it with a pipe for its commands, wait for the prompt. It gets a
# terminal, by script: it prints by lines then, and an answer stands before the next echo.
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
	exec 9> "$work/in"
	pmd_mark=0
	pmd_do ""
}

# pmd_do LINE [seconds]: type a line; $out is what was printed until it was done. What is
# typed is echoed too early to tell; that the next line is no command is told in its turn.
pmd_do() {
	local before deadline=$((SECONDS + ${2:-30}))

	before=$(stat -c %s "$log")
	pmd_mark=$((pmd_mark + 1))
	printf '%s\nmark%s\n' "$1" "$pmd_mark" >&9
	until out=$(tail -c +$((before + 1)) "$log" | tr -d '\r') &&
	      [[ $out == *"mark$pmd_mark"$'\n'"Command not found"* ]]; do
		kill -0 "$pmd_pid" 2> /dev/null || fail "testpmd ended at '$1'"
		[ $SECONDS -lt $deadline ] || fail "testpmd does not answer to '$1'"
		sleep 0.1
	done
	[ -z "$1" ] || say "testpmd> $1"
}

# pmd_stats: read the counters of all ports into stats[PORT.NAME]
declare -A stats
pmd_stats() {
	local port= name value line
	local quiet

	quiet=$(declare -f say)
	say() { :; }
	pmd_do "show port stats all"
	eval "$quiet"
	while read -r line; do
		[[ $line =~ statistics\ for\ port\ ([0-9]+) ]] && port=${BASH_REMATCH[1]}
		while [[ $line =~ ([RT]X-[a-z]+):\ +([0-9]+)(.*) ]]; do
			name=${BASH_REMATCH[1]} value=${BASH_REMATCH[2]} line=${BASH_REMATCH[3]}
			stats[$port.$name]=$value
		done
	done <<< "$out"
}

# per_us PACKETS MICROSECONDS: packets per microsecond, which is Mpps
per_us() { awk -v n="$1" -v t="$2" 'BEGIN { printf "%.2f", n / t }'; }
now_us() { local t=$EPOCHREALTIME; echo "${t/[.,]/}"; }

# CPU time that testpmd has had, emu in it included, in microseconds
cpu_us() { awk -v hz="$(getconf CLK_TCK)" '{ printf "%d", ($14 + $15) * 1e6 / hz }' "/proc/$(testpmd_pid)/stat"; }

# pmd_run SECONDS PORT...: watch packets move on every port, report, fail when they stop.
# $mpps is what all of them received together, $best the same in the best two seconds, and
# $best_cpus the CPUs that were had in these.
pmd_run() {
	local end=$((SECONDS + $1)) port now t0 t1 c0 c1 start moved rate all=0
	local -A before first
	shift

	pmd_stats
	t0=$(now_us) c0=$(cpu_us) start=$t0
	for port; do before[$port]=${stats[$port.RX-packets]} first[$port]=${before[$port]}; done
	best=0 best_cpus=0
	while [ $SECONDS -lt $end ]; do
		sleep 2
		pmd_stats
		t1=$(now_us) c1=$(cpu_us) moved=0
		for port; do
			now=${stats[$port.RX-packets]}
			[ "$now" -gt "${before[$port]}" ] || fail "port $port receives nothing for 2 s"
			say "port $port: $now packets received," \
			    "$(per_us $((now - before[$port])) $((t1 - t0))) Mpps"
			moved=$((moved + now - before[$port]))
			before[$port]=$now
		done
		rate=$(per_us $moved $((t1 - t0)))
		if awk -v a="$best" -v b="$rate" 'BEGIN { exit !(b > a) }'; then
			best=$rate best_cpus=$(per_us $((c1 - c0)) $((t1 - t0)))
		fi
		t0=$t1 c0=$c1
	done
	for port; do all=$((all + before[$port] - first[$port])); done
	mpps=$(per_us $all $((t0 - start)))
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

# pmd_drain PORT...: after "stop", receive what is still under way, until nothing comes
pmd_drain() {
	local before now=-1 port tries=0

	pmd_do "set fwd rxonly"
	pmd_do "start"
	until [ "$now" = "${before:-}" ]; do
		[ $((tries += 1)) -lt 20 ] || fail "packets do not stop coming"
		before=$now
		sleep 0.5
		pmd_stats
		now=0
		for port; do now=$((now + stats[$port.RX-packets])); done
	done
	pmd_do "stop"
}

# pmd_end: quit, and return the exit status
pmd_end() {
	local rc=0

	printf 'quit\n' >&9
	exec 9>&-
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
