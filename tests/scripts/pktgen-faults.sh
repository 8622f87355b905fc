#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# pktgen-faults.sh PKTGEN LAUNCHER net_mlx5|DRIVER_DIR COUNTERS CAPTURE STEP_CLOCK
#
# devx-pktgen counts the faults of wires as emu counts them: each kind, all together, with several seeds, sizes and captures.
set -u
. "$(dirname "$0")/pktgen_wire.bash"

echo "== every fault by itself"
for fault in drop dup reorder corrupt; do
	same $clean,$fault=1/97 "${run[@]}" --count 100k
	same $clean,$fault=0.02,seed=3 "${run[@]}" --count 100k
done

echo "== all together"
same $clean,drop=1/101,dup=1/103,reorder=1/107,corrupt=1/109 "${run[@]}" --count 300k
for seed in 1 2 3; do
	same $clean,drop=0.03,dup=0.05,reorder=0.04,corrupt=0.06,seed=$seed "${run[@]}" --count 100k
	same $clean,drop=0.03,dup=0.05,reorder=0.04,corrupt=0.06,seed=$seed "${run[@]}" --count 20k --size 1000
done
for sizes in imix random:64-1518; do
	same $clean,drop=0.03,dup=0.05,reorder=0.04,corrupt=0.06,seed=4 "${run[@]}" --count 30k --size $sizes
done
# The wire reorders frames of one conversation only; this flow has none with several frames.
same $clean,drop=0.03,dup=0.05,corrupt=0.06,seed=4 "${run[@]}" --count 30k \
	--src-ip 198.18.0.1-198.18.255.254 --dst-ip random:10.0.0.0-10.0.255.255 --sport 1024-65535 --dport random:1-65535
same $clean,corrupt=1 "${run[@]}" --count 20k
same $clean,dup=1 "${run[@]}" --count 20k

# near WIRE ARGS...: expects that lost minus duplicated is exact, and that lost is within 1 %. A damaged frame has a
# number near the one expected next, or belongs to no flow; then its number is lost.
near() {
	on_wire "$1" 1 "${@:2}"
	local lost=$(number "flow 0" lost) more=$(number "flow 0" duplicated)
	local dropped=$(number "wire 0" dropped) copied=$(number "wire 0" duplicated)
	local foreign=$(number "port 1" "frames\? that belongs\? to no flow")

	[ "$dropped" -gt 0 ] && [ "$copied" -gt 0 ] && [ $((lost - more)) -eq $((dropped - copied + ${foreign:-0})) ] ||
		fail "lost minus duplicated: $lost - $more, the wire $dropped - $copied, of no flow ${foreign:-0}"
	[ $((100 * lost)) -ge $((99 * dropped)) ] && [ $((100 * lost)) -le $((101 * dropped)) ] ||
		fail "lost $lost, the wire $dropped: more than 1 % off"
	echo "  $(grep '^flow 0: .* sent' out)"
}

echo "== faults in a capture: all kinds in one pass; several kinds in 300 passes"
for seed in 1 2 3 4 5; do
	same $clean,drop=0.03,dup=0.03,corrupt=0.03,reorder=0.03,seed=$seed "${run[@]}" --pcap "$capture" --loops 1
done
for fault in drop dup corrupt; do
	same $clean,$fault=1/97 "${run[@]}" --pcap "$capture" --loops 300
	same $clean,$fault=0.02,seed=5 "${run[@]}" --pcap "$capture" --loops 300
done
for seed in 1 2 3; do
	same $clean,drop=0.03,dup=0.03,seed=$seed "${run[@]}" --pcap "$capture" --loops 300
	# The capture has conversations of one and two frames, where reordering is not always visible.
	near $clean,drop=0.03,dup=0.03,corrupt=0.03,reorder=0.03,seed=$seed "${run[@]}" --pcap "$capture" --loops 300
done

echo "== a latency above 4.29 s, where the time in the signature begins again"
timeout $WAIT_S "${launch[@]}" --wire pair,delay=5s -- "${program[@]}" "${run[@]}" --count 100 --drain 20s --json run.json \
	> out 2> err || fail "exit status $?"
python3 - << 'END' || fail "another latency than the delay of the wire"
import json
flow = json.loads(open("run.json").readlines()[-1])["flows"][0]
got = flow["latency"]
assert got["frames"] == flow["frames_rx"] == 100 and flow["untimed"] == 0, flow
assert 5e9 <= got["minimum_ns"] <= got["p50_ns"] <= got["maximum_ns"], got
assert got["minimum_ns"] // 2**32 == 1, got
END
pass
