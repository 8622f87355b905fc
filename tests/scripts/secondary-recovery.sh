#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# secondary-recovery.sh LAUNCHER DRIVER_DIR LOSER
#
# A primary testpmd sends and a secondary one forwards while their device goes away and comes back (LOSER, a
# library to preload, does it). The primary reports the events of DPDK and forwards again. The port ends in the
# secondary, and another secondary attaches after the recovery. A removed adapter ends the port for good.
. "$(dirname "$0")/secondary.bash"
loser=$3
ports=(--num-procs=2 --rxq=2 --txq=2 --rss-udp --txonly-multi-flow --total-num-mbufs=16384)
export LOSER=$work/letters
mkfifo "$LOSER"

# lose LETTER: what LOSER shall do
n_letters=0
lose() {
	n_letters=$((n_letters + 1))
	printf %s "$1" > "$LOSER"
	wait_for "loser: " primary $n_letters
	say "== $(grep '^loser: ' "$work/primary.log" | tail -n 1)"
}
# start_secondary LOG: one that sends what it receives, also while the device is away
start_secondary() {
	start_program "$1" dpdk-testpmd '--lcores=(2,3)@(0-1)' "${eal[@]}" --proc-type=secondary --no-pci -d librte_net_devx.so \
		-- "${ports[@]}" --proc-id=1 --forward-mode=io --stats-period=1
}
# end_secondary LOG: ends the secondary process that was started last. After the event, testpmd stops forwarding on
# another thread, and the last line of that says that it cannot begin again.
end_secondary() {
	local status=0

	wait_for "Port 0: device removal event" "$1"
	wait_for "Failed to get device info for port 0, not detaching" "$1"
	wait_for "Not all ports were started" "$1"
	kill -TERM "$pid"
	wait "$pid" || status=$?
	[ $status -eq 0 ] || fail "the $1 process ended with status $status"
}

LD_PRELOAD=${LD_PRELOAD-}:$loser primary_begin "${ports[@]}" --proc-id=0 --forward-mode=txonly
primary_do "start"
start_secondary second
wait_for_growth rx_q1_packets

lose r
wait_for "Port 0: error recovering event" primary
end_secondary second
start_secondary third
status=0
wait "$pid" || status=$?
[ $status -ne 0 ] || fail "a process attached to a port without a device"
wait_for "the port waits for the return of its device; start this process after" third
lose b
wait_for "Port 0: error recovery successful event" primary
wait_for_growth tx_q0_packets

say "== the port works for both again"
start_secondary fourth
wait_for_growth rx_q1_packets
lose f
wait_for "Port 0: error recovery successful event" primary 2
end_secondary fourth
wait_for_growth tx_q0_packets
! grep -q "device removal event" "$work/primary.log" || fail "the primary process lost its port"

say "== the adapter is removed"
lose u
wait_for "Port 0: device removal event" primary
wait_for "Device is detached" primary
[ "$(grep -c "Port 0: error recovering event" "$work/primary.log")" -eq 2 ] || fail "a removed adapter does not recover"
primary_end
pass "a primary process forwards again after each loss, and secondary processes attach again"
