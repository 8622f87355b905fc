#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# pktgen-cli.sh PKTGEN CAPTURE STEP_CLOCK
#
# Runs devx-pktgen on ports that every DPDK has (net_ring, net_null, net_pcap). Checks which options
# it takes, and how it ends after a signal. pktgen-refusals.sh has what it refuses.
# STEP_CLOCK (tests/pktgen/step_clock.c) makes rates and times exact, and raises the signals.
set -u
pktgen=$(realpath "${1:?usage: $0 PKTGEN CAPTURE STEP_CLOCK}")
capture=$(realpath "${2:?usage: $0 PKTGEN CAPTURE STEP_CLOCK}")
clock=$(realpath "${3:?usage: $0 PKTGEN CAPTURE STEP_CLOCK}")
export LD_LIBRARY_PATH="$(dirname "$clock")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

. "$(dirname "$0")/pktgen.bash"
enter_work

frames=$(count_frames "$capture")
# 12345 -> 12,345
comma() { sed ':a; s/\B[0-9]\{3\}\>/,&/; ta' <<< "$1"; }

# run_stepped RC ARGS...: runs devx-pktgen with the clock
run_stepped() {
	local eal=(--)

	case " ${*:2} " in *" -- "*) eal=() ;; esac
	run_it "$1" "$pktgen" "${@:2}" "${eal[@]}" -d "$(basename "$clock")"
}

# met TEXT ARGS...: expects exit status 0, TEXT on stdout and an empty stderr
met() {
	run_stepped 0 "${@:2}" || return
	grep -qF -- "$1" out || fail "no '$1'"
	[ ! -s err ] || fail "stderr is not empty"
}

# paced LEAST MOST ARGS...: expects that all packets arrive, from LEAST to MOST. A sender holds back what
# the time between two polls earns, of a fast rate some packets.
paced() {
	local sent

	run_stepped 0 "${@:3}" --cores 1
	sent=$(sed -n 's/^OK: \([0-9,]*\) sent.*/\1/p' out | tr -d ,)
	[ "${sent:-0}" -ge "$1" ] && [ "$sent" -le "$2" ] || fail "sent $sent (valid: $1 to $2)"
	grep -q "0 lost, 0 corrupted" out || fail "lost some"
}

ring=(run --port net_ring0)

echo "== what it does"
met "OK: 100,000 sent, 100,000 received, 0 lost, 0 corrupted" "${ring[@]}" -n 100k
grep -qx "port queue       tx packets          tx bytes   tx rate   tx bits       rx packets          rx bytes   rx rate   rx bits  drops" out ||
	fail "no head of the table"
met "OK: 1,000 sent, 1,000 received, 0 lost, 0 corrupted" "${ring[@]}" -n 1k --size 1518
for sizes in imix 64-1518 random:64-1518 64,512,1518 64:7,594:4,1518:1; do
	met "OK: 10,000 sent, 10,000 received, 0 lost, 0 corrupted" "${ring[@]}" -n 10k --size $sizes
done
grep -q "frames of 64:7,594:4,1518:1 bytes (mean 361.8)" out || fail "no sizes in the plan"
! grep -q "are raised" out || fail "raises sizes that fit"
# mixed MIX SIZES LEAST PACKET: all packets of a mix arrive; its short frames are raised to LEAST bytes
mixed() {
	met "OK: 12,000 sent, 12,000 received, 0 lost, 0 corrupted" "${ring[@]}" -n 12k --size "$1" --packet "$4"
	grep -q ", frames of $2 bytes (mean" out || fail "other sizes than $2"
	grep -qx "flow 0: $1: frames below $3 bytes are raised to $3, the least size with its headers and the signature" out ||
		fail "the plan does not say that sizes are raised"
}
mixed imix 84:7,570:4,1518:1 84 ethernet/ipv6/udp
mixed imix 100:7,570:4,1518:1 100 ethernet/vlan/ipv6/tcp
mixed imix 134:7,570:4,1518:1 134 ethernet/ipv4/udp/vxlan/ethernet/ipv6/udp
mixed ipv6_imix 84:5867,496:200,594:2366,1518:1567 84 ethernet/ipv6/udp
mixed standard_imix 64:5867,64:200,594:2366,1518:1567 64 ethernet/ipv4/udp
"$pktgen" "${ring[@]}" -n 1200 --size imix --packet ethernet/ipv6/udp --print-config > mix.json
met "OK: 1,200 sent, 1,200 received, 0 lost, 0 corrupted" run --config mix.json
grep -q ", frames of 84:7,570:4,1518:1 bytes (mean" out || fail "other sizes in a printed job"
python3 -c 'import json
job = json.load(open("mix.json"))
job["flows"][0]["size"] = {"choice": "weight_pairs", "weight_pairs": {"predefined": "ipv6_imix"}}
print(json.dumps(job))' > named.json
met "OK: 1,200 sent, 1,200 received, 0 lost, 0 corrupted" run --config named.json
grep -q "^flow 0: ipv6_imix: frames below 84 bytes are raised to 84" out || fail "a job file raises no sizes"
met "OK: $frames sent, $frames received, 0 lost, 0 corrupted" "${ring[@]}" --pcap "$capture"
met "OK: $(comma $((10 * frames))) sent, $(comma $((10 * frames))) received, 0 lost, 0 corrupted" "${ring[@]}" --pcap "$capture" --loops 10
met "OK: 1,000 sent, 1,000 received, 0 lost, 0 corrupted" "${ring[@]}" --pcap "$capture" -n 1000
met "OK: 5,000 sent, not verified (--send-only)" run --port net_null0 -n 5k --send-only
! grep -q "verify" out || fail "a time to verify, although the run verifies nothing"
met "OK: 5 sent, not verified (--send-only)" run --port net_null0 -n 5 --send-only --timestamps device
met "OK: 5 sent, 5 received" "${ring[@]}" -n 5 --rate max
met "OK: 2,000 sent, 2,000 received" run -n 2k -- --vdev net_ring0
met "flow 0: sender mbuf (auto): port net_ring0 is of net_ring; only net_devx has a generator ring" "${ring[@]}" -n 500
met "OK: 500 sent, 500 received" "${ring[@]}" -n 500 --sender mbuf
grep -qx "flow 0: sender mbuf" out || fail "no sender in the plan"
met "OK: 500 sent" "${ring[@]}" -n 500 --src-mac 02:00:00:00:00:01 --dst-mac 02:00:00:00:00:02 \
	--src-ip 10.0.0.1 --dst-ip 10.0.0.2 --sport 1 --dport 65535
run_stepped 0 "${ring[@]}" -n 5 --verbose
grep -q "^EAL: Detected" err || fail "no log of EAL with --verbose"
! grep -q "^TELEMETRY" err || fail "EAL has telemetry, and nobody asked for it"
# ordinary MIB STATUS ARG...: a run without huge pages takes so much memory
ordinary() {
	run_stepped "$2" "${@:3}"
	grep -qx -- "--no-huge given: EAL runs with --no-huge on $1 MiB of ordinary memory" out || fail "not on $1 MiB"
}
# 96 MiB; 14 for each queue; and the buffers of each queue, of 2304 bytes or of the longest frame: 8192, or for a longer ring
ordinary 160 0 "${ring[@]}" -n 5 --no-huge
ordinary 235 0 "${ring[@]}" -n 5 --no-huge --cores 1 --tx-ring 10000
ordinary 259 0 "${ring[@]}" -n 5 --no-huge --queues 4:1 --rx-ring 9000 --send-only
ordinary 176 2 "${ring[@]}" -n 5 --no-huge --size 3000
ordinary 270 3 "${ring[@]}" -n 5 --no-huge --mtu 9000
"$pktgen" "${ring[@]}" -n 5 --size 3000 --print-config > long.json
ordinary 176 2 run --no-huge --config long.json
ordinary 224 0 run -n 5 --no-huge -- --vdev net_ring0
run_stepped 0 "${ring[@]}" -n 5 -- --no-huge
! grep -q "ordinary memory" out || fail "a line about an option that the user gave to EAL"
met "Usage: devx-pktgen" --help
sed -nE '/^ [A-Z][a-z ]+:$/p; s/^ {2,6}((-., )?--[^ ]+).*/\1/p' out | tr '\n' ' ' | sed 's/  */ /g; s/ \([A-Z][a-z ]*:\)/\n\1/g; s/$/\n/' |
	sed '/^$/d; s/ $//' > options
cat > want <<- 'END'
	Ports: --both --config=FILE --mtu=BYTES --print-config -p, --port=DEVICE --rx-ring=N --tx-ring=N
	Frames: --dport=PORT --dst-ip=IP --dst-mac=MAC --expect=HOW --interface=INTERFACE --packet=HEADERS --pcap=FILE --rewrite-dst-mac=MAC --rewrite-ip=FROM=TO --rewrite-src-mac=MAC --speed=FACTOR --sport=PORT --src-ip=IP --src-mac=MAC -s, --size=SIZES --timing=NAME
	Amount and rate: --burst=N --burst-gap=TIME --checksums=NAME --delay=TIME --drain=TIME --flows=N --loops=N -n, --count=N --ramp=RATE/TIME --run=N -r, --rate=RATE --send-only --sender=NAME --timestamps=NAME -t, --duration=TIME
	Addresses: --address=PORT=IP/PREFIX --gateway=PORT=IP
	Cores: --cores=CORES --queues=TX:RX
	Reports: --all-flows --csv=FILE --interval=TIME --json=FILE --latency-log=FILE
	Other: --allow-monitor --no-huge -v, --verbose -?, --help --usage -V, --version
END
diff want options > diff || fail "the help has other options: $(cat diff)"
if type help2man > /dev/null 2>&1; then
	echo "+ help2man devx-pktgen"
	help2man -N -n "packet generator" "$pktgen" > out 2> err || fail "help2man refuses --help"
	for part in 'SH SYNOPSIS' 'SH OPTIONS' 'SH EXAMPLES' 'fB.-.-port'; do
		grep -q "$part" out || fail "no '$part' in the man page"
	done
fi
# EAL 25.11 refuses an option that comes twice: the user's option replaces that of devx-pktgen.
met "OK: 1,000 sent" "${ring[@]}" -n 1k -- --no-pci --no-telemetry --no-shconf --iova-mode=va
met "OK: 1,000 sent" "${ring[@]}" -n 1k -- --no-huge
met "OK: 1,000 sent" "${ring[@]}" -n 1k --no-huge -- -m 300
met "OK: 1,000 sent" "${ring[@]}" -n 1k -- --no-huge -m 200 --lcores '(0,1)@0'
met "--vdev" "${ring[@]}" -- --help
met "devx-pktgen " --version

for packet in "ethernet/vlan(id=1-9)/ipv6(src=2001:2::1-2001:2::ffff)/tcp(ctl_syn=1,dst_port=80;443)" \
	"ethernet/ipv4/udp/vxlan(vni=1-50)/ethernet/ipv4/sctp"; do
	met "OK: 20,000 sent, 20,000 received, 0 lost, 0 corrupted" "${ring[@]}" -n 20k --packet "$packet" --size 150-300
done
fields=(--src-ip 198.18.0.1-198.18.255.254 --dst-ip random:10.0.0.0-10.0.255.255 --sport 1024-65535 --dport random:1-9)
met "OK: 100,000 sent, 100,000 received, 0 lost, 0 corrupted" "${ring[@]}" -n 100k "${fields[@]}" --size imix
grep -qF "ipv4(dont_fragment=1,src=198.18.0.1-198.18.255.254,dst=random:10.0.0.0-10.0.255.255)/udp(checksum=0,src_port=1024-65535,dst_port=random:1-9), " out ||
	fail "no fields in the plan"

echo "== the plan of a flow: how many packets, when, and at which rate"
# planned TEXT ARG...: the line of the flow ends with TEXT
planned() {
	run_stepped 0 "${@:2}" --cores 1
	[ "$(sed -n 's/^flow 0: port 0 -> 0, .*)\/udp(checksum=0), frames of //p' out)" = "$1" ] || fail "not planned: $1"
}
planned "64 bytes, signed, checksums: software, 2 packets, as fast as possible" "${ring[@]}" -n 2
planned "64:1,128:1 bytes (mean 96.0), signed, checksums: software, 2 packets, at most 9s, after 0.01s, 1.00 Mpps" \
	"${ring[@]}" -n 2 --size 64,128 -t 9s --delay 10ms --rate 1Mpps
planned "64 bytes, checksums: software, 0.02s, 51.2 kb/s of frames" run --port net_null0 --send-only -t 20ms --rate 51.2kbps
planned "64 bytes, signed, checksums: software, 2 packets, 672 kb/s of the line" "${ring[@]}" -n 2 --rate 672kbps-line
planned "64 bytes, signed, checksums: software, 2 packets, 2.5% of the link" "${ring[@]}" -n 2 --rate 2.5%
planned "64 bytes, signed, checksums: software, 4 packets, bursts of 2 packets with gaps of 0.01s, as fast as possible" \
	"${ring[@]}" -n 4 --burst 2 --burst-gap 10ms
"$pktgen" "${ring[@]}" --print-config | python3 -c '
import json, sys
job = json.load(sys.stdin)
del job["flows"][0]["duration"]
print(json.dumps(job))' > endless.json
PKTGEN_SIGNAL=2@30 run_stepped 130 run --config endless.json --cores 1
grep -qx "sending lasts until Ctrl-C" out || fail "no end in the plan"

echo "== a capture from stdin, and at its own times"
run_stepped 0 "${ring[@]}" --pcap - --loops 3 < "$capture"
grep -q "^OK: 816 sent, 816 received, 0 lost" out || fail "not all frames of stdin"
# The capture takes 6.28 s: 1.57 s, and 50 ms to drain.
paced 272 272 "${ring[@]}" --pcap "$capture" --timing original --speed 4 --drain 50ms --json j
tail -n 1 j | grep -q '"record":"final","time_s":1\.63[0-9]*,.*"busy_s":1\.58' || fail "not 4 times as fast as the capture"
grep -q "later than in the capture: min 0 ns, .*, max [1-5].[0-9]* us" out || fail "does not say how late frames were"

echo "== bursts, a delay, and a rate of the line"
paced 640 640 "${ring[@]}" --burst 64 --burst-gap 20ms --delay 100ms -n 640
awk '/^flow 0: .* sent/ { n = 1 } /gap between packets/ { bad = 1 } END { exit !n || bad }' out || fail "gaps at no rate"
grep -q "640 packets, after 0.1s, bursts of 64 packets with gaps of 0.02s" out || fail "no bursts in the plan"
# 100 ms, and 9 gaps of 20 ms: the controller looks every 10 ms.
grep -q "^CPU time of 1 worker thread: .* in 0.280 s" out || fail "not the time of the gaps"
paced 1000 1000 "${ring[@]}" --rate 672kbps-line -n 1000
grep -q "rate: offered 1.00 kpps, achieved 1.00 kpps" out || fail "1000 frames of 84 bytes a second are 672 kb/s of the line"
grep -q "gap between packets: min 999 us, mean 1.00 ms, .*, max 1.00 ms" out || fail "no gaps of 1 ms"
paced 401 401 "${ring[@]}" --rate 1kpps --ramp 10pps/200ms -t 500ms
grep -q "10 pps at first, in 0.2s to 1.00 kpps" out || fail "no ramp in the plan"

echo "== a job file"
for flags in "--size imix --sport 1-1000 -n 5k" "--size random:64-200 --rate 9.5kbps -n 20" "--rate 40% -n 3k" \
	"--packet ethernet/vlan(id=5-9)/ipv6(src=mask:2001:2::/::ff)/udp(checksum=bad) --size 100-200/7 -n 5k --rate 0.5Mpps"; do
	"$pktgen" "${ring[@]}" $flags --print-config > first.json || fail "--print-config $flags"
	"$pktgen" run --config first.json --print-config > second.json || fail "cannot read the job of $flags"
	cmp first.json second.json || fail "another job than that of $flags"
	met "OK: " run --config first.json
done
refused 2 "--sport and --config: the job file has the ports and the flows" run --config first.json --sport 9
refused 2 "--port and --config: the job file has the ports and the flows" "${ring[@]}" --config first.json
printf '{"a\\u001b[31m\\n": 1}' > control.json
refused 2 'control.json: a\x1b[31m\x0a: unknown key' run --config control.json
refused 2 'a\x1b[31m: cannot open it' run --config $'a\e[31m'
refused 2 "nowhere.json: cannot open it: No such file or directory" run --config nowhere.json
sed -i 's/"pps"/"ppps"/' first.json
refused 2 "first.json: flows[0].rate.choice: ppps: unknown choice; did you mean pps?" run --config first.json

echo "== a mix of sizes and fields in a capture: weights, lengths and checksums"
met "OK: 1,200 sent" run --port net_pcap0,tx_pcap=mix.pcap -n 1200 --size imix --send-only "${fields[@]}"
python3 - mix.pcap <<- 'END' || fail "the frames are wrong"
	import struct, sys
	data, at, sizes, tos, dports = open(sys.argv[1], "rb").read(), 24, {}, set(), set()
	while at < len(data):
	    n = struct.unpack_from("=I", data, at + 8)[0]
	    frame, at = data[at + 16:at + 16 + n], at + 16 + n
	    words = sum(struct.unpack(">10H", frame[14:34]))
	    assert (words & 0xFFFF) + (words >> 16) == 0xFFFF, "IPv4 checksum"
	    assert struct.unpack_from(">H", frame, 16)[0] == n - 14, "IPv4 length"
	    assert struct.unpack_from(">H", frame, 38)[0] == n - 34, "UDP length"
	    seq = sum(sizes.values())
	    assert frame[26:30] == struct.pack(">I", 0xC6120001 + seq), "source address"
	    assert struct.unpack_from(">H", frame, 34)[0] == 1024 + seq, "source port"
	    assert frame[30:32] == bytes([10, 0]), "destination address"
	    tos.add(frame[30:34])
	    dports.add(frame[36:38])
	    assert int.from_bytes(frame[n - 14:n - 8], "big") == seq, "sequence"
	    sizes[n + 4] = sizes.get(n + 4, 0) + 1
	assert sizes == {64: 700, 570: 400, 1518: 100}, sizes
	assert len(tos) > 1150 and dports == {bytes([0, p]) for p in range(1, 10)}, dports
END

echo "== the rate is kept: packets, bits, percent, and bits of frames of different sizes"
paced 50000 50000 "${ring[@]}" -t 1s --rate 50kpps
paced 58593 58594 "${ring[@]}" -t 300ms --rate 100Mbps
paced 4238 4244 "${ring[@]}" -t 300ms --rate 40Mbps --size imix
grep -Eq "^ +0 +0 +4,2.. +1,(499|500|501),... .* 40\.0 Mb/s" out || fail "not 1.5 MB in 0.3 s"
paced 223208 223216 "${ring[@]}" -t 300ms --rate 5%
paced $((100 * frames)) $((100 * frames)) "${ring[@]}" --pcap "$capture" --loops 100 --rate 400Mbps
grep -Eq " 400 Mb/s +$(comma $((100 * frames)))" out || fail "not 400 Mb/s"

echo "== numbers have any decimals"
PKTGEN_STEP_NS=10000 paced 21 21 "${ring[@]}" -t 12.00000000000000000001s --rate 1.67777777777777777777pps
run_stepped 0 "${ring[@]}" -n 1 --rate 0.0001%
grep -q "0.0001% of the link" out || fail "not 0.0001 %"
refused 2 "--rate 0.0000001%: is too small (valid: at least 0.000001 pps, bps or %)" "${ring[@]}" -n 1 --rate 0.0000001%

echo "== a slow flow has a queue for each millionth of its unit, at most"
for rate in "0.000002pps 2" "0.000001pps 1"; do
	run_stepped 0 run --port net_null0 --send-only --cores 1 --queues 2:1 -t 10ms --rate ${rate% *}
	[ "$(grep -c '^flow 0, send queue [01]: sender mbuf' out)" -eq ${rate#* } ] || fail "not on ${rate#* } queues"
done

echo "== a rate above the speed of the link (net_ring: 10 Gb/s) gives a warning"
for rate in "7.7Gbps 1" "7.6Gbps 0" "15Mpps 1" "14.8Mpps 0" "10.1Gbps-line 1" "10Gbps-line 0"; do
	echo "+ --rate ${rate% *}"
	timeout 60 "$pktgen" "${ring[@]}" -n 1 --rate ${rate% *} -- -d "$(basename "$clock")" > out 2> err
	[ "$(grep -c "WARNING: --rate" err)" -eq ${rate#* } ] || fail "not ${rate#* } warnings"
done

echo "== a run of less than 100 ms is not judged by its rate"
met "rate not judged, because sending took" "${ring[@]}" -n 1000 --rate 14Mpps

echo "== time per packet and CPU time"
TIMEFORMAT="%U %S"
{ time paced 5000 5000 "${ring[@]}" -t 500ms --rate 10kpps >&3 2>&4; } 3>&1 4>&2 2> cpu
grep -q "time per packet, waiting included: make and sign 1000.0 ns, send 1000.0 ns" out || fail "no time per packet"
grep -q "^port 0, receive queue 0: verify 1000.0 ns per packet" out || fail "no time to verify"
# A worker uses CPU time, and no more than the whole process.
awk 'NR == FNR { all = $1 + $2; next }
	/^CPU time of 1 worker thread: / { ok = $7 > 0 && $7 <= all + 0.002 && $10 == 0.5 } END { exit !ok }' cpu out ||
	fail "no CPU time, or more than that of the process, which is $(cat cpu)"

grep -q "^ *rate: offered 10\.0 kpps, achieved 10\.0 kpps$" out || fail "no offered rate"
# The rings hand over frames without a limit of their own, so the CPU limits this rate.
run_stepped 1 "${ring[@]}" -t 300ms --rate 5Gpps
grep -q "^FAIL: .* 0 lost.* of the requested rate .*; the CPU is too slow" out || fail "no reason"

echo "== the time between Ctrl-Z and fg does not count"
echo "+ SIGTSTP after 0.7 s, SIGCONT an hour later"
# SIGTSTP does not stop an orphaned process group, as a test may have: set -m gives the program its own.
set -m
PKTGEN_SIGNAL=20@700 "$pktgen" "${ring[@]}" -t 2s --rate 2kpps --cores 1 -- -d "$(basename "$clock")" > out 2> err &
pid=$!
set +m
wait_for_run grep -qs "^State:.*stopped" /proc/$pid/status
kill -CONT $pid || fail "does not stop"
while kill -0 $pid 2> /dev/null; do wait $pid; done
grep -q "^OK: 4,000 sent, 4,000 received" out || fail "not the packets of 2 s"
grep -q "^ *1\.0 s sending: 2,001 sent, " out && ! grep -q "^ *[3-9]\.[0-9] s" out || fail "progress counts the pause"

# paused MS ARG...: runs with a pause of an hour after so many ms; the account has no trace of it
paused() {
	echo "+ SIGTSTP after $1 ms, SIGCONT an hour later: devx-pktgen ${*:2}"
	set -m
	PKTGEN_SIGNAL=20@$1 "$pktgen" "${ring[@]}" "${@:2}" --cores 1 --json j -- -d "$(basename "$clock")" > out 2> err &
	pid=$!
	set +m
	wait_for_run grep -qs "^State:.*stopped" /proc/$pid/status
	kill -CONT $pid || fail "does not stop"
	while kill -0 $pid 2> /dev/null; do wait $pid; done
}
# 1 to 2 packets/ms, in the first 200 of 400 ms. The pause is before the first packet, in the ramp, or in a gap.
for ms in 50 200; do
	paused $ms --delay 100ms -t 400ms --rate 2kpps --ramp 1kpps/200ms
	grep -q "^OK: 700 sent, 700 received, 0 lost" out || fail "not the packets of 400 ms"
	grep -q '"gap":{"frames":699,' j || fail "counts other gaps"
	# The pause is a part of the times of day if it came after the first packet, and of no rate.
	python3 -c '
import json, sys
flow = json.loads(open("j").readlines()[-1])["flows"][0]
for side in "tx", "rx":
    times, rate = flow[f"timestamps_{side}"], flow[f"frames_{side}_rate"]
    passed = (times["last_timestamp_ns"] - times["first_timestamp_ns"]) / 1e9
    assert 0.35 < passed - (3600 if sys.argv[1] == "200" else 0) < 0.45 and 1700 < rate < 1800, flow' $ms || fail "other times of day"
done
paused 70 --burst 10 --burst-gap 50ms -n 40
tail -n 1 j | grep -q '"record":"final","time_s":0\.2[5-7][0-9]*,.*"busy_s":0\.1[56]' || fail "not the time of three gaps"

echo "== the plan says how long sending takes; progress says how much is done"
paced 2500 2500 "${ring[@]}" -t 2500ms --rate 1kpps
grep -qx "sending takes 2.5 s" out || fail "no time in the plan"
for line in "1.0 s sending: 1,001 sent, 1,001 received, now 1.00 kpps, 40% done, 1.5 s left" \
	"2.0 s sending: 2,001 sent, 2,001 received, now 1.00 kpps, 80% done, 0.5 s left"; do
	grep -qx " *$line" out || fail "no line '$line'"
done
paced 50 50 "${ring[@]}" -n 50 --rate 500pps
grep -qx "sending takes 0.1 s, if the ports and the CPU keep up" out || fail "no time in the plan of a run with -n"
met "sending ends with the last packet; the ports decide" "${ring[@]}" -n 50
# left SHARE SECONDS ARG...: after 1 s, the progress has this share and this time left
left() {
	run_stepped 0 "${ring[@]}" "${@:3}" --cores 1
	grep -q "^ *1\.0 s sending: .*, $1 done, $2 left$" out || fail "not $1 and $2"
}
left 50% "1.0 s" --delay 1500ms -n 500 --rate 1kpps
left 38% "1.7 s" -n 3000 --rate 1500pps --ramp 500pps/2s
left 39% "1.6 s" --burst 10 --burst-gap 500ms -n 60 --rate 1kpps
# 50 packets in 50 ms, and one after 3 s
python3 - <<- 'END'
	import struct
	with open("uneven.pcap", "wb") as file:
	    file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
	    for ms in [*range(50), 3000]:
	        file.write(struct.pack("<4I", ms // 1000, ms % 1000 * 1000, 60, 60) + struct.pack(">I", ms) * 15)
END
left 33% "2.0 s" --pcap uneven.pcap --timing original
left 67% "0.5 s" --pcap uneven.pcap --timing original --speed 2

echo "== net_pcap writes signed frames, which can be replayed"
run_stepped 1 run --port net_pcap0,tx_pcap=sent.pcap,rx_pcap="$capture" -n 100
grep -q "FAIL: 100 sent, 0 received, 100 lost, 0 corrupted; nothing arrived on the way back to port 0; look at the link, the VLAN and the MTU of each device" out ||
	fail "not all lost, or not what to look at"
grep -q "also received $((frames - 12)) frames that belong to no flow" out || fail "does not count the frames of the capture as unknown"
grep -q "also received 12 fragments of IP packets" out || fail "does not count the fragments of the capture"
met "OK: 100 sent, 100 received, 0 lost, 0 corrupted" "${ring[@]}" --pcap sent.pcap

echo "== a signal gives status 128 + its number at every stage"
PKTGEN_SIGNAL=2@0 run_stepped 130 "${ring[@]}" -t 50s
grep -qx "devx-pktgen: interrupted by signal 2; sent no packet" err || fail "while EAL starts"
interrupt() { kill -INT $pid 2> /dev/null && false; }
mkfifo stdin
exec 9<> stdin
for args in "${ring[*]} --pcap -" "run --config -"; do
	echo "+ SIGINT while it waits for stdin: devx-pktgen $args"
	"$pktgen" $args < stdin 9>&- > out 2> err &
	pid=$!
	wait_for_run interrupt
	rc=0
	wait $pid || rc=$?
	[ $rc -eq 130 ] || fail "exit $rc, not 130"
	[ "$(cat err)" = "devx-pktgen: interrupted by signal 2; sent no packet" ] || fail "not this line"
done
exec 9>&-
echo "+ SIGINT after the plan"
"$pktgen" "${ring[@]}" -t 50s --rate 1Mpps > out 2> err &
pid=$!
wait_for_run grep -q "^flow" out
kill -INT $pid
rc=0
wait $pid || rc=$?
[ $rc -eq 130 ] || fail "exit $rc, not 130"
grep -q "^FAIL: .* 0 lost, 0 corrupted; interrupted" out || fail "not drained"
for signal in 1 2 15; do
	PKTGEN_SIGNAL=$signal@300 run_stepped $((128 + signal)) "${ring[@]}" -t 50s --rate 1kpps --cores 1
	grep -q "^FAIL: 301 sent, 301 received, 0 lost, 0 corrupted; interrupted" out || fail "while it sends"
done
PKTGEN_SIGNAL=2@150 run_stepped 130 "${ring[@]}" -t 100ms --rate 1kpps --cores 1
grep -q "^FAIL: 100 sent, 100 received, 0 lost, 0 corrupted; interrupted" out || fail "while it drains"
echo "+ SIGHUP is ignored, as nohup(1) does"
PKTGEN_SIGNAL=1@300 run_it 0 sh -c 'trap "" HUP; exec "$@"' sh \
	"$pktgen" "${ring[@]}" -t 500ms --rate 1kpps --cores 1 -- -d "$(basename "$clock")"
grep -q "^OK: 500 sent, 500 received" out || fail "SIGHUP ended a run under nohup"
echo "+ a terminal sends SIGHUP more than once: only another signal ends the wait for frames"
"$pktgen" run --port net_pcap0,tx_pcap=none.pcap,rx_pcap="$capture" --rate 1kpps -t 1000s --drain 1000s --csv c --interval 10ms > out 2> err &
pid=$!
wait_for_run has_lines sending, 3 c
for signal in HUP HUP HUP; do
	kill -$signal $pid
	wait_for_run has_lines draining, $(($(grep -c draining, c) + 6)) c
done
kill -TERM $pid
rc=0
wait $pid || rc=$?
[ $rc -eq 129 ] || fail "exit $rc, not 129"
grep -q "^FAIL: .* interrupted" out || fail "no result after SIGHUP"
echo "+ the terminal is closed: the records are complete"
cat > close_terminal <<- 'END'
	import os, pty, sys, time
	pid, terminal = pty.fork()
	if not pid:
	    os.execv(sys.argv[1], sys.argv[1:])
	while not os.waitpid(pid, os.WNOHANG)[0]:
	    if os.path.exists("records") and open("records").read().count("sending,") > 3:
	        os.close(terminal)
	        sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
	    time.sleep(0.02)
END
run_it 4 python3 close_terminal "$pktgen" "${ring[@]}" --rate 1kpps -t 1000s --csv records --interval 10ms
grep -q "^final,.*,0,0,0,0,0$" records || fail "no final record"

echo "+ SIGKILL; the next run works"
{ PKTGEN_SIGNAL=9@300 run_stepped 137 "${ring[@]}" -t 50s; } 2> /dev/null
met "OK: 1,000 sent" "${ring[@]}" -n 1000

echo "== an ordinary user's run leaves no file behind"
if unshare -U true 2> /dev/null; then
	mkdir run && chmod 777 . run
	run_it 0 env XDG_RUNTIME_DIR="$work/run" unshare -U "$pktgen" "${ring[@]}" -n 1000
	[ "$(find run)" = "run"$'\n'"run/dpdk" ] || fail "left: $(find run)"
	run_it 0 env XDG_RUNTIME_DIR="$work/missing" unshare -U "$pktgen" "${ring[@]}" -n 1000
fi

pass
