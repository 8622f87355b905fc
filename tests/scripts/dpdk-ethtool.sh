#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# dpdk-ethtool.sh LAUNCHER DRIVER_DIR ETHTOOL
#
# DPDK's ethtool, unmodified, asks and changes two ports of net_devx. It answers as on two ports of net_mlx5, also to
# what neither driver supports. Its worker sends each received frame back.
. "$(dirname "$0")/dpdk_example.bash"

lcores=0-1
memory_mib=768
input=$work/commands
mkfifo commands
exec 8<> commands

# ask COMMAND...: gives a command, and waits until it is done
ask() {
	asked=$((asked + 1))
	echo "$*" >&8
	wait_for "EthApp>" $((asked + 1))
}

# shows_link Up|Down: ethtool shows this state of port 1
shows_link() {
	ask link
	[ "$(grep "^Port 1: [UD]" "$log" | tail -n 1)" = "Port 1: $1" ]
}

# answers DRIVER: what ethtool prints, without the name of the driver and its messages
answers() {
	driver=$1 asked=0
	ip link set emu0 address 02:00:00:00:00:10
	ip link set emu1 address 02:00:00:00:00:11
	ip link set emu0 mtu 1500
	ip link set emu1 mtu 1500
	use_driver "$driver"
	example_begin "EthApp>"
	python3 "$here/tap_frames.py" emu0 emu0 5 20 || fail "not all frames came back"
	python3 "$here/tap_frames.py" emu1 emu1 5 20 || fail "not all frames came back"
	ask portstats 0
	ask portstats 1
	grep -q "In: 100 (" "$log" && grep -q "Out: 100 (" "$log" || fail "ethtool does not count 100 frames"
	ask drvinfo
	ask link
	ip link set emu1 down
	wait_until shows_link Down || fail "ethtool does not see that the link is down"
	ip link set emu1 up
	wait_until shows_link Up || fail "ethtool does not see that the link is up"
	ask pause 0
	ask pause 0 full autoneg off
	ask ringparam 0
	ask ringparam 0 512 256
	ask ringparam 0
	ask mtu 0 1400
	ask mtu 0 99999
	ask macaddr 0
	ask macaddr 0 02:00:00:00:00:55
	ask macaddr 0
	ask macaddr 0 01:00:00:00:00:55
	ask validate 02:00:00:00:00:55
	ask validate 01:00:00:00:00:55
	ask vlan 0 add 5
	ask vlan 0 del 5
	ask rxmode 0
	ask eeprom 0 eeprom
	ask module-eeprom 0 module
	ask regs 0 registers
	ask stop 1
	ask open 1
	python3 "$here/tap_frames.py" emu1 emu1 5 20 || fail "not all frames came back after stop and open"
	ask portstats 1
	echo quit >&8
	example_wait 0
	# link is asked until it changes; a line of net_devx begins with the PCI address
	sed -n '/^Number of NICs/,$p' "$log" | grep -Ev "^(mlx5_net: |0000:c1:00|EthApp> link|Port . *: (Up|Down)|devx-emu: |$)" |
		sed 's/driver: [a-z0-9_]*/driver: NAME/' > "$driver"
}

answers net_mlx5
answers net_devx
[ "$(wc -l < net_devx)" -gt 40 ] || fail "ethtool printed too little: $(cat net_devx)"
diff net_mlx5 net_devx || fail "the drivers differ (see above; < is net_mlx5)"
cat net_devx
pass "ethtool prints the same with both drivers"
