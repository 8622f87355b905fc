#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# net_devx receives the frames that stock net_mlx5 receives, on the same queues and with the same
# hashes: with address lists, VLAN filter, modes, RSS functions, key and redirection table. The wire
# is a TAP in a network namespace of its own.
. "$(dirname "$0")/lib.bash"
enter_namespaces -Urn "$@"
frames=$(realpath "$(dirname "$0")/receive_frames.py")
. "$(dirname "$0")/testpmd.bash"
results=$work

# receive DRIVER STATE [TAG]: sends all frames; writes those that arrived to DRIVER.STATE
receive() {
	local before

	before=$(stat -c %s "$log")
	python3 "$frames" send emu0 "$mac" "$log" "${3-}" || fail "$1, $2: cannot send"
	tail -c +$((before + 1)) "$log" | tr -d '\r' > "$results/part"
	python3 "$frames" list "$results/part" > "$results/$1.$2" || fail "cannot read the output of testpmd"
	say "$1, $2: $(wc -l < "$results/$1.$2") frames," \
	    "$(grep -o 'queue [0-9]*' "$results/$1.$2" | sort -u | wc -l) queues"
}

# run_states DRIVER EAL_ARGS...
run_states() {
	local driver=$1 key

	shift
	say "== $driver"
	pmd_begin "$emu" --wire tap:emu0 -- dpdk-testpmd "${eal[@]}" "$@" -- "${interactive[@]}" --total-num-mbufs=16384 \
		--rxq=4 --txq=4 --nb-cores=1 --enable-hw-vlan-filter --rss-udp
	pmd_do "set promisc 0 off"
	pmd_do "set verbose 1"
	pmd_do "set fwd rxonly"
	pmd_do "start"
	receive "$driver" udp
	pmd_do "stop"
	pmd_do "port stop 0"
	pmd_do "port config all rss all"
	printf -v key '%02x' $(seq 1 40)
	pmd_do "port config 0 rss-hash-key ipv4 $key"
	pmd_do "port config 0 rss reta (0,3),(1,3),(2,0),(3,1)"
	pmd_do "port start 0"
	pmd_do "start"
	receive "$driver" key_and_table
	pmd_do "mac_addr add 0 02:00:00:00:01:01"
	pmd_do "mcast_addr add 0 01:00:5e:00:00:05"
	receive "$driver" lists
	pmd_do "set allmulti 0 on"
	pmd_do "rx_vlan add 7 0"
	receive "$driver" allmulti_vlan " vlan 7"
	pmd_do "set allmulti 0 off"
	pmd_do "rx_vlan add 0 0"
	if [ "$dpdk_abi" -ge 25 ]; then
		# There net_mlx5 writes only the unicast rules of a new VLAN at once. A start writes all of them.
		for step in stop "port stop 0" "port start 0" start; do pmd_do "$step"; done
	fi
	receive "$driver" vlan " vlan 7"
	pmd_do "set promisc 0 on"
	receive "$driver" promisc
	pmd_do "stop"
	pmd_quit
}

ip tuntap add dev emu0 mode tap || fail "cannot make a TAP"
echo 1 > /proc/sys/net/ipv6/conf/emu0/disable_ipv6
ip link set emu0 up mtu 1500
mac=$(ip -o link show emu0 | sed "s/.*link.ether \([0-9a-f:]*\).*/\1/")

run_states net_mlx5 -a 0000:c1:00.0
[ "$driver_dir" != none ] || pass "net_mlx5 received in each state"
run_states net_devx --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0
for state in "$results"/net_mlx5.*; do
	[ -s "$state" ] || fail "$state is empty"
	diff "$state" "$results/net_devx.${state##*.}" ||
		fail "state ${state##*.}: < net_mlx5 and > net_devx differ"
done
pass "net_devx received what net_mlx5 received"
