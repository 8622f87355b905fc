#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# on_adapter.sh DEVX-EMU TREE BUILD: devtools/on-adapter on emu. emu agrees with the assumptions, because
# it was made after them; the test shows that each check runs, and that the script keeps its promises.
set -eu
emu=$1 tree=$2 build=$3
. "$(dirname "$0")/../scripts/lib.bash"
make_work
logs=("$work/out" "$work/report") ends_at_failure=yes

# try STATUS EMU-OPTIONS -- ARGUMENTS: runs on-adapter on emu, and expects this exit status
try() {
	local want=$1 options=() got=0
	shift
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	rm -f "$work/report" "$work/json" "$work/trace"
	"$emu" "${options[@]}" --counters --trace "$work/trace" -- "$tree/devtools/on-adapter" --programs "$build" \
		--out "$work/report" --json "$work/json" "$@" > "$work/out" 2>&1 || got=$?
	# 125: on-adapter ended with 0, after the breaches of the protocol that some checks make
	[ $got -ne 125 ] || got=0
	[ $got -eq "$want" ] || fail "on-adapter $*: exit status $got (valid: $want)"
}
# says_line PATTERN: a line of the output matches
says_line() { grep -q -e "$1" "$work/out" || fail "no line has '$1'"; }
# has VERDICT CHECK: the report has this verdict for this check
has() { sed -n "/^## $1\$/,/^## /p" "$work/report" | grep -q "^$2: " || fail "$2 is not $1"; }
confirmed() { sed -n 's/^\([0-9]*\) confirmed.*/\1/p' "$work/report"; }

# emu does not have the low water mark of a receive queue, so it refutes this assumption and no other one.
# rest: checks that cx6dx cannot confirm, because it has the capability or lacks the mode.
refutes_lwm_only() {
	has refuted modify_rq_bit_0_is_lwm
	grep -q '^[0-9]* confirmed, 1 refuted, ' "$work/report" || fail "more than one is refuted"
}
n_checks=$("$build/tests/on_adapter/on_adapter_checks" --list | grep -c '^check')

echo "-- with frames, on the second of two ports"
try 1 --ports 2 --wire sink -- --send --checks-only mlx5_1
refutes_lwm_only
[ "$(confirmed)" -eq $((n_checks - 4)) ] || fail "$(confirmed) of $n_checks checks confirmed"
has 'not testable here' relaxed_ordering_needs_capability
has 'not testable here' lower_inline_mode_is_accepted
has 'not testable here' real_time_mode_refuses_free_running
says_line 'port 0, wire sink: frames sent 0 .0 bytes., received 0 '
grep -q ' port 1 create_sq ' "$work/trace" || fail "the trace has no command of port 1"
! grep ' port 0 ' "$work/trace" || fail "on-adapter sent commands to a port that was not named"
! grep -E '([0-9a-f]{2}:){5}[0-9a-f]{2}' "$work/report" "$work/json" || fail "a MAC address is in the report"
python3 -c 'import json, sys; sys.exit(len(json.load(open(sys.argv[1]))) < 50)' "$work/json" || fail "bad JSON"

echo "-- no object is left: uid 0 is the emulated kernel, field 6 the command"
awk '$0 !~ / uid=0x0 / && / -> OK/ {
		if (sub(/^(create|alloc)_/, "", $6)) n[$6]++
		else if (sub(/^(destroy|dealloc)_/, "", $6)) n[$6]--
	}
	END {
		for (kind in n)
			if (n[kind]) { print "left: " n[kind] " of " kind; bad = 1 }
		exit bad || !("sq" in n)
	}' "$work/trace" || fail "objects were left, or the trace has no SQ"

echo "-- without --send no frame leaves"
try 1 --ports 2 --wire loop -- mlx5_1
refutes_lwm_only
says_line 'port 0, wire loop: frames sent 0 '
says_line 'port 1, wire loop: frames sent 0 '
has 'not testable here' empty_segment_has_0_bytes
says_line 'tests: [1-9][0-9]* passed, 0 failed, '
grep -q '^pmd_test: not run: ' "$work/report" || fail "the report does not say what was not run"

echo "-- with a cable, the tests of frames run on the named port only"
try 1 --ports 2 --wire loop -- --cable mlx5_1
grep -q '^uverbs_test: [1-9][0-9]* passed, 0 failed' "$work/report" || fail "uverbs_test failed"
# emu takes no dma-buf of a real kernel, which this machine may have
! grep '^ *\[  FAILED  \] [a-z_]*\.' "$work/report" | grep -v ' dmabuf\.' || fail "devx_test failed"
! grep ' port 0 ' "$work/trace" || fail "a test sent commands to a port that was not named"

echo "-- devices that confirm what cx6dx cannot"
try 1 --profile inline -- --send --checks-only mlx5_0
has confirmed lower_inline_mode_is_accepted
try 1 --profile realtime -- --send --checks-only 0000:c1:00.0
has confirmed relaxed_ordering_needs_capability
try 1 --profile cx6dx,ts_format=2,real_time=1 -- --send --checks-only mlx5_0
has confirmed real_time_mode_refuses_free_running

echo "-- refusals"
try 2 -- --checks-only
says_line 'no DEVICE; name an RDMA device or a PCI address'
try 2 -- mlx5_0 mlx5_1
try 2 -- --no-such-option mlx5_0
try 3 -- mlx5_7
says_line 'no such RDMA device: mlx5_7 (valid: mlx5_0'
try 3 --profile ib -- mlx5_0
says_line 'the link layer is InfiniBand (valid: Ethernet)'
(export DEVX_EMU_CAPS=ipc_lock && try 3 -- mlx5_0 && says_line 'cannot create a send queue')
(ulimit -l 8 && try 3 --memlock -- mlx5_0 && says_line 'RLIMIT_MEMLOCK of 8 KiB is too small')

echo "-- a dry run opens no device"
try 0 -- --dry-run --cable mlx5_0
says_line 'ring_starts_at_any_64_bytes: a ring may start at any multiple of 64 bytes of a umem'
says_line 'run uverbs_test'
! grep ' port ' "$work/trace" 2> /dev/null || fail "the dry run opened a device"
[ ! -e "$work/report" ] || fail "the dry run wrote a report"

echo "-- tests of the driver name their device in one place, so that no other port is touched"
! grep -rln --include='*.c' 'rte_vdev_init(' "$tree/tests/pmd" | grep -v /port_rig.c || fail "call port_rig_init_vdev()"
