#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# devx-monitor: counts the frames of a capture file, prints changes of the link, ends at Ctrl-C, and
# refuses wrong arguments in one line.
# Usage: devx-monitor.sh DEVX-EMU DEVX-MONITOR
emu=$(realpath "$1") monitor=$(realpath "$2")
. "$(dirname "$0")/lib.bash"
make_work
out=$work/out

# wait_for TEXT N: waits until a running devx-monitor has printed TEXT on N lines
wait_for() { wait_until has_lines "$@" "$out" || fail "no $2 lines with '$1' within $WAIT_S s"; }
# monitor_on WIRE: starts devx-monitor, and waits until it counts. end_monitor: ends it with Ctrl-C.
monitor_on()
{
	: >"$out"
	"$emu" --wire "$1" -- sh -c 'echo $$ >"$1"; exec "$2" mlx5_0 50' sh "$work/pid" "$monitor" >"$out" 2>&1 &
	launcher=$!
	wait_for "reading 1:" 1
}
end_monitor()
{
	kill -INT "$(cat "$work/pid")"
	wait $launcher || fail "devx-monitor ended with $?"
	wait_for "0 protocol mistakes" 1
}

if [ "${3-}" = on-tap ]; then
	monitor_on tap:t0
	ip link set t0 up && wait_for "link up" 1
	downs=$(grep -c "link down" "$out")
	ups=$(grep -c "link up" "$out")
	ip link set t0 down && wait_for "link down" $((downs + 1))
	ip link set t0 up && wait_for "link up" $((ups + 1))
	end_monitor
	pass
fi

expect 0 "Examples:" "$monitor" --help
expect 0 "devx-monitor (net-devx)" "$monitor" --version
expect 2 "unrecognized option" "$monitor" --device
for ms in 0 -- 3600001 1s ''; do
	expect 2 "\"$ms\" is invalid (valid: 1 to 3600000)" "$monitor" -- mlx5_0 "$ms"
done
expect 2 "COUNT: \"0\" is invalid" "$monitor" mlx5_0 1 0
expect 2 "four: too many arguments" "$monitor" mlx5_0 1 1 four
expect 3 "nonexistent" "$emu" -- "$monitor" nonexistent
expect 0 "2 readings, 0 frames" "$emu" -- "$monitor" mlx5_0 1 2

echo "five frames have the EtherType, two have another one; they come after 2 s"
python3 - "$work/frames.pcap" <<'EOF'
import struct
import sys

with open(sys.argv[1], "wb") as f:
    f.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
    for ethertype in 5 * [0x88b5] + 2 * [0x0800]:
        frame = bytes.fromhex("02dec5000000" "020000000001") + struct.pack(">H", ethertype) + bytes(46)
        f.write(struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame)
EOF
monitor_on "pcap:in=$work/frames.pcap,delay=2s"
wait_for ": 5 frames, 5 more" 1
wait_for ": 5 frames, 0 more" 1
end_monitor
wait_for "readings, 5 frames" 1

echo "the netdev of a TAP wire goes up, down and up"
if unshare -Urn true 2>/dev/null && [ -c /dev/net/tun ]; then
	unshare -Urn "$0" "$emu" "$monitor" on-tap || fail "on a TAP"
else
	echo "SKIP of this part: no namespaces or no /dev/net/tun"
fi

pass
