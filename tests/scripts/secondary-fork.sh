#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# secondary-fork.sh LAUNCHER DRIVER_DIR FORKER
#
# A primary and a secondary testpmd fork while they send and receive (FORKER, a library to preload, makes them).
# Their children call bursts, get one line each and no packet, and both processes go on. The end of the
# secondary process is noticed although a child of it lives on.
. "$(dirname "$0")/secondary.bash"
forker=$3
ports=(--num-procs=2 --rxq=2 --txq=2 --rss-udp --txonly-multi-flow --total-num-mbufs=16384)

# expect_children LOG: all children of a process ended well, each with one line; $child is the last one
expect_children() {
	local n

	wait_for "forker: " "$1"
	grep -q "forker: 0 of 10 children failed" "$work/$1.log" || fail "children of the $1 process failed"
	child=$(sed -n 's/^forker: .*the last child is //p' "$work/$1.log")
	children+=("$child")
	wait_for "net_devx: process $child is a child of fork and has no ports" "$1"
	n=$(grep -c "is a child of fork and has no ports" "$work/$1.log")
	[ "$n" -eq 11 ] || fail "11 children of the $1 process print $n lines (valid: one each)"
}
# end_child: ends the last child of a process, which this shell cannot wait for
end_child() {
	kill -KILL "$1"
	wait_until has_ended "$1" || fail "child $1 does not end"
}
has_ended() { ! grep -q '^State:[[:space:]]*[^Z]' "/proc/$1/status" 2> /dev/null; }

preload=${LD_PRELOAD-}
export LD_PRELOAD=$preload:$forker
primary_begin "${ports[@]}" --proc-id=0 --forward-mode=txonly
primary_do "start"
start_program second dpdk-testpmd '--lcores=(2,3)@(0-1)' "${eal[@]}" --proc-type=secondary --no-pci -d librte_net_devx.so \
	-- "${ports[@]}" --proc-id=1 --forward-mode=io --stats-period=1
export LD_PRELOAD=$preload
second=$pid
expect_children primary
primary_child=$child
expect_children second
wait_for_growth tx_q0_packets
wait_for_growth rx_q1_packets
wait_for_growth tx_q1_packets

say "== the secondary process is killed, its child lives"
kill -0 "$child" || fail "the last child ended"
kill -KILL "$second"
wait "$second" 2> /dev/null
wait_for "Tx queue 1: secondary process 1 ended while it used the queue" primary
kill -0 "$child" || fail "the last child ended"
wait_for_growth tx_q0_packets
primary_do "stop"
read_xstat tx_recoveries
[ "$xstat" -eq 1 ] || fail "the send queues were reset $xstat times (valid: 1)"
primary_end
end_child "$child"
end_child "$primary_child"
pass "children of fork move no packets, their parents go on"
