#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# dpdk-forwarders.sh LAUNCHER DRIVER_DIR SKELETON L2FWD RXTX_CALLBACKS L3FWD
#
# DPDK's skeleton, l2fwd, rxtx_callbacks and l3fwd, unmodified, forward all frames from one port of net_devx to another
# one: with l3fwd by longest prefix and by exact match, on two queues. net_mlx5 is the control. The ports are named by
# their PCI addresses.
skeleton=$(realpath "$3") l2fwd=$(realpath "$4") rxtx_callbacks=$(realpath "$5") l3fwd=$(realpath "$6")
. "$(dirname "$0")/dpdk_example.bash"
for tap in emu0 emu1; do # net_mlx5 takes promiscuous mode from the netdev
	ip link set $tap promisc on || fail "cannot change the netdev $tap"
done

memory_mib=768 # for the hash of l3fwd

# the frames of tap_frames.py: UDP from 250 sources, from port 1000 to port 2000 of 2.1.1.1
echo 'R2.1.1.0/24 1' > lpm.v4
echo 'Rfd00:0:0:0:0:0:0:0/64 1' > lpm.v6
for ((i = 1; i <= 250; i++)); do
	echo "R2.1.1.1 1.1.1.$i 2000 1000 0x11 1"
done > em.v4
echo 'Rfd00:0:0:0:0:0:0:0 fd00:0:0:0:0:0:0:1 1 2 0x11 1' > em.v6

# run PROGRAM SIGNAL STATUS TEXT ARG...: the program prints TEXT when it is ready; SIGNAL ends it with STATUS
run() {
	program=$1
	say "== $driver: $(basename "$program") ${*:5}"
	example_begin "$4" "${@:5}"
	forward 5 50
	example_end "$2" "$3"
}

# run_l3fwd LOOKUP [OPTION]
run_l3fwd() {
	run "$l3fwd" INT 0 " -- lcoreid=1 portid=1 rxqueueid=1" -p 3 -P --config="(0,0,0),(0,1,1),(1,0,0),(1,1,1)" \
		--lookup="$1" --rule_ipv4="$1.v4" --rule_ipv6="$1.v6" "${@:2}"
}

for driver in net_mlx5 net_devx; do
	use_driver $driver
	lcores=0
	run "$skeleton" TERM 143 "forwarding packets" # it has no handler for signals
	run "$l2fwd" INT 0 " -- lcoreid=0 portid=1" -p 3 -q 2 -T 0
	run "$rxtx_callbacks" TERM 143 "forwarding packets"
	lcores=0-1
	run_l3fwd lpm
	run_l3fwd em --parse-ptype # it wants packet types of IPv4 options, which mlx5 devices do not report
done
pass "forwarders of DPDK on both drivers"
