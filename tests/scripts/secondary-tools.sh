#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# secondary-tools.sh LAUNCHER DRIVER_DIR OTHER_LAYOUT
#
# DPDK's own tools beside a primary testpmd with net_devx: dpdk-proc-info prints statistics of the
# port, dpdk-dumpcap captures its packets. A secondary process of another version (OTHER_LAYOUT, a
# library to preload, makes it one) and two processes at one queue get a line. A secondary process
# notices the end of the primary one.
. "$(dirname "$0")/secondary.bash"
other_layout=$3

ports=(--num-procs=2 --rxq=2 --txq=2 --rss-udp --txonly-multi-flow --total-num-mbufs=16384)
primary_begin "${ports[@]}" --proc-id=0 --forward-mode=txonly
primary_do "start"

say "== dpdk-proc-info"
dpdk-proc-info "${port[@]}" -- --stats > "$work/info.log" 2>&1 < /dev/null 3>&- ||
	fail "dpdk-proc-info ended with status $?"
grep -q 'TX-packets: *[1-9]' "$work/info.log" || fail "dpdk-proc-info prints no sent packets"
dpdk-proc-info "${port[@]}" -- --xstats > "$work/info.log" 2>&1 < /dev/null 3>&- ||
	fail "dpdk-proc-info ended with status $?"
for name in rx_out_of_buffer rx_recoveries tx_unicast_packets; do
	grep -q "^$name: " "$work/info.log" || fail "dpdk-proc-info prints no $name"
done
# The mode txonly receives nothing, so its rings are full. Nobody reads the statistics of the primary process.
shows_drops() {
	dpdk-proc-info "${port[@]}" -- --xstats > "$work/info.log" 2>&1 < /dev/null 3>&- || return
	grep -q '^rx_missed_errors: [1-9]' "$work/info.log"
}
wait_until shows_drops || fail "dpdk-proc-info prints no missed packets: $(grep -i missed "$work/info.log")"

say "== a secondary process of another version"
LD_PRELOAD="${LD_PRELOAD-}:$other_layout" dpdk-testpmd "${eal[@]}" --proc-type=secondary "${port[@]}" '--lcores=(2,3)@(0-1)' \
	-- "${ports[@]}" --proc-id=1 > "$work/version.log" 2>&1 < /dev/null 3>&-
grep -q "No probed ethernet devices" "$work/version.log" || fail "the process has a port"
line="net_devx0: cannot attach to the port of the primary process: it runs another version of net_devx; start both from the same build"
grep -q "$line" "$work/version.log" || fail "the secondary process does not say that the versions differ"
wait_for "net_devx: refused a secondary process of another version (layout 1002" primary

say "== dpdk-dumpcap"
# The number of a mempool driver must be equal in both processes: dumpcap loads the libraries of testpmd.
libraries=$(ldd "$(command -v dpdk-testpmd)" | awk '/librte_/ { printf ":%s", $3 }')
# dumpcap frees its mbufs while a burst of the primary process may use them (DPDK 22.11). So no burst runs at its end.
primary_do "stop"
primary_do "set fwd io"
LD_PRELOAD="${LD_PRELOAD-}$libraries:$driver_dir/librte_net_devx.so" \
	start_program dumpcap dpdk-dumpcap -i net_devx0 -P -w "$work/out.pcap"
wait_for "Packets captured: " dumpcap # it prints this when it has its callbacks
has_captured() {
	primary_do "start tx_first 4"
	primary_do "stop"
	[ "$(stat -c %s "$work/out.pcap")" -ge $((24 + 128 * (16 + 64))) ]
}
wait_until has_captured || fail "dpdk-dumpcap wrote $(stat -c %s "$work/out.pcap") bytes"
kill -TERM "$pid"
wait "$pid" || fail "dpdk-dumpcap ended with status $?"
primary_do "set fwd txonly"
primary_do "start"

say "== two secondary processes at one queue"
second=(dpdk-testpmd "${eal[@]}" --proc-type=secondary "${port[@]}")
more=("${ports[@]}" --proc-id=1 --forward-mode=io --stats-period=1)
start_program first "${second[@]}" '--lcores=(2,3)@(0-1)' -- "${more[@]}"
first=$pid
wait_for "TX-packets" first 2
start_program other "${second[@]}" '--lcores=(4,5)@(0-1)' -- "${more[@]}"
other=$pid
wait_for "TX-packets" other 2
wait_for "Rx queue 1: process" primary
kill -INT "$other"
wait "$other" || fail "the other secondary process ended with status $?"

say "== the primary process is killed"
exec 3>&-
kill -KILL "$primary"
wait "$primary" 2> /dev/null
wait_for "the primary process ended; the port moves no packets, end this process" first
status=0
kill -INT "$first"
wait "$first" || status=$? # testpmd asks the primary process to remove the port, and then ends with 1
[ $status -le 1 ] || fail "the secondary process ended with status $status"
pass "tools and ends of processes"
