#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# pktgen-monitor.sh LAUNCHER DRIVER_DIR PKTGEN
#
# `devx-pktgen monitor` shows a running devx-pktgen: as text, as JSON, until the run ends. Ctrl-C and kill -9
# of the monitor do not disturb the run, which loses no packet. A run that cannot be shown gets one line.
EMU_OPTIONS="--wire loop,pause=on"
. "$(dirname "$0")/secondary.bash"
pktgen=$3

# generate SECONDS OPTION...: starts devx-pktgen in the background; $generator is its process
generate() {
	start_program generator "$pktgen" run --port net_devx0,ibdev=mlx5_0 --rate 20kpps --duration "$@"
	generator=$pid
}
# monitor STATUS OPTION...: runs the monitor; its output is in $work/monitor.log, its errors too
monitor() {
	local want=$1 status=0

	shift
	"$pktgen" monitor "$@" > "$work/monitor.log" 2>&1 < /dev/null || status=$?
	[ $status -eq "$want" ] || fail "monitor $*: status $status (valid: $want)"
}
# expect_line PATTERN: the monitor printed this one line
expect_line() {
	[ "$(wc -l < "$work/monitor.log")" -eq 1 ] || fail "the monitor printed more or less than one line"
	grep -q -- "$1" "$work/monitor.log" || fail "no line '$1'"
}

! pgrep -x devx-pktgen > /dev/null || skip "another devx-pktgen runs on this machine, and the monitor finds it"

say "== nothing to show"
monitor 3
expect_line "no devx-pktgen is running; start one with --allow-monitor"
monitor 2 1
expect_line "1: no running devx-pktgen"
monitor 2 1 2
grep -q "at most one process id" "$work/monitor.log" || fail "no line about two process ids"
"$pktgen" run --allow-monitor --no-huge --port net_devx0,ibdev=mlx5_0 > "$work/monitor.log" 2>&1 && fail "--no-huge and --allow-monitor were taken"
expect_line "allow-monitor: needs huge pages and a file prefix of its own"
generate 1000s --no-huge
wait_for "sending:" generator
monitor 3
expect_line "devx-pktgen $generator: runs with --no-huge on ordinary memory, which no second process can use"
start_program second "$pktgen" run --port net_null0 --send-only --rate 1kpps --duration 1000s --no-huge
wait_for "sending:" second
monitor 2
expect_line "2 devx-pktgen are running; give the process id of one"
kill -INT "$pid"
wait "$pid"
kill -INT "$generator"
wait "$generator"
generate 1000s
wait_for "sending:" generator
monitor 3
expect_line "devx-pktgen $generator: its huge pages have no files that a second process can use"
kill -INT "$generator"
wait "$generator"

say "== a run with --allow-monitor"
generate 1000s --allow-monitor
wait_for "sending:" generator
monitor 0 --count 2
grep -q "^devx-pktgen $generator, .* sending: [1-9][0-9,]* sent, [1-9][0-9,]* received, now .*pps, .* done, .* left" "$work/monitor.log" ||
	fail "the monitor shows no run"
[ "$(grep -c "^  net_devx0: sends [0-9.]* kpps, .*; receives [0-9.]* kpps, .*; 0 missed, 0 errors" "$work/monitor.log")" -eq 2 ] ||
	fail "the monitor shows no port"
monitor 0 --json --interval 200ms --count 11 "$generator"
python3 - "$work/monitor.log" "$generator" << 'END' || fail "the JSON records are wrong"
import json, sys
records, seconds = [json.loads(line) for line in open(sys.argv[1])], []
assert len(records) == 11 and records[0]["sent"] < records[-1]["sent"], records
for old, new in zip(records, records[1:]):
    port, before = new["ports"][0], old["ports"][0]
    assert new["record"] == "monitor" and new["pid"] == int(sys.argv[2]) and new["stage"] == "sending", new
    assert old["sent"] <= new["sent"] and old["received"] <= new["received"], (old, new)
    assert old["time_s"] <= new["time_s"] and 0 < new["share"] < 1, new
    assert new["distinct"] <= new["received"] <= new["sent"] + 10000, new
    assert port["name"] == "net_devx0" and before["tx_packets"] <= port["tx_packets"], port
    assert before["rx_packets"] <= port["rx_packets"] and port["rx_missed"] == port["rx_errors"] == 0, port
    assert abs(port["tx_packets"] - new["sent"]) < 10000, new
    # All rates are those of one time, which is at least the interval.
    for count, pps in (new["sent"] - old["sent"], new["tx_pps"]), (port["tx_packets"] - before["tx_packets"], port["tx_pps"]):
        seconds.append(count / pps if pps else 0)
        assert (pps > 0) == (count > 0) and (not pps or seconds[-1] > 0.199), (old, new)
    assert not all(seconds[-2:]) or abs(seconds[-2] - seconds[-1]) < 1e-6, (old, new)
END
for signal in INT TERM; do
	start_program monitor "$pktgen" monitor --interval 100ms
	wait_for "sending:" monitor 2
	kill -$signal "$pid"
	wait "$pid"
	status=$?
	[ $status -eq $((128 + $(kill -l $signal))) ] || fail "after SIG$signal the monitor ended with status $status"
done
start_program monitor "$pktgen" monitor --interval 100ms
wait_for "sending:" monitor 2
kill -KILL "$pid"
wait "$pid" 2> /dev/null
start_program monitor "$pktgen" monitor
wait_for "sending:" monitor
kill -INT "$generator"
wait "$pid" || fail "the monitor ended with status $?"
tail -n 1 "$work/monitor.log" | grep -q "^devx-pktgen $generator ended$" || fail "the monitor does not say that the run ended"
wait "$generator"
status=$?
[ $status -eq 130 ] || fail "the run ended with status $status: a monitor disturbed it"
grep -q "^FAIL: .* 0 lost, 0 corrupted; interrupted" "$work/generator.log" || fail "the run lost packets"
left=$(find "$work" -name 'pktgen-*'; for dir in $(awk '$3 == "hugetlbfs" { print $2 }' /proc/mounts); do find "$dir" -name "pktgen-${generator}map_*"; done)
[ -z "$left" ] || fail "devx-pktgen left files: $left"
pass "the monitor shows a run and does not disturb it"
