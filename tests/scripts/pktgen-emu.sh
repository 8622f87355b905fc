#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# pktgen-emu.sh PKTGEN LAUNCHER net_mlx5|DRIVER_DIR COUNTERS CAPTURE STEP_CLOCK
#
# Runs devx-pktgen on two emulated ports, with net_devx (from DRIVER_DIR) or DPDK's own net_mlx5: the
# demo, checksums, receive times, both senders, and what it refuses. pktgen-faults.sh has all faults of wires.
set -u
. "$(dirname "$0")/pktgen_wire.bash"

echo "== the demo"
on_wire $clean 0 "${run[@]}" --count 100k
grep -q "^OK: 100,000 sent, 100,000 received, 0 lost, 0 corrupted" out || fail "not all arrived"
if [ "$driver" != net_mlx5 ]; then
	four=(run)
	for i in 0 1 2 3; do four+=(--port "net_devx$i,ibdev=mlx5_$i"); done
	launch+=(--ports 4)
	on_wire $clean 0 "${four[@]}" --count 10k --both --size imix
	grep -q "^flow 3: 10,000 sent, 10,000 received" out || fail "no fourth flow"
	unset "launch[-1]" "launch[-1]"
	on_wire $clean 0 run --config "$root/doc/examples/three-flows.json"
	grep -q "^tunnel: 10,000 sent, 10,000 received" out || fail "the flows of the job file did not arrive"
	on_wire loop 1 "${run[@]}" --count 1000 --drain 100ms
	grep -q "^port 0, .* received 1,000 frames of flow 0, which port 1 expects.* a loop?" out ||
		fail "does not say that the wire is a loop"
fi
on_wire $clean 0 "${run[@]}" --count 20k --size 1518 --both
grep -q "^OK: 40,000 sent, 40,000 received, 0 lost, 0 corrupted" out || fail "not all arrived"
launch+=(--mtu 1501)
on_wire $clean 0 "${run[@]}" --count 10k --mtu 1501 --size 1519
unset "launch[-1]" "launch[-1]"
on_wire $clean 0 "${run[@]}" --pcap "$capture" --loops 50
grep -q "^OK: .* sent, .* received, 0 lost, 0 corrupted" out || fail "not all arrived"

echo "== the port writes the checksums: the receiver computes each, and scapy those of a capture"
for packet in "ethernet/ipv4/udp" "ethernet/vlan/vlan/ipv4(src=10.0.0.1-10.0.0.9,options=01010101)/udp(dst_port=5;6)" \
	"ethernet/vlan/ipv6(dst=::1-::9)/tcp(seq_num=0-99,options=01010101)" "ethernet/ipv6/udp/custom(bytes=abcdef)"; do
	on_wire $clean 0 "${run[@]}" --count 2k --size random:110-1400 --packet "$packet"
	grep -q "^flow 0: .* checksums: port, " out || fail "$packet: not by the port"
	grep -q "^OK: 2,000 sent, 2,000 received, 0 lost, 0 corrupted" out || fail "$packet: not all arrived"
	launch+=(--wire 1=sink)
	on_wire "0=pcap:in=$capture,out=$work/sent.pcap" 0 "${send[@]}" --count 60 --size 110,111 \
		--packet "$packet" --checksums port
	unset "launch[-1]" "launch[-1]"
	sums=0
	"$root/tests/scripts/pktgen-checksums.py" sent.pcap 60 >> out || sums=$?
	[ $sums -eq 0 ] || [ $sums -eq 77 ] || fail "$packet: scapy computes other checksums"
done
on_wire $clean 0 "${run[@]}" --count 2k --src-ip 10.0.0.1-10.0.0.9 --checksums port
grep -q "^flow 0: .* checksums: port, " out || fail "not by the port"
grep -q "^OK: 2,000 sent, 2,000 received, 0 lost, 0 corrupted" out || fail "not all arrived"
on_wire $clean 0 "${run[@]}" --count 2k --packet ethernet/ipv4/udp --checksums software
grep -q "^flow 0: .* checksums: software, " out || fail "not by software"

# read_clock: prints source and error in ns of the receive times, and the least and median latency
read_clock() {
	grep '"record":"final"' run.json | python3 -c '
import json, sys
final = json.load(sys.stdin)
clock, latency = final["ports"][1]["receive_clock"], final["flows"][0]["latency"]
print(clock["source"], clock["uncertainty_ns"], latency["minimum_ns"], latency["p50_ns"], clock.get("unstamped", 0))'
}

echo "== receive times: of the device and of the TSC. No frame is earlier than the delay of the wire"
# The clock of the device and the delay are real, so the other clock is the TSC.
stepped=("${step[@]}") step=()
for times in auto device tsc; do
	on_wire $clean,delay=20ms 0 "${run[@]}" --count 20k --drain 10s --timestamps $times --json run.json
	read -r source error least median unstamped <<< "$(read_clock)"
	[ "$source" = "$([ $times = tsc ] && echo tsc || echo device)" ] || fail "--timestamps $times: the clock is '$source'"
	[ "$error" -gt 0 ] && [ $((least + error + 1000)) -ge 20000000 ] && [ "$unstamped" -eq 0 ] ||
		fail "--timestamps $times: latency of $least ns, error $error ns, $unstamped without timestamps"
	! grep -q "^port 0: receive time" out || fail "a receive time of a port that only sends"
	echo "  $source: latency at least $least ns, half $median ns; error $error ns"
done
# On a device with real-time timestamps, DPDK 22.11's net_mlx5 reads another clock than that of the timestamps.
for profile in realtime cx6dx,ts_format=2 cx6dx,ts_format=2,real_time=1; do
	launch+=(--profile "$profile")
	on_wire $clean,delay=20ms 0 "${run[@]}" --count 20k --drain 10s --json run.json
	unset "launch[-1]" "launch[-1]"
	read -r source error least median unstamped <<< "$(read_clock)"
	[ "$driver" = net_mlx5 ] && [ "$profile" != cx6dx,ts_format=2 ] && want=20000 || want=0
	[ "$source" = device ] && [ "$unstamped" -eq $want ] && [ $((least + error + 1000)) -ge 20000000 ] ||
		fail "$profile: $source, latency of $least ns, error $error ns, $unstamped without timestamps"
	echo "  $profile: latency at least $least ns, half $median ns; $unstamped without timestamps"
done
step=("${stepped[@]}")

echo "== a rate above that of the adapter: the reason is the port"
on_wire $clean 1 "${run[@]}" --duration 300ms --rate 100Mpps --json run.json
grep -q "^FAIL: .* 0 lost, .* of the requested rate .*; the port is too slow" out || fail "no reason"
grep -q '"rate_reason":"port"' run.json || fail "JSON has not the reason 'port'"

echo "== all kinds of faults in one run: of generated frames, and of a capture"
same $clean,drop=1/101,dup=1/103,reorder=1/107,corrupt=1/109 "${run[@]}" --count 20k --size imix
grep -q "^FAIL: .*; $(sed -n 's/^flow 0: .* received, \([0-9,]* \)lost.*/\1/p' out)packets were lost between port 0 and port 1$" out || fail "no reason of the loss"
same $clean,drop=0.03,dup=0.03,corrupt=0.03,reorder=0.03,seed=1 "${run[@]}" --pcap "$capture" --loops 1

echo "== frames without a receive buffer are lost, and the report names the counter"
on_wire pair 1 "${run[@]}" --count 300k --rx-ring 64 --json run.json
grep -q '"loss_reason":"dropped"' run.json || fail "JSON has not the reason 'dropped'"
lost=$(number "flow 0" lost)
[ "${lost:-none}" = "$(number "wire 1" "without buffer")" ] || fail "lost $lost, not the number of frames without a buffer"
grep -q "frames of all flows: [1-9][0-9,]* found no receive descriptor (rx_missed_errors)" out ||
	fail "does not name the reason of the loss"
grep -q "^FAIL: .*; port 1 dropped [1-9][0-9,]* frames because it had no receive descriptor (rx_missed_errors); give it more (--rx-ring)" out ||
	fail "the verdict has not the reason"
text=$(sed -n 's/^ *lost \([0-9,]*\) = \([0-9,]*\) dropped by port 1 + 0 lost before port 1$/\1 \2/p' out)
[ "$text" = "${text#* } ${text% *}" ] && [ "$(tr -d , <<< "${text% *}")" = "$lost" ] || fail "does not say that the port dropped them all"
grep -q "  rx_missed_errors ${text% *}$" out || fail "the table has no drops"

if [ "$driver" = net_mlx5 ]; then
	on_wire $clean 2 "${run[@]}" --count 1k --sender ring
	grep -q "^devx-pktgen: --sender ring: port 0000:c1:00.0 is of mlx5_pci; only net_devx has a generator ring" err ||
		fail "does not refuse the ring in one line"
	pass
fi

echo "== the sender: auto takes the generator ring for generated frames, and mbufs for a capture"
# sent_by SENDER ARGS...: all packets arrive, and the plan names SENDER
sent_by() {
	on_wire $clean 0 "${run[@]}" "${@:2}"
	grep -qxF "flow 0: sender $1" out || fail "the sender is not $1"
	grep -q "^OK: .* 0 lost, 0 corrupted" out || fail "not all arrived"
}
sent_by "ring (auto)" --count 1k
sent_by "mbuf (auto): the generator ring sends only generated frames" --pcap "$capture"
sent_by "mbuf (auto): the generator ring sends only frames of one size" --count 1k --size imix
sent_by "mbuf (auto): the generator ring sends only frames with one header" --count 1k --sport 1-9
sent_by "mbuf (auto): net_devx0 (mlx5_0): generator ring: a frame of 1514 bytes does not fit into a WQE (valid: at most 924 bytes)" \
	--count 1k --size 1518
sent_by mbuf --count 20k --sender mbuf
# a small ring: many laps; not a multiple of the packets in a WQE or in the ring
sent_by ring --count 100003 --sender ring --tx-ring 64
grep -q "^OK: 100,003 sent, 100,003 received" out || fail "not all arrived"
sent_by ring --count 30001 --sender ring --size 928 --both
sent_by ring --count 10k --sender ring --rate 50kpps --cores 1
grep -q "rate: offered 50.0 kpps, achieved 50.0 kpps" out || fail "the ring sends at another rate"
same $clean,drop=1/101,dup=1/103,reorder=1/107,corrupt=1/109 "${run[@]}" --count 20k --sender mbuf

# flows N: N flows on one queue
flows() {
	"$pktgen" "${run[@]}" -n 50 --print-config | python3 -c '
import json, sys
job = json.load(sys.stdin)
job["flows"] = [{**job["flows"][0], "name": f"flow {i}"} for i in range(int(sys.argv[1]))]
print(json.dumps(job))' "$1" > flows.json
	on_wire $clean 0 run --config flows.json
	grep -q "^OK: $(($1 * 50)) sent, $(($1 * 50)) received, 0 lost, 0 corrupted" out || fail "not all arrived"
}
flows 16
[ "$(grep -c '^flow [0-9]*: sender ring (auto)$' out)" -eq 16 ] || fail "16 flows of a queue have no ring each"
flows 17
[ "$(grep -c '^flow [0-9]*: sender mbuf (auto): the queue sends 17 flows (valid: at most 16)$' out)" -eq 17 ] || fail "17 rings of a queue"

echo "== a capture of signed frames beside generated flows with the same headers: each frame counts for its own flow"
# Same rate and same headers: a damaged frame has few bytes that differ from those of both flows.
look=(--packet "ethernet(src=02:de:c5:00:00:00,dst=02:de:c5:00:00:00)/ipv4/udp(checksum=0)" --rate 100kpps)
launch+=(--wire 1=sink)
on_wire "0=pcap:in=$capture,out=$work/signed.pcap" 0 "${send[@]}" "${look[@]}" --count 2000 --run 7
unset "launch[-1]" "launch[-1]"
"$pktgen" "${run[@]}" "${look[@]}" -n 2000 --print-config | python3 -c '
import copy, json, sys
job = json.load(sys.stdin)
live = job["flows"][0]
live["name"] = "live"
replay, back = copy.deepcopy(live), copy.deepcopy(live)
replay.update(name="replay", devx_capture={"file": "signed.pcap"})
del replay["packet"], replay["size"]
back.update(name="back", tx_rx={"choice": "port", "port": {"tx_name": live["tx_rx"]["port"]["rx_names"][0],
                                                         "rx_names": [live["tx_rx"]["port"]["tx_name"]]}})
job["flows"] = [live, replay, back]
json.dump(job, sys.stdout)' > beside.json
# sum WORD FLOW...: adds this counter of the flows
sum() {
	local total=0 flow

	for flow in "${@:2}"; do total=$((total + $(number "$flow:" "$1"))); done
	echo $total
}
for wire in $clean,corrupt=0.3 $clean,corrupt=0.3,seed=2 $clean,drop=0.04,dup=0.04,corrupt=0.2,reorder=0.04,seed=3; do
	on_wire $wire 1 run --config beside.json --run 8
	grep -q "^signed.pcap: 2,000 frames have the signature of run 7 of devx-pktgen$" out || fail "the plan does not say that the capture is signed"
	! grep -q "frames that belong to no flow" out || fail "frames that belong to no flow"
	for what in lost:dropped duplicated:duplicated corrupted:corrupted; do
		both=$(sum ${what%:*} live replay)
		[ "$both" = "$(number "wire 0" ${what#*:})" ] || fail "${what%:*}: live and replay $both, the wire $(number "wire 0" ${what#*:})"
		[ "$(sum ${what%:*} back)" = "$(number "wire 1" ${what#*:})" ] || fail "${what%:*} of back: other than the wire"
		[[ $wire = *drop* || $what = corrupted:* ]] || [ "$both" -eq 0 ] || fail "${what%:*}: $both, without such a fault"
	done
	[ "$(sum corrupted live)" -gt 300 ] && [ "$(sum corrupted replay)" -gt 300 ] || fail "one flow has the faults of the other"
	sed -n 's/^\(live\|replay\|back\): .* sent, /  &/p' out
done

echo "== SIGINT while the ring sends: every packet is counted"
PKTGEN_SIGNAL=2@200 on_wire $clean 130 "${run[@]}" -t 50s --sender ring
grep -q "^FAIL: .* 0 lost, 0 corrupted; interrupted" out || fail "lost some"
[ "$(number "flow 0" sent)" -gt 0 ] && [ "$(number "flow 0" sent)" = "$(number "flow 0" received)" ] ||
	fail "sent and received differ"

echo "== refusals"
refused() {
	on_wire $clean "$1" "${@:3}"
	grep -qF -- "$2" err || fail "no '$2'"
}
refused 3 "port net_devx0,ibdev=mlx5_7: " run --port net_devx0,ibdev=mlx5_7
# Without a netdev net_mlx5 refuses the device. EAL first logs at level INFO that it probes it.
refused 3 "port 0000:c1:00.0: " run --port 0000:c1:00.0
! grep -q "Probe PCI driver" err || fail "an INFO line of EAL as the reason"
refused 2 "--sender ring: the generator ring sends only generated frames" demo --pcap "$capture" --sender ring
refused 2 "--sender ring: the generator ring sends only frames of one size" demo --size 64-65 --sender ring
refused 2 "--sender ring: net_devx0 (mlx5_0): generator ring: a frame of 996 bytes does not fit into a WQE" demo --size 1000 --sender ring
refused 2 "--sender ring: the generator ring asks for no checksums" demo --sender ring --checksums port
refused 2 "--sender ring: port net_devx0,ibdev=mlx5_0 also sends answers" demo --sender ring --address 0=10.0.0.1/8
refused 2 "--checksums port: flow 0: the frames of a capture keep" demo --pcap "$capture" --checksums port
refused 2 "--checksums port: flow 0: a port cannot write a wrong checksum (udp)" demo --packet "ethernet/ipv4/udp(checksum=bad)" --checksums port
refused 2 "--rx-ring 3: invalid for port net_devx0" demo --rx-ring 3
refused 2 "devx-emu --mtu 8982" demo --size 9000
refused 2 "devx-emu --mtu 1501" demo --mtu 1501
refused 2 "--port net_devx0,ibdev=mlx5_1: the same port" run --port net_devx0,ibdev=mlx5_0 --port net_devx0,ibdev=mlx5_1

echo "== a port that takes no frame ends the run after 5 s"
on_wire $clean 1 "${send[@]}" --json run.json
grep -q "^FAIL: .*no frame for 5 s" out || fail "does not say so"
tail -n 1 run.json | grep -q '"record":"final","time_s":5\.0[0-9]*,' || fail "it did not end after 5 s"

pass
