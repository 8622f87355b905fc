#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# pktgen-ports.sh PKTGEN LAUNCHER net_mlx5|DRIVER_DIR EVENTS COUNTERS
#
# Runs devx-pktgen with several queues, cores and ports: on two emulated ports, with net_devx (from
# DRIVER_DIR) or DPDK's own net_mlx5, and on ports that every DPDK has. EVENTS is a plugin that takes
# links down and removes devices after numbers of packets. COUNTERS prints what emu lost.
set -u
pktgen=$(realpath "${1:?}") emu=$(realpath "${2:?}") driver=${3:?} events=$(realpath "${4:?}") counters=$(realpath "${5:?}")
. "$(dirname "$0")/pktgen.bash"

if [ "$driver" = net_mlx5 ]; then
	# net_mlx5 needs netdevs, and receives frames only if they are up and promiscuous.
	need_taps
	need ip iproute2
	launch=(unshare -Urn "$emu" --ports 2 --netdev emu)
	program=(sh -c 'ip link set emu0 up promisc on && ip link set emu1 up promisc on && exec "$@"' - "$pktgen")
	two=(--port 0000:c1:00.0 --port 0000:c1:00.1)
else
	launch=("$emu" --ports 2)
	program=("$pktgen")
	two=(--port net_devx0,ibdev=mlx5_0 --port net_devx1,ibdev=mlx5_1)
	LD_LIBRARY_PATH="$(realpath "$driver")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
export LD_LIBRARY_PATH="$(dirname "$events"):$(dirname "$counters")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
plugins=(-d "$(basename "$events")" -d "$(basename "$counters")")

enter_work

# on_emu RC ARGS...: runs devx-pktgen on the two emulated ports. If all packets arrive, a long drain costs
# no time, and a busy machine may take its time to deliver them.
on_emu() {
	local drain=()

	[ "$1" -ne 0 ] || drain=(--drain 10s)
	run_it "$1" "${launch[@]}" --wire pair,pause=on -- "${program[@]}" run "${two[@]}" "${drain[@]}" "${@:2}"
	grep -q "^devx-emu: 0 protocol mistakes" err || fail "protocol mistakes"
}

# count_queues PORT COLUMN LEAST: prints how many queues of the port moved at least LEAST packets
count_queues() {
	awk -v port="$1" -v column="$2" -v least="$3" '
		$1 == port && $2 ~ /^[0-9]+$/ && NF >= 14 { gsub(",", "", $column); n += $column + 0 >= least }
		END { print n + 0 }' out
}

echo "== several queues: each sends its share of the flow, and RSS spreads the 5-tuples"
on_emu 0 -n 50001 --queues 4:3 --sport 1024-65535
grep -q "^OK: 50,001 sent, 50,001 received, 0 lost, 0 corrupted" out || fail "not all arrived"
# 4 streams in each of 3 queues
grep -q "^histograms of latency and jitter: up to 0.8 MiB;" out || fail "not the memory of 12 streams"
[ "$(count_queues 0 3 12500)" -eq 4 ] || fail "not four send queues with a quarter each"
[ "$(count_queues 1 9 5000)" -eq 3 ] || fail "not three receive queues with about a third each"
on_emu 0 -n 20k --queues 0=2:1 --queues 1=3:2 --both --src-ip 198.18.0.1-198.18.255.254 --sender mbuf
grep -q "^OK: 40,000 sent, 40,000 received, 0 lost, 0 corrupted" out || fail "not all arrived"
[ "$(count_queues 0 3 10000)/$(count_queues 1 3 6666)/$(count_queues 1 9 3000)" = 2/3/2 ] || fail "not 2, 3 and 2 queues"

# check_link PORT: the report says that the link of the port was down once, and when; emu lost as many packets. These are
# fewer than the 800 if emu notices the new state of a netdev late.
check_link() {
	awk -v port="port $1:" '/: the link went down$/ { down = $1 } /: the link came up$/ { up = $1 }
		index($0, port " the link was down 1 time, for ") == 1 { sum = $(NF - 1) }
		END { off = sum - (up - down); exit !(sum > 0 && off <= 0.11 && off >= -0.11) }' out ||
		fail "does not say when the link went down and came up, or another sum"
	tail -n 1 json | python3 -c "import json, sys; p = json.load(sys.stdin)['ports'][$1]
print('port $1: the link was down %d time, for %.3f s' % (p['link_downs'], p['link_down_s']))" > sum && grep -qxf sum out ||
		fail "the record for programs has another sum"
	lost=$(sed -n 's/^FAIL: .* received, \([0-9,]*\) lost.*/\1/p' out | tr -d ,)
	want=$(sed -n "s/^wire $1: .* \([0-9]*\) while the link was down$/\1/p" out)
	[ "${lost:-0}" -gt 0 ] && [ "$lost" = "$want" ] || fail "lost $lost, and emu $want while the link was down"
}

echo "== a link that goes down, and comes up 800 packets later"
if [ "$driver" = net_mlx5 ]; then
	WIRE_NETDEV=emu WIRE_EVENTS="600:down:1 800:up:1 600:int:0" \
		on_emu 130 -t 100s --rate 2kpps --json json -- "${plugins[@]}"
	check_link 1
	pass
fi
WIRE_EVENTS="600:down:0 800:up:0 600:int:0" on_emu 130 -t 100s --rate 2kpps --json json -- "${plugins[@]}"
check_link 0
! grep -q "port 1: the link" out || fail "port 1 was never down"

echo "== a device that vanishes: the run ends, and reports what arrived until then"
for port in 0 1; do
	# The sender may ring the doorbell of a queue that is gone: it cannot know that yet.
	WIRE_EVENTS="600:unplug:$port" run_it 1 "${launch[@]}" --wire pair,pause=on -- "$pktgen" run "${two[@]}" \
		-t 100s --rate 2kpps -- "${plugins[@]}"
	grep -q "^ *[0-9.]* s: port $port: the device was removed$" out || fail "does not say when"
	grep -q "^FAIL: .*; the device of port $port was removed$" out || fail "does not say why the run ended"
	received=$(sed -n 's/^FAIL: .* sent, \([0-9,]*\) received.*/\1/p' out | tr -d ,)
	[ "${received:-0}" -ge 1 ] || fail "does not count what arrived before"
done

cpus=$(nproc)
# The first CPU of the affinity mask, and one that does not exist.
cpu=$(taskset -pc $$ | sed 's/.*: *\([0-9]*\).*/\1/')

echo "== cores"
on_emu 0 -n 20k --cores 1
grep -q "^worker 0: CPU [0-9]* (NUMA node [0-9]*): receives port 1 queue 0; sends port 0 queue 0$" out ||
	fail "the worker does not do both"
on_emu 0 -n 20k --cores "$cpu-$cpu"
grep -q "^worker 0: CPU $cpu " out || fail "not on CPU $cpu"
if [ "$cpus" -ge 2 ]; then
	on_emu 0 -n 20k --cores 2
	grep -q "^worker 0: .*: receives port 1 queue 0$" out && grep -q "^worker 1: .*: sends port 0 queue 0$" out ||
		fail "not one worker for each direction"
	# More workers than directions: the sending port gets a queue for each.
	run_it 0 "$pktgen" run --port net_null0 --send-only -n 10k --cores 2
	grep -q "^worker 1: CPU .*: sends port 0 queue 1$" out || fail "no second send queue"
	[ "$(count_queues 0 3 5000)" -eq 2 ] || fail "not half of the packets in each queue"
	# hwloc can play a machine with two NUMA nodes; net_null is on node 0.
	HWLOC_SYNTHETIC="node:2 core:1 pu:1" run_it 0 taskset -c 0,1 "$pktgen" run --port net_null0 --send-only -n 10 --cores 1-1
	grep -q "WARNING: port net_null0: the workers of 1 of its queues are on another NUMA node.* node 0 " err ||
		fail "no warning of a far worker"
fi
run_it 0 taskset -c "$cpu" "$pktgen" run --port net_ring0 -n 10k
grep -q "^worker 0: any of 1 CPU: receives port 0 queue 0; sends port 0 queue 0$" out || fail "not one CPU for all"
run_it 0 "$pktgen" run --port net_ring0 -n 1k -- --lcores "(0,1)@$cpu"
grep -q "^worker 0: CPU $cpu " out || fail "does not show the CPU of EAL's lcore"

echo "== cores and queues that are impossible"
refused 2 "--cores: no CPU 1023 (valid: " run --port net_ring0 --cores 1023-1023
refused 2 "--cores four: must be auto, a number of workers (4), or CPUs (2-5,8)" run --port net_ring0 --cores four
refused 2 "--cores 0: must be 1 to 127 workers" run --port net_ring0 --cores 0
refused 2 "--cores and EAL options: both choose the CPUs; give one" run --port net_ring0 --cores 1 -- -l 0,1
refused 2 "--queues 4: must be TX:RX (4:2)" run --port net_ring0 --queues 4
refused 2 "port net_ring0: 17 send queues (valid: at most 16)" run --port net_ring0 --queues 17:1
refused 2 "port net_ring0: 2 receive queues, and the port has no RSS to spread frames over them (valid: 1); give --queues 1:1" \
	run --port net_ring0 --queues 1:2
[ "$cpus" -ge 127 ] || refused 2 "(valid: 1 to $cpus); give fewer workers" run --port net_ring0 --cores $((cpus + 1))
echo "+ one CPU, two workers"
taskset -c "$cpu" "$pktgen" run --port net_ring0 --cores 2 2> err
grep -qx "devx-pktgen: --cores: the program may use 1 CPU: $cpu (valid: 1 to 1); give fewer workers" err ||
	fail "does not name the CPU"

echo "== a device that EAL does not know: what the user may have meant"
# not_on_emu TEXT DEVICE...: like refused, on the emulated ports
not_on_emu() {
	local args=() device

	for device in "${@:2}"; do args+=(--port "$device"); done
	run_it 3 "${launch[@]}" -- "$pktgen" run "${args[@]}" || return
	grep -qxF "devx-pktgen: port ${*: -1}: no driver claims this device name; did you mean $1?" err || fail "no '$1'"
}
not_on_emu net_devx0,ibdev=mlx5_1 mlx5_1
not_on_emu net_devx1,ibdev=mlx5_1 "${two[1]}" mlx5_1
refused 3 "port net_rig7: no driver claims this device name; did you mean net_ring7?" run --port net_rig7
refused 3 "; did you mean net_null0,size=64?" run --port net_nul0,size=64
refused 3 "port lo: no driver claims this device name; did you mean net_af_packet1,iface=lo?" run --port net_null0 --port lo
if unshare -Urn ip link show > /dev/null 2>&1 && [ -w /dev/net/tun ]; then
	run_it 3 unshare -Urn "$emu" --ports 2 --netdev emu -- "$pktgen" run --port emu1
	grep -q "^devx-pktgen: port emu1: .*; did you mean net_devx0,ibdev=mlx5_1?$" err || fail "no RDMA device for the netdev"
fi
pci=$work/sys/bus/pci/devices/0000:05:00.0
mkdir -p "$pci" "$work/sys/bus/pci/drivers/e1000e"
for file in vendor=0x8086 device=0xfff0 subsystem_vendor=0x8086 subsystem_device=0 class=0x020000 numa_node=0; do
	echo "${file#*=}" > "$pci/${file%=*}"
done
printf '0x0 0x0 0x0\n%.0s' 1 2 3 4 5 6 7 > "$pci/resource"
ln -s ../../drivers/e1000e "$pci/driver"
export SYSFS_PATH=$work/sys SYSFS_PCI_DEVICES=$work/sys/bus/pci/devices
refused 3 "the kernel's driver e1000e has the device; if EAL has a driver for it: dpdk-devbind.py -b vfio-pci 0000:05:00.0" \
	run --port 0000:05:00.0
rm "$pci/driver"
refused 3 "no driver of the kernel has the device" run --port 0000:05:00.0
unset SYSFS_PATH SYSFS_PCI_DEVICES

pass
