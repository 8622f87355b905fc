#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# dpdk-l3fwd-power.sh LAUNCHER DRIVER_DIR PROGRAM
#
# DPDK's l3fwd-power sleeps in Rx interrupts of net_devx: it uses almost no CPU time while no frame comes,
# wakes up for each group of frames, and forwards all of them. In both modes that use interrupts.
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

# run_mode OPTION MAX_MS: MAX_MS is the CPU time that an idle second may take
run_mode() {
	local before idle wakeups

	say "== l3fwd-power $1"
	example_begin " -- lcoreid=0 portid=1" -p 3 --config="(0,0,0),(1,0,0)" -P "$1"
	sleep 1
	before=$(cpu_ms)
	sleep 1
	idle=$(($(cpu_ms) - before))
	forward 20 10 30
	wakeups=$(grep -c "waked up from rx interrupt on port 0 queue 0" "$log")
	say "$idle ms CPU time in an idle second; $wakeups wakeups for 20 groups of frames"
	[ "$idle" -le "$2" ] || fail "an idle second took $idle ms of CPU time (valid: $2 or less)"
	# l3fwd-power polls some milliseconds before it sleeps again; a busy machine lengthens that, and a
	# group of frames that comes meanwhile wakes nothing.
	[ "$wakeups" -ge 10 ] || fail "$wakeups wakeups for 20 groups of frames (valid: 10 or more)"
	example_end INT 0
}

run_mode --interrupt-only 250
fake_cpufreq
run_mode --legacy 250
say "PASS: l3fwd-power sleeps and forwards"
