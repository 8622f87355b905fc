#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# dpdk-link_status_interrupt.sh LAUNCHER DRIVER_DIR PROGRAM
#
# DPDK's link_status_interrupt hears of each change of the link of a net_devx port, and forwards frames before
# and after it.
. "$(dirname "$0")/dpdk_example.bash"

# expect_link WORD N: the program reports the Nth change of port 0 to up or down
expect_link() {
	wait_for "Port 0 Link $1" "$2"
	say "port 0: link $1"
}

example_begin " -- lcoreid=0 portid=1" -p 3 -q 2 -T 0
forward 5 20
# The program also prints it at its start, in a line without an end, which the log gets with the first event.
up=1
for i in 1 2 3; do
	ip link set emu0 down
	expect_link down $i
	ip link set emu0 up
	expect_link up $((up + i))
done
n=$(grep -c "Event type: LSC interrupt" "$log")
[ "$n" -eq 6 ] || fail "$n interrupts for 6 changes of the link"
! grep -q "unknown event" "$log" || fail "an event is not LSC"
! grep -q "Port 1 Link down" "$log" || fail "the link of port 1 went down"
forward 5 20
example_end TERM 143 # it has no handler for signals
pass "link_status_interrupt hears of each change"
