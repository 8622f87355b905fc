#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# pktgen-report.sh PKTGEN SCHEMA CAPTURE STEP_CLOCK
#
# Checks the reports of devx-pktgen for programs (--json, --csv) on ports that every DPDK has: JSON
# against the schema, both against the text for people, and what happens if a report cannot be written.
# STEP_CLOCK (tests/pktgen/step_clock.c) makes the times of each run exact, with one worker.
set -u
pktgen=$(realpath "${1:?usage: $0 PKTGEN SCHEMA CAPTURE STEP_CLOCK}")
schema=$(realpath "${2:?usage: $0 PKTGEN SCHEMA CAPTURE STEP_CLOCK}")
capture=$(realpath "${3:?usage: $0 PKTGEN SCHEMA CAPTURE STEP_CLOCK}")
clock=$(realpath "${4:?usage: $0 PKTGEN SCHEMA CAPTURE STEP_CLOCK}")
export LD_LIBRARY_PATH="$(dirname "$clock")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
step=(-- -d "$(basename "$clock")")
check=$(realpath "$(dirname "$0")/pktgen-report.py")
. "$(dirname "$0")/pktgen.bash"
enter_work

# run_stepped STATUS ARG...: runs devx-pktgen with the clock
run_stepped() { run_it "$1" "$pktgen" "${@:2}" "${step[@]}"; }

# same RC ARGS...: runs with both reports; expects that they agree with the schema and the text
same() {
	run_stepped "$1" "${@:2}" --json j --csv c || return
	python3 "$check" "$schema" j c out || fail "the reports differ"
}

# refused RC TEXT ARGS...: expects status RC, one line on stderr with TEXT, and no packet sent
refused() {
	run_stepped "$1" "${@:3}" || return
	grep -qF -- "$2" err || fail "no '$2'"
	[ "$(grep -vc hugepages err)" -eq 1 ] || fail "not one line"
	! grep -q "^OK\|^FAIL" out || fail "it sent packets"
}

ring=(run --port net_ring0 --cores 1)

echo "== the reports have the numbers of the text"
same 0 "${ring[@]}" -t 450ms --rate 1kpps --interval 100ms
cat > want <<- END
	sending,0.100,0.100,flow,"flow 0",101,6464,101,6464,1009.929,64635.476,1009.929,64635.476,,,,,,
	sending,0.200,0.100,flow,"flow 0",201,12864,201,12864,1000.000,64000.000,1000.000,64000.000,,,,,,
	sending,0.300,0.100,flow,"flow 0",301,19264,301,19264,1000.000,64000.000,1000.000,64000.000,,,,,,
	sending,0.400,0.100,flow,"flow 0",401,25664,401,25664,1000.000,64000.000,1000.000,64000.000,,,,,,
	draining,0.500,0.100,flow,"flow 0",450,28800,450,28800,490.000,31360.000,490.000,31360.000,,,,,,
	final,0.550,0.550,flow,"flow 0",450,28800,450,28800,1000.002,64000.143,1000.002,64000.143,0,0,0,0,0,0
END
grep ',flow,' c | diff want - > out || fail "other intervals than these"
# A packet of the rate leaves each millisecond, and comes 3 us after it was made.
grep -q '"gap":{"frames":449,"minimum_ns":999000,"average_ns":99999[0-9.]*,"maximum_ns":1001000,' j || fail "no gaps of 1 ms"
grep -q '"latency":{"frames":450,"minimum_ns":3000,"average_ns":3000.0,"maximum_ns":3000,' j || fail "no latency of 3 us"
same 0 "${ring[@]}" -n 20k --size imix
same 0 "${ring[@]}" --pcap "$capture" --loops 3
run_stepped 0 "${ring[@]}" -n 5k --latency-log l
grep -q "^port 0: receive time: TSC, up to 4.00 us late" out || fail "the report names no clock"
grep -q "^#\[Port 0: receive time: TSC, up to 4000 ns late\]" l || fail "the log names no clock"
[ "$(grep -c '^Tag=flow_0\(_jitter\)\?,0.000,[0-9.]*,[0-9.]*,HISTFAAAA[A-Za-z0-9+/]*=*$' l)" = 2 ] || fail "no histograms in the log"
refused 2 "--latency-log and --send-only: no latency" "${ring[@]}" --send-only --latency-log l
refused 2 "--csv - and --latency-log -: both write to stdout" "${ring[@]}" --csv - --latency-log -
refused 4 "/nowhere/l" "${ring[@]}" --latency-log /nowhere/l
same 0 run --port net_null0 --send-only -n 5k
# Packets are only sent, at a rate that changes, by two queues: no figure is that of another one by chance.
same 0 run --port net_null0 --send-only --cores 1 --queues 2:1 -t 300ms --rate 20kpps --ramp 1kpps/300ms --interval 100ms
# Three flows of 5 kpps: each packet leaves a third of 200 us after that of another flow.
"$pktgen" run --port net_null0 --send-only -n 1k --rate 5kpps --print-config | python3 -c 'import json, sys
job = json.load(sys.stdin)
json.dump({**job, "flows": [{**job["flows"][0], "name": str(i)} for i in range(3)]}, sys.stdout)' > job
same 0 run --config job --cores 1
gaps='"gap":{"frames":2999,"minimum_ns":6[567]000,"average_ns":66[67][0-9.]*,"maximum_ns":6[6789]000,'
grep -q '"ports":\[{"port":0,.*'"$gaps"'.*"queues":' j || fail "the port does not send evenly"
grep -q '^port 0: gap between packets of all flows: min 6[567].0 us, mean 66.[67] us' out || fail "no gaps of the port"
same 0 "${ring[@]}" --pcap "$capture" --timing original --speed 20
same 1 run --port "net_pcap0,tx_pcap=sent.pcap,rx_pcap=$capture" -n 100
grep -q '"unknown":[1-9]' j || fail "no unknown frames"
grep -q '"net_pcap0,tx_pcap=sent.pcap' c || fail "a name with commas has no quotation marks"

echo "== the start record has the command line, in its order"
grep -qF '"command":["'"$pktgen"'","run","--port","net_pcap0,' j || fail "no command"
cp "$capture" $'caf\xe9.pcap'
same 0 "${ring[@]}" -n 10 --pcap $'caf\xe9.pcap'
grep -qF '"--pcap","caf?.pcap"' j || fail "a byte that is not UTF-8"

echo "== the start record has the rate and the length of the flow, in each unit"
# start_has TEXT ARG...: the start record of a run has TEXT
start_has() {
	same 0 "${ring[@]}" "${@:2}"
	grep -qF "$1" j || fail "no $1 in the start record"
}
start_has '"rate":{"unit":"max"},"frame_bytes_mean":64.0,"count":9,"expect":"same"}' -n 9
start_has '"rate":{"unit":"pps","value":0.5},"frame_bytes_mean":64.0,"duration_s":1.5,"expect":"same"}' --rate 0.5pps -t 1500ms
start_has '"rate":{"unit":"bps","value":512000.0},"frame_bytes_mean":100.0,"count":9,"expect":"same"}' --rate 512kbps -n 9 --size 100
start_has '"rate":{"unit":"percent","value":0.5},' --rate 0.5% -n 9
start_has '"rate":{"unit":"line_bps","value":672000.0},' --rate 672kbps-line -n 9
start_has '"pcap":"'"$capture"'","count":' --pcap "$capture"

echo "== times of day of the first and the last packet, of each flow and of the run"
run_stepped 0 "${ring[@]}" -n 20 --rate 100pps --print-config > /dev/null
python3 -c 'import json; job = json.load(open("out")); one = job["flows"][0]
job["flows"] = [one, {**one, "name": "slow", "rate": {"choice": "pps", "pps": 50}}]; json.dump(job, open("two.json", "w"))'
# The clock of this test begins with 1970.
same 0 run --config two.json --cores 1
grep -A1 "^flow 0: 20 sent" out | grep -q "sent: first 1970-01-01T00:00:01.0000[0-9]*Z, last 1970-01-01T00:00:01.1900[0-9]*Z" || fail "not the times of the flow"
grep -A3 "^all flows:" out | grep -q "received: first 1970-01-01T00:00:01.0000[0-9]*Z, last 1970-01-01T00:00:01.3800[0-9]*Z" || fail "not the times of the run"
before=$(date +%s%N)
run_it 0 "$pktgen" "${ring[@]}" -n 20 --rate 100pps --json j --drain 10ms
after=$(date +%s%N)
for time in $(grep '"final"' j | grep -o '_timestamp_ns":[0-9]*' | cut -d : -f 2); do
	[ "$time" -gt "$before" ] && [ "$time" -lt "$after" ] || fail "$time is not a time of this run"
done

echo "== many flows: the worst ones, the totals, and a distribution"
# make_job N: makes a job of N flows. Two arrive at no port that expects them, one has a single packet, and one is too fast
make_job() {
	"$pktgen" run --port net_ring0 --port net_ring1 -n 5 --rate 100pps --print-config > one.json
	python3 - "$1" > many.json << 'END'
import json, sys
job = json.load(open("one.json"))
one, sender = job["flows"][0], job["ports"][0]["name"]
def make_flow(i):
    flow = {**one, "name": f"flow {i}"}
    if i not in (3, 20): # port 0 is a loop
        flow["tx_rx"] = {"choice": "port", "port": {"tx_name": sender, "rx_names": [sender]}}
    if i == 25:
        flow["duration"] = {"choice": "fixed_packets", "fixed_packets": {"packets": 1}}
    if i == 7:
        flow["duration"] = {"choice": "fixed_packets", "fixed_packets": {"packets": 500}}
        flow["rate"] = {"choice": "pps", "pps": 1e9}
    return flow
job["flows"] = [make_flow(i) for i in range(int(sys.argv[1]))]
print(json.dumps(job))
END
}
make_job 32
same 1 run --config many.json --cores 1
[ "$(grep -c "^flow [0-9]*: port" out)" -eq 32 ] || fail "not all flows in the plan"
! grep -q "worst\|distribution" out || fail "a summary of 32 flows"
make_job 300
same 1 run --config many.json --cores 1 --interval 20ms
[ "$(grep -c "^flow [0-9]*: port" out)" -eq 10 ] || fail "not ten flows in the plan"
grep -qx "and 290 more flows (--all-flows prints all)" out || fail "the plan does not count the other flows"
grep -qx "streams by sender (auto): mbuf 300, ring 0" out || fail "the plan does not count the senders"
grep -A1 "^the 10 worst of 300 flows" out | grep -q "^flow 3: 5 sent, 0 received, 5 lost" || fail "the worst flow is not the first"
[ "$(sed -n '/^the 10 worst/,$p' out | grep "^flow " | sed -n '3s/:.*//p')" = "flow 7" ] || fail "the flow that missed its rate is not the third"
grep -Eqx " +sent +300 +1 +5 +5 +5 +5 +500" out || fail "no distribution of the packets"
grep -Eqx " +lost +300 +0 +0 +0 +0 +0 +5" out || fail "no distribution of the losses"
grep -Eq " +received per second +297 " out || fail "counts flows without a rate"
grep -q "^final,.*,total,\"all flows\",1991," c || fail "no totals in CSV"
grep '"stage":"sending"' j | grep -q '"total":{"frames_tx":[1-9]' || fail "no totals in an interval"
grep -qx "300 of 300 flows: rate not judged, because sending took less than 100 ms" out || fail "a line for each rate"
same 1 run --config many.json --cores 1 --all-flows
[ "$(grep -c "^flow [0-9]*: port" out)" -eq 300 ] || fail "not all flows in the plan with --all-flows"
grep -q "^distribution over flows:" out || fail "no distribution with --all-flows"
sed -i 's/net_ring/net_null/g' many.json
run_stepped 0 run --config many.json --cores 1 --send-only
grep -A2 "^distribution over flows:" out | grep -Eq " +sent per second +299 " || fail "no distribution with --send-only"

echo "== 2,000 flows of one description share its addresses and packets"
same 0 "${ring[@]}" --cores 1 --flows 2000 --dst-ip 198.18.0.1-198.18.7.208 -n 4000
grep -qx "OK: 4,000 sent, 4,000 received, 0 lost, 0 corrupted" out || fail "not all arrived"
grep -Eqx " +received +2,000 +2 +2 +2 +2 +2 +2" out || fail "not two packets of each flow"

echo "== a rate below 500 pps is not printed as 0"
same 0 "${ring[@]}" -t 200ms --rate 100pps
grep -Eq "^ +0 +0 +20 +1,280 +100 pps 51.2 kb/s +20 +1,280 +100 pps 51.2 kb/s" out || fail "no rate in pps"

echo "== a rate is (N - 1) / (last - first); a packet alone has none, and neither have packets of a single poll"
same 0 "${ring[@]}" -n 2 --rate 2pps
grep -q '"final".*"frames_tx_rate":2.0000.*"frames_rx_rate":2.0000' j || fail "not 2 pps"
grep -q "rate: offered 2 pps, achieved 2.00 pps" out || fail "not 2 pps in the text"
same 0 "${ring[@]}" -n 1 --rate 2pps
! grep '"final"' j | grep -q 'x_rate"' || fail "a rate of one packet"
grep -q "rate: offered 2 pps, achieved unknown, because no two packets left at different times" out || fail "a rate of one packet in the text"
same 0 "${ring[@]}" -n 20
! grep '"final"' j | grep -q 'x_rate"' || fail "a rate of one poll"
grep -Eq "^ +0 +0 +20 +1,280 +- pps +- b/s +20 +1,280 +- pps +- b/s  none" out || fail "a rate of one poll in the text"
grep -q '^final,.*,flow,"flow 0",20,1280,20,1280,,,,,0,0,0,0,0' c || fail "a rate of one poll in CSV"

echo "== -: only records on stdout"
run_stepped 0 "${ring[@]}" -n 100 --json -
python3 "$check" "$schema" out /dev/null err || fail "stdout has other lines"
run_stepped 0 "${ring[@]}" -n 100 --csv -
[ "$(grep -vc '^\(stage\|sending\|draining\|final\),' out)" -eq 0 ] || fail "stdout has other lines"
grep -q "^OK: 100 sent" err || fail "no text on stderr"

echo "== an interrupted run has complete lines and a final record; a killed run has complete lines"
echo "+ SIGINT, SIGKILL"
PKTGEN_SIGNAL=2@400 run_stepped 130 "${ring[@]}" -t 50s --rate 1kpps --json j --interval 20ms
python3 "$check" "$schema" j /dev/null out || fail "interrupted"
grep -q '"interrupted":true' j || fail "not interrupted"
[ "$(grep -c '"stage":"sending"' j)" -eq 20 ] || fail "not the intervals of 0.4 s"
{ PKTGEN_SIGNAL=9@400 run_stepped 137 "${ring[@]}" -t 50s --rate 1kpps --json j --interval 20ms; } 2> /dev/null
[ "$(grep -c '"record":"interval"' j)" -eq 19 ] || fail "not the intervals before 0.4 s"
[ "$(tail -c 1 j | od -An -c | tr -d ' ')" = '\n' ] || fail "the last line is not complete"
python3 "$check" --killed "$schema" j /dev/null out || fail "killed"

echo "== a report that cannot be written has its own status, before the first packet if possible"
refused 4 "--json /dev/full: cannot write the report: No space left" "${ring[@]}" -n 10 --json /dev/full
refused 4 "--csv /dev/full: cannot write the report: No space left" "${ring[@]}" -n 10 --csv /dev/full
refused 4 "--json $work/none/j: cannot create the file: No such file" "${ring[@]}" -n 10 --json "$work/none/j"
mkdir shared && chmod 1777 shared && ln -s ../target shared/link
for option in --json --csv --latency-log; do
	refused 4 "$option shared/link: cannot create the file: it is a link in a folder that others can write (valid: the file itself)" \
		"${ring[@]}" -n 10 $option shared/link
done
[ ! -e target ] || fail "followed a link in a folder that others can write"
refused 4 "--csv .: cannot create the file: Is a directory" "${ring[@]}" -n 10 --csv .
echo "+ --json - with a full stdout"
timeout 60 "$pktgen" "${ring[@]}" -n 10 --json - "${step[@]}" > /dev/full 2> err
[ $? -eq 4 ] && grep -q "^devx-pktgen: --json -: cannot write" err || fail "full stdout"
# Room for the start record, but not for all intervals: the run ends as asked, with the status.
echo "+ the disk becomes full in mid-run"
rc=0
(ulimit -f 8; trap '' XFSZ; timeout 60 "$pktgen" "${ring[@]}" -t 700ms --rate 1kpps --interval 10ms --json j --no-huge "${step[@]}" > out 2> err) || rc=$?
[ $rc -eq 4 ] || fail "exit $rc, not 4"
[ "$(grep -c "cannot write the report: File too large" err)" -eq 1 ] || fail "not one line"
grep -q "^OK: 700 sent" out || fail "no result"
python3 "$check" --killed "$schema" j /dev/null out || fail "not only complete lines"

# closed TEXT ARG...: the reader of stdout ends after a line with TEXT. The run goes on, with its other report complete.
closed() {
	echo "+ the reader of stdout ends: devx-pktgen ${*:2}"
	mkfifo pipe
	"$pktgen" "${ring[@]}" -t 1000s --rate 1kpps --interval 10ms --csv c "${@:2}" --no-huge > pipe 2> err &
	pid=$!
	grep -m 1 -- "$1" < pipe > /dev/null
	wait_for_run grep -q "cannot write the report" err
	wait_for_run has_lines sending $(($(grep -c sending c) + 9)) c
	kill -HUP $pid || fail "the run has ended"
	wait $pid
	[ $? -eq 4 ] || fail "not status 4"
	[ "$(grep -c "^devx-pktgen: " err)" -eq 1 ] || fail "not one line"
	grep -q "^final," c || fail "the other report is not complete"
	rm pipe
}
closed '"record":"interval"' --json -
grep -q "^devx-pktgen: --json -: cannot write the report: Broken pipe" err || fail "no line"
grep -q "^FAIL: .* 0 lost, 0 corrupted; interrupted" err || fail "no result in the text"
closed " sending: "
grep -q "^devx-pktgen: stdout: cannot write the report (Broken pipe); redirect stdout" err || fail "no line"

echo "== usage"
refused 2 "--json - and --csv -: both write to stdout" "${ring[@]}" --json - --csv -
refused 2 "--interval: no records" "${ring[@]}" --interval 1s
refused 2 "--interval 9ms: is too short" "${ring[@]}" --json j --interval 9ms

pass
