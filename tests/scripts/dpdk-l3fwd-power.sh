#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# dpdk-l3fwd-power.sh LAUNCHER DRIVER_DIR PROGRAM
#
# DPDK's l3fwd-power sleeps in Rx interrupts of net_devx: no interrupt wakes it while no frame comes, frames wake it,
# and it forwards all of them. In both modes that use interrupts. The mode that monitors an address ends with DPDK's
# message on a CPU without WAITPKG.
. "$(dirname "$0")/dpdk_example.bash"

# The legacy mode starts only if the machine can change the frequency of its CPUs. These files stand
# for Linux' acpi-cpufreq; they are seen in this mount namespace only.
fake_cpufreq() {
	local cpu=/sys/devices/system/cpu

	mkdir cpu && cp -r --no-preserve=all $cpu/. cpu/ 2> /dev/null
	mount -t tmpfs tmpfs $cpu && cp -r cpu/. $cpu/ || fail "cannot mount over $cpu"
	for dir in $cpu/cpu[0-9]*; do
		mkdir -p "$dir/cpufreq"
		echo acpi-cpufreq > "$dir/cpufreq/scaling_driver"
		echo ondemand > "$dir/cpufreq/scaling_governor"
		echo 2000000 1000000 > "$dir/cpufreq/scaling_available_frequencies"
		echo 1000000 > "$dir/cpufreq/scaling_setspeed"
	done
}

count_wakeups() { grep -c "waked up from rx interrupt on port 0 queue 0" "$log"; }
# It wakes up every 10 ms, asks the port, and blocks again: a program that only asks never blocks.
count_sleeps() { sed -n 's/^voluntary_ctxt_switches:[[:space:]]*//p' "/proc/$pid/task/$pid/status"; }
has_slept() { [ "$(count_sleeps)" -ge "$1" ]; }
# A group that comes while the program asks the port wakes nothing.
is_waked() {
	forward 1 10
	[ "$(count_wakeups)" -ge "$1" ]
}

run_mode() {
	say "== l3fwd-power $1"
	example_begin " -- lcoreid=0 portid=1" -p 3 --config="(0,0,0),(1,0,0)" -P "$1"
	wait_until has_slept $(($(count_sleeps) + 20)) || fail "the program does not sleep"
	[ "$(count_wakeups)" -eq 0 ] || fail "$(count_wakeups) wakeups without a frame"
	wait_until is_waked 10 || fail "$(count_wakeups) wakeups within $WAIT_S s (valid: 10 or more)"
	say "no wakeups without frames, $(count_wakeups) with them"
	example_end INT 0
}

# The address to monitor is there, but DPDK waits at none on a CPU without WAITPKG. pmd_test reads the address.
run_without_waitpkg() {
	local status=0 says="rte_power_ethdev_pmgmt_queue_enable: err=-95, port=0"

	! grep -qw waitpkg /proc/cpuinfo || return 0
	say "== l3fwd-power --pmd-mgmt=monitor"
	LD_LIBRARY_PATH=$driver_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} timeout $WAIT_S "$emu" --quiet --ports 2 -- \
		"$program" --file-prefix="$prefix" --no-huge -m $memory_mib --iova-mode=va --no-shconf --no-telemetry \
		-l $lcores "${ports[@]}" -- -p 3 --config="(0,0,0),(1,0,0)" -P --pmd-mgmt=monitor > "$log" 2>&1 || status=$?
	[ $status -ne 124 ] || fail "the program still runs after $WAIT_S s"
	grep -qF "$says" "$log" || fail "the program does not say: $says"
}

run_mode --interrupt-only
run_without_waitpkg
fake_cpufreq
run_mode --legacy
pass "l3fwd-power sleeps and forwards"
