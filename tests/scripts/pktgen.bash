# SPDX-License-Identifier: BSD-3-Clause
#
# Functions for scripts that run devx-pktgen, which is $pktgen. To be sourced before the script changes its folder.

# nohup lets all programs below it ignore SIGHUP, which tests send.
if (($(sed -n 's/^SigIgn:[^0-9a-f]*/0x/p' /proc/self/status) & 1)); then
	exec env --default-signal=HUP "$0" "$@"
fi
. "$(dirname "$0")/lib.bash"

# enter_work: makes $work the current folder. The last output of devx-pktgen is in its files out and err.
enter_work()
{
	make_work
	cd "$work" || exit 1
	logs=(out err)
}

# need_driver NAME DEVARGS: skips the script where DPDK lacks a driver. With DEVARGS it makes no port.
need_driver()
{
	! "$pktgen" run --port "${1}0,$2" --send-only -n 1 2>&1 | grep -q "nable to parse device\|no driver claims" ||
		skip "DPDK has no $1 here (Debian: librte-${1//_/-})"
}

# count_frames CAPTURE: prints how many frames a pcap file has
count_frames()
{
	python3 -c '
import struct, sys
b = open(sys.argv[1], "rb").read()
at = n = 0
while 24 + at < len(b):
    at += 16 + struct.unpack_from("<8xI", b, 24 + at)[0]
    n += 1
print(n)' "$1"
}

# run_it STATUS COMMAND...: expects this exit status
run_it()
{
	local status

	echo "+ devx-pktgen ${*:3}" | cat -v
	for _ in 1 2 3; do # DPDK itself sometimes ends a run (devtools/tally)
		status=0
		timeout $WAIT_S "${@:2}" > out 2> err || status=$?
		grep -q 'rte_service_init() failed\|Cannot get hugepage information' err || break
	done
	[ $status -eq "$1" ] || { fail "exit status $status (valid: $1)"; return 1; }
}

# refused STATUS TEXT ARG...: devx-pktgen ends with STATUS, prints one line, which has TEXT, on stderr, and sends no packet
refused()
{
	run_it "$1" "$pktgen" "${@:3}" || return
	grep -qF -- "$2" err || fail "no '$2'"
	[ "$(wc -l < err)" -eq 1 ] || fail "not one line"
	! grep -q "^flow\|^OK\|^FAIL" out || fail "it sent packets"
}

# wait_for_run COMMAND...: waits until COMMAND succeeds, or the background process $pid has ended
wait_for_run() { wait_until has_come_to "$@" || fail "not within $WAIT_S s: $*"; }
has_come_to() { "$@" || ! kill -0 "$pid" 2> /dev/null; }
