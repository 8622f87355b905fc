#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# pktgen-refusals.sh PKTGEN CAPTURE
#
# Checks what devx-pktgen refuses: it prints one line, ends with the documented status and sends no packet. It uses ports
# that every DPDK has (net_ring, net_null, net_pcap).
set -u
pktgen=$(realpath "${1:?usage: $0 PKTGEN CAPTURE}")
capture=$(realpath "${2:?usage: $0 PKTGEN CAPTURE}")

self=$(realpath "$0")
. "$(dirname "$0")/pktgen.bash"
enter_work

frames=$(count_frames "$capture")
ring=(run --port net_ring0)

echo "== usage"
refused 2 "no command"
refused 2 "frobnicate: unknown command" frobnicate
refused 2 "no port" run
refused 2 "--rate 0: must be above 0" "${ring[@]}" --rate 0
refused 2 "--flows 100001: is too large (valid: 1 to 100,000)" "${ring[@]}" --flows 100001
refused 2 "--flows 60000: makes 120000 flows on 2 ports (valid: at most 100000)" "${ring[@]}" --port net_ring1 --both --flows 60000
refused 2 "--flows 3: dst of ipv4 has 10 values" "${ring[@]}" --flows 3 --dst-ip 10.0.0.1-10.0.0.10
refused 2 "--flows and --pcap: " "${ring[@]}" --flows 3 --pcap "$capture"
refused 2 "--flows and --config: " run --flows 3 --config job.json
python3 -c 'print("{\"ports\": [{\"name\": \"a\", \"location\": \"net_ring0\"}], \"flows\": [" + "{}," * 100000 + "{}]}")' > many.json
refused 2 "many.json: flows: has 100001 elements (valid: at most 100000)" run --config many.json
refused 2 "--rate 5parsecs: must be max, or a number" "${ring[@]}" --rate 5parsecs
refused 2 "--rate -5Mpps: must be" "${ring[@]}" --rate=-5Mpps
refused 2 "--rate 99999999999999999999: is too large" "${ring[@]}" --rate 99999999999999999999
refused 2 "--rate 200%: is too large" "${ring[@]}" --rate 200%
refused 2 "--rate 10m: the suffix m is ambiguous" "${ring[@]}" --rate 10m
refused 2 "--count 0: must be 1 or more" "${ring[@]}" --count 0
refused 2 "--count 9999999G: is too large" "${ring[@]}" --count 9999999G
refused 2 "--count 100000000000000000000: is too large" "${ring[@]}" --count 100000000000000000000
refused 2 "--count 10m: the suffix m is ambiguous" "${ring[@]}" --count 10m
refused 2 "--count ten: must be a whole number" "${ring[@]}" --count ten
refused 2 "--duration 0: must be longer than 0" "${ring[@]}" --duration 0
refused 2 "--duration 5parsecs: must be a time" "${ring[@]}" --duration 5parsecs
refused 2 "--duration 10m: the suffix m is ambiguous" "${ring[@]}" --duration 10m
refused 2 "--size 63: is too small (valid: 64 to 10,000)" "${ring[@]}" --size 63
refused 2 "--size 10001: is too large" "${ring[@]}" --size 10001
refused 2 "--size 1519: port net_ring0 has MTU 1500 (valid: 64 to 1518 bytes); for this size give --mtu 1501" \
	"${ring[@]}" --size 1519
refused 2 "--size 64:9999,65:2: the weights add up to 10,001" "${ring[@]}" --size 64:9999,65:2
refused 2 "--size 2000: port net_ring0 has MTU 1500" "${ring[@]}" --size 64,2000
refused 2 "--size jmix: unknown name (valid: imix," "${ring[@]}" --size jmix
refused 2 "--checksums nic: unknown (valid: auto, port, software)" "${ring[@]}" --checksums nic
refused 2 "--timestamps nic: unknown (valid: auto, device, tsc)" "${ring[@]}" --timestamps nic
refused 2 "--timestamps device: port net_ring0: the port has no timestamps; give --timestamps tsc or auto" \
	"${ring[@]}" --timestamps device
refused 2 "--checksums port: flow 0: port net_ring0 has no IPV4_CKSUM UDP_CKSUM; give --checksums software or auto" \
	"${ring[@]}" --checksums port --packet ethernet/ipv4/udp
refused 2 "--size: frames of 64 bytes; the headers and the signature need 84 (valid: 84 to 10000)" \
	"${ring[@]}" --size 64:7,570:4,1518:1 --packet ethernet/ipv6/udp
refused 2 "--size 1518-64: the first size is above the last; give 64-1518" "${ring[@]}" --size 1518-64
refused 2 "--mtu 67: is too small (valid: 68 to 65,535)" "${ring[@]}" --mtu 67
refused 2 "--mtu 65536: is too large" "${ring[@]}" --mtu 65536
refused 2 "--rx-ring 1048576: is too large" "${ring[@]}" --rx-ring 1048576
refused 2 "--rx-ring 0: is too small" "${ring[@]}" --rx-ring 0
refused 2 "--tx-ring 65536: is too large" "${ring[@]}" --tx-ring 65536
refused 2 "--loops: no capture" "${ring[@]}" --loops 2
refused 2 "--loops and --count" "${ring[@]}" --pcap "$capture" --loops 2 --count 3
for frame in --size=64 --src-mac=02:00:00:00:00:01 --dst-mac=02:00:00:00:00:01 --src-ip=10.0.0.1 \
	--dst-ip=10.0.0.1 --sport=1 --dport=1; do
	refused 2 "${frame%=*} and --pcap" "${ring[@]}" $frame --pcap "$capture"
done
refused 2 "demo --send-only" demo --send-only
refused 2 "--both: 1 port" "${ring[@]}" --both
refused 2 "--port net_ring0: the same port" "${ring[@]}" --port net_ring0
refused 2 "3 ports (valid: 1, or an even number" run --port net_ring0 --port net_ring1 --port net_ring2
refused 2 "--src-mac 1: must be a MAC address" "${ring[@]}" --src-mac 1
refused 2 "--dst-ip 1.2.3: must be an IPv4 address" "${ring[@]}" --dst-ip 1.2.3
refused 2 "--sport 65536: must be a number from 0 to 65535" "${ring[@]}" --sport 65536
refused 2 "--dport 5-65536: last value of the range: must be a number from 0 to 65535" "${ring[@]}" --dport 5-65536
refused 2 "--sport random:9-8: the first value of the range is above the last" "${ring[@]}" --sport random:9-8
refused 2 "--packet ethernet/ipv5: ipv5: unknown header; did you mean ipv4?" "${ring[@]}" --packet ethernet/ipv5
refused 2 "--sport and --packet: the first is a field of the default packet" "${ring[@]}" --sport 9 --packet ethernet/ipv6/udp
refused 2 "--size: frames of 64 bytes; the headers and the signature need 96 (valid: 96 to 10000)" "${ring[@]}" --packet ethernet/ipv6/tcp
refused 2 "--src-ip 10.0.0.1-9: last value of the range: must be an IPv4 address" "${ring[@]}" --src-ip 10.0.0.1-9
refused 2 "no worker lcore" "${ring[@]}" -- -l 0

refused 2 "--sender fast: unknown (valid: auto, mbuf, ring)" "${ring[@]}" --sender fast
refused 2 "--sender ring: port net_null0 is of net_null; only net_devx has a generator ring; give --sender mbuf or auto" \
	run --port net_null0 --send-only --sender ring
refused 2 "--expect nat: unknown (valid: default, same, routed, routed-dscp, any)" "${ring[@]}" --expect nat
refused 2 "--expect: routed; the frames have no IP header that a router reads (valid: same, any)" "${ring[@]}" --expect routed \
	--packet ethernet/mpls/ipv4/udp
refused 2 "flow 0 expects other headers than it sends: port net_null0 has 2 receive queues" run --port net_null0 --queues 1:2 --expect any
refused 2 "--expect and --pcap: a capture has its own sizes and headers" "${ring[@]}" --expect any --pcap "$capture"
refused 2 "--speed: only with the times of the capture; give --timing original" "${ring[@]}" --pcap "$capture" --speed 2
for option in "timing original" "timing rate" "speed 2"; do
	refused 2 "--${option% *}: no capture; give --pcap FILE" "${ring[@]}" --$option
done
refused 2 "--timing original and --burst: a capture with its own times has no bursts" "${ring[@]}" --pcap "$capture" --timing original --burst 2 --burst-gap 1ms
refused 2 "--latency-log and --pcap: the frames of a capture have no latency" "${ring[@]}" --pcap "$capture" --latency-log log
[ ! -e log ] || fail "a latency log of a refused run"
for option in address=3=10.0.0.1 gateway=3=10.0.0.1 queues=3=1:1; do
	for ports in "--port net_ring0" "--port net_ring0 --print-config" "-- --vdev net_ring0"; do
		refused 2 "devx-pktgen: --${option%%=*} 3=: no such port (valid: 0 to 0)" run --$option $ports
	done
done
for name in $'net_ring0\n' $'net_ring\x1b[2J' $'net_ring\xc2\x9b' $'net_ring\xff' $'net_ring\xe2\x80\xae'; do
	refused 2 "has a control character, or is not UTF-8; check the name" run --port "$name"
done
refused 2 "--speed 0: must be a factor from 0.001 to 1000" "${ring[@]}" --pcap "$capture" --timing original --speed 0
refused 2 "--burst and --burst-gap: one is missing" "${ring[@]}" --burst 5
refused 2 "--rewrite-...: no capture" "${ring[@]}" --rewrite-ip 10.0.0.1=10.0.0.2
refused 2 "must be two networks" "${ring[@]}" --rewrite-ip 10.0.0.1
refused 2 "prefixes of 8 and 16 bits" "${ring[@]}" --rewrite-ip 10.0.0.0/8=11.0.0.0/16
refused 2 "one address is IPv4 and the other IPv6" "${ring[@]}" --rewrite-ip 10.0.0.1=::2
refused 2 "10.1.0.0/16: overlaps an earlier network" "${ring[@]}" --rewrite-ip 10.0.0.0/8=11.0.0.0/8 --rewrite-ip 10.1.0.0/16=12.1.0.0/16
refused 2 "--rewrite-src-mac 03:00:00:00:00:01: is a group address" "${ring[@]}" --rewrite-src-mac 03:00:00:00:00:01
refused 2 "--ramp: its unit differs from that of the rate of the flow" "${ring[@]}" --rate 1Mbps --ramp 10pps/1s
refused 2 "--ramp: its unit differs from that of the rate of the flow" "${ring[@]}" --ramp 10pps/1s
refused 2 "--ramp 10pps: must be a rate and a time" "${ring[@]}" --ramp 10pps
refused 2 "--ramp max/1s: a ramp cannot begin with max" "${ring[@]}" --ramp max/1s
refused 2 "--ramp and --burst: gaps between bursts cannot ramp" "${ring[@]}" --rate 1kpps --ramp 10pps/1s --burst 5 --burst-gap 1s
refused 2 "--count 7: is not a whole number of bursts" "${ring[@]}" --burst 5 --burst-gap 1ms -n 7

refused 2 "--rewrite-dst-mac 02:: must be a MAC address" "${ring[@]}" --rewrite-dst-mac 02:
refused 2 "10.0.0.300: is not an IP address" "${ring[@]}" --rewrite-ip 10.0.0.300=10.0.0.1
refused 2 "10.0.0.1/33: its prefix is invalid (valid: 0 to 32)" "${ring[@]}" --rewrite-ip 10.0.0.0/8=10.0.0.1/33
refused 2 "too many networks (valid: at most 16)" "${ring[@]}" $(for i in $(seq 17); do echo "--rewrite-ip 10.0.$i.0/24=11.0.$i.0/24"; done)
refused 2 "--timing soon: unknown (valid: original, rate)" "${ring[@]}" --pcap "$capture" --timing soon
refused 2 "too many addresses for one port (valid: at most 8)" "${ring[@]}" $(for i in $(seq 9); do echo "--address 0=10.0.0.$i/24"; done)
refused 2 "--port net_null32: too many ports (valid: at most 32)" run --send-only $(for i in $(seq 0 32); do echo "--port net_null$i"; done)
refused 2 "--print-config: no port" run --print-config
refused 2 "run: unknown command" "${ring[@]}" run
refused 2 "devx-pktgen: 3 ports (valid: 1, or an even number" run -- --vdev net_ring0 --vdev net_ring1 --vdev net_ring2
refused 2 "--both: 1 port (valid: 2); give --port twice" run --both -- --vdev net_ring0
refused 2 "EAL options: 64 given (valid: at most 5" "${ring[@]}" -- $(for i in $(seq 32); do echo "-d none$i"; done)

refused 2 "--timestamps device: port net_ring1: the port has no timestamps; give" run --port net_ring0 --port net_ring1 --timestamps device

echo "== a job file"
"$pktgen" "${ring[@]}" --print-config > job.json || fail "--print-config"
refused 2 "demo and --config: the job file has the ports and the flows" demo --config job.json
for option in "timing original" "speed 2"; do
	refused 2 "--${option% *} and --config: the job file has the ports and the flows" run --config job.json --$option
done
refused 2 "devx-pktgen: --queues 1=: no such port (valid: 0 to 0)" run --config job.json --queues 1=1:1
sed 's/"send_only": false/"send_only": true/' job.json > send.json
refused 2 "send.json: send_only and addresses: a port that does not receive can neither answer" run --config send.json --address 0=10.0.0.1

echo "== environment"
refused 3 "EAL options: no port; name one with --port DEVICE" run -- --no-pci
refused 3 "port net_frob0: no driver claims" run --port net_frob0
refused 3 "port net_pcap0,iface=frob9: " run --port net_pcap0,iface=frob9
refused 3 "Cannot find device" run --port 0000:ff:1f.7
for option in --frobnicate --vdev; do
	refused 3 "EAL does not start" "${ring[@]}" -- $option
	! grep -qv "^too few free hugepages" out || fail "a text of EAL"
done
refused 3 "Main lcore" "${ring[@]}" -- --main-lcore 77
refused 3 "/nonexistent.so" "${ring[@]}" -- -d /nonexistent.so
refused 3 "cannot set it: Operation not supported" "${ring[@]}" --mtu 9000

echo "== the monitor: which devx-pktgen it may show"
refused 2 "monitor 0: is invalid (valid: at most one process id)" monitor 0
refused 2 "monitor 2: is invalid (valid: at most one process id)" monitor 1 2
refused 2 "--interval 9ms: is too short (valid: 10ms or more)" monitor --interval 9ms
refused 2 "--count 0: must be 1 or more" monitor --count 0
refused 2 "4194305: no running devx-pktgen" monitor 4194305
refused 2 "$$: no running devx-pktgen" monitor $$
# monitors: in a namespace of process ids, in which no other devx-pktgen runs
monitors() {
	refused 3 "no devx-pktgen is running; start one with --allow-monitor" monitor
	"$pktgen" run --port net_null0 --send-only --rate 1kpps -t 1000s --no-huge > first 2>&1 &
	local first=$! second
	wait_until grep -q "^sending takes" first || fail "no first run"
	refused 3 "devx-pktgen $first: runs with --no-huge on ordinary memory" monitor
	refused 3 "devx-pktgen $first: runs with --no-huge on ordinary memory" monitor $first
	"$pktgen" run --port net_null0 --send-only --rate 1kpps -t 1000s --no-huge > second 2>&1 &
	second=$!
	wait_until grep -q "^sending takes" second || fail "no second run"
	refused 2 "2 devx-pktgen are running; give the process id of one" monitor
	refused 3 "devx-pktgen $second: runs with --no-huge on ordinary memory" monitor $second
	kill -INT $first $second
	wait
	pass
}
if unshare -Urpf --mount-proc true 2> /dev/null; then
	export -f monitors refused run_it fail pass say wait_until
	export pktgen WAIT_S
	unshare -Urpf --mount-proc --kill-child bash -c 'failures=() logs=(out err) ends_at_failure=; monitors' || fail "the monitor"
else
	say "not tried: the monitor, because this user has no namespaces of process ids"
fi

echo "== a report that cannot be written"
echo "+ stdout full, stdout closed, stdout read-only"
for stdout in "> /dev/full" ">&-" "1< /dev/null"; do
	rc=0
	eval "timeout 60 '$pktgen' run --port net_ring0 -n 1000 $stdout" 2> err || rc=$?
	[ $rc -eq 4 ] || fail "stdout $stdout: exit $rc, not 4"
	[ "$(wc -l < err)" -eq 1 ] && grep -q "^devx-pktgen: stdout: " err || fail "stdout $stdout: not one line"
done

echo "== captures"
: > empty.pcap
head -c 1000 "$capture" > cut.pcap
head -c 24 "$capture" > none.pcap
# with_packet FILE N [TYPE]: copies the capture and adds a packet of N bytes, of an EtherType (in hex)
with_packet() {
	cp "$capture" "$1"
	python3 - "$1" "$2" "${3:-0000}" <<- 'END'
		import struct, sys
		with open(sys.argv[1], "ab") as f:
		    n = int(sys.argv[2])
		    f.write(struct.pack("<4I", 0, 0, n, n) + (bytes(12) + bytes.fromhex(sys.argv[3]) + bytes(n))[:n])
	END
}
with_packet zero.pcap 0
with_packet long.pcap 70000
python3 -c 'import struct; open("sll.pcap", "wb").write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 113))'
refused 2 "missing.pcap: No such file or directory" "${ring[@]}" --pcap missing.pcap
refused 2 ".: is a directory" "${ring[@]}" --pcap .
refused 2 "empty.pcap: the file is empty" "${ring[@]}" --pcap empty.pcap
refused 2 "none.pcap: no packet in the file" "${ring[@]}" --pcap none.pcap
refused 2 "cut.pcap: packet " "${ring[@]}" --pcap cut.pcap
refused 2 "sll.pcap: link type is LINUX_SLL (113)" "${ring[@]}" --pcap sll.pcap
mkfifo fifo.pcap
refused 2 "fifo.pcap: is a device or pipe" "${ring[@]}" --pcap fifo.pcap
python3 -c 'import struct; open("odd.pcap", "wb").write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 60000))'
refused 2 "odd.pcap: link type is unknown (60000)" "${ring[@]}" --pcap odd.pcap
refused 2 "zero.pcap: packet $((frames + 1)) has 0 bytes" "${ring[@]}" --pcap zero.pcap
with_packet one.pcap 1
refused 2 "one.pcap: packet $((frames + 1)) has 1 byte (valid: 14 to" "${ring[@]}" --pcap one.pcap
refused 2 "long.pcap: packet $((frames + 1)) has 70000 bytes" "${ring[@]}" --pcap long.pcap
# An MTU of 1500 holds a frame of 1514 bytes, and 4 bytes more for a tag.
with_packet big.pcap 1515
refused 2 "big.pcap: packet $((frames + 1)) has 1515 bytes, port net_ring0 has MTU 1500 (valid: at most 1514 bytes); give --mtu 1501" "${ring[@]}" --pcap big.pcap
for type in 8100 88a8; do
	with_packet big.pcap 1520 $type
	refused 2 "has 1520 bytes, port net_ring0 has MTU 1500 (valid: at most 1518 bytes); give --mtu 1502" "${ring[@]}" --pcap big.pcap
done
refused 2 "cannot be read as a capture" "${ring[@]}" --pcap "$self"

pass
