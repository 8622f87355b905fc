#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# On a virtual function net_devx gives its netdev the same addresses and flags as stock net_mlx5 does,
# and removes them at close. An address of the administrator stays. On a physical function the netdev
# keeps its lists. The netdev is a TAP in a network namespace of its own.
#
# net_mlx5 of DPDK 22.11 removes no address with Linux 5.19 or later: it sets NLM_F_EXCL in its request,
# which has the value of NLM_F_BULK there. So removals are tested with net_devx only.
. "$(dirname "$0")/lib.bash"
enter_namespaces -Urn "$@"
. "$(dirname "$0")/testpmd.bash"
need bridge iproute2

admin=02:00:00:00:00:aa
devx=(--no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0)
# show: addresses and modes of the netdev, one in a line
show() {
	bridge fdb show dev emu0 | awk '{ print $1 }' | sort
	ip -o link show emu0 | grep -oE 'PROMISC|ALLMULTI'
}
# has MAC: whether the list of the netdev has the address
has() { show | grep -qx "$1"; }

# make_netdev: a new TAP, with an address in its list
own=02:00:00:00:00:01
make_netdev() {
	ip link delete emu0 2> /dev/null
	ip tuntap add dev emu0 mode tap || fail "cannot make a TAP"
	echo 1 > /proc/sys/net/ipv6/conf/emu0/disable_ipv6
	ip link set emu0 address "$own" mtu 1500
	ip link set emu0 up
	bridge fdb add "$admin" dev emu0 self || fail "cannot add an address to the TAP"
}

# begin PROFILE EAL_ARGS...
begin() {
	local profile=$1

	shift
	pmd_begin "$emu" --profile "$profile" --wire tap:emu0 -- dpdk-testpmd "${eal[@]}" "$@" -- \
		"${interactive[@]}" --total-num-mbufs=8192
}

# state: what show prints, in one line. net_mlx5 of DPDK 25.11 removes the groups of the kernel, all hosts and all nodes.
# That net_devx leaves them is tested below.
state() {
	local groups='^$'

	[ "$dpdk_abi" -lt 26 ] || groups='01:00:5e:00:00:01\|33:33:00:00:00:01'
	show | grep -v "$groups" | tr '\n' ' '
}
# has_state LINE: the netdev is as this line of $work/net_devx says
has_state() { [[ $(sed -n "$1p" "$work/net_devx") == *": $(state)" ]]; }

# run_states FILE PROFILE EAL_ARGS...: writes the state of the netdev after each step to FILE. net_mlx5 does not wait for the
# kernel's answer about modes: its states are compared with those of net_devx until they are equal.
run_states() {
	local file=$1 step n=0

	shift
	make_netdev
	show > "$work/before"
	begin "$@"
	pmd_do "set promisc 0 off"
	for step in "mac_addr add 0 02:00:00:00:01:01" "mac_addr add 0 02:00:00:00:01:02" \
		"mcast_addr add 0 01:00:5e:00:00:05" "mcast_addr add 0 01:00:5e:00:00:06" \
		"set allmulti 0 on" "set allmulti 0 off" "set promisc 0 on" "set promisc 0 off"; do
		pmd_do "$step"
		[ "$file" != "$work/net_mlx5" ] || wait_until has_state $((n += 1))
		echo "$step: $(state)" >> "$file"
	done
}

run_states "$work/net_devx" vf "${devx[@]}"
pmd_do "mac_addr remove 0 02:00:00:00:01:01"
pmd_do "mcast_addr remove 0 01:00:5e:00:00:05"
! has 02:00:00:00:01:01 && ! has 01:00:5e:00:00:05 || fail "removed addresses stay: $(show)"
has 02:00:00:00:01:02 && has 01:00:5e:00:00:06 || fail "other addresses are gone: $(show)"
pmd_do "port stop 0"
pmd_do "port start 0"
has 02:00:00:00:01:02 && has 01:00:5e:00:00:06 || fail "a restart lost addresses: $(show)"
pmd_do "set allmulti 0 on"
pmd_quit
diff "$work/before" <(show) || fail "net_devx leaves the netdev changed"
run_states "$work/net_mlx5" vf -a 0000:c1:00.0
pmd_quit
cat "$work/net_mlx5"
grep -q "01:00:5e:00:00:06 $own $admin 02:00:00:00:01:01 02:00:00:00:01:02 .*ALLMULTI" "$work/net_mlx5" ||
	fail "net_mlx5 does not see a VF"
diff "$work/net_mlx5" "$work/net_devx" || fail "< net_mlx5 and > net_devx differ"
run_states "$work/net_devx.pf" cx6dx "${devx[@]}"
! has 02:00:00:00:01:02 && ! has 01:00:5e:00:00:06 ||
	fail "net_devx changes the list of the netdev of a physical function"
pmd_quit

# Somebody else's entry stays, although the port has the same address.
make_netdev
begin vf "${devx[@]}"
pmd_do "mac_addr add 0 $admin"
pmd_do "mac_addr remove 0 $admin"
has "$admin" || fail "the port removed the address of the administrator"
pmd_do "mac_addr set 0 02:00:00:00:00:07"
has 02:00:00:00:00:07 && ! has "$own" || fail "the new address of the port did not replace $own: $(show)"
# The netdev refuses: one line, and the port does not have the address.
pmd_do "mac_addr add 0 02:00:00:00:01:03"
ip link delete emu0
pmd_do "mac_addr add 0 02:00:00:00:01:04"
[ "$(grep -c '^net_devx0 .*: cannot receive packets to another address' <<< "$out")" = 1 ] ||
	fail "the refusal is not one line: $out"
say "$(grep '^net_devx0 ' <<< "$out")"
pmd_quit

# inject MAC BYTES: the kernel sends 20 frames of BYTES to the address through the TAP
inject() {
	python3 - "$1" "$2" << 'END'
import socket, sys
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("emu0", 0))
frame = bytes.fromhex(sys.argv[1].replace(":", "")) + bytes.fromhex("02000000000988b5")
for _ in range(20):
    s.send(frame.ljust(int(sys.argv[2]), b"\0"))
END
}
# has_own: the port has received the 20 frames of 200 bytes to its own address; $others are those of 100 bytes
has_own() {
	local packets bytes

	pmd_stats
	packets=$((stats[0.RX-packets] - before_packets)) bytes=$((stats[0.RX-bytes] - before_bytes))
	others=$(((200 * packets - bytes) / 100))
	[ $((packets - others)) -ge 20 ]
}
# notices: number of lines of net_devx about trust
notices() { tr -d '\r' < "$log" | grep -c '^net_devx0 .*trust on'; }

# expect_frames FRAMES MAC: the port receives this many of 20 frames to the address, and those to its own, which come later
expect_frames() {
	local before_packets before_bytes others

	pmd_stats
	before_packets=${stats[0.RX-packets]} before_bytes=${stats[0.RX-bytes]}
	inject "$2" 100
	inject "$own" 200
	wait_until has_own || fail "the port does not receive the packets to its own address"
	[ $others -eq "$1" ] || fail "the port received $others of 20 packets to $2, not $1"
}

# try_promisc PROFILE FRAMES NOTICES: in promiscuous mode the port receives this many of 20 frames to another
# address; the driver prints this many lines about the trust of the host
try_promisc() {
	make_netdev
	begin "$1" "${devx[@]}"
	pmd_do "set fwd rxonly"
	pmd_do "start"
	for mode in promisc allmulti promisc; do
		pmd_do "set $mode 0 off"
		pmd_do "set $mode 0 on"
	done
	expect_frames "$2" 02:00:00:00:00:99
	say "profile $1: $2 of 20 packets to another address, $(notices) notices"
	[ "$(notices)" -eq "$3" ] || fail "profile $1: not $3 lines about trust: $(grep '^net_devx0 ' "$log")"
	pmd_quit
}
try_promisc vf 0 1
say "$(grep '^net_devx0 .*trust on' "$log")"
try_promisc vf-trusted 20 1
try_promisc cx6dx 20 0

# try_lists EAL_ARGS...: the switch before an untrusted VF forwards the addresses that the driver gave the netdev,
# and no others. In promiscuous mode the rules of the driver take all that arrives.
try_lists() {
	make_netdev
	begin vf "$@"
	pmd_do "set fwd rxonly"
	pmd_do "start"
	expect_frames 0 02:00:00:00:01:01
	expect_frames 0 01:00:5e:00:00:05
	pmd_do "mac_addr add 0 02:00:00:00:01:01"
	pmd_do "mcast_addr add 0 01:00:5e:00:00:05"
	expect_frames 20 02:00:00:00:01:01
	expect_frames 20 01:00:5e:00:00:05
	expect_frames 0 02:00:00:00:01:02
	expect_frames 0 01:00:5e:00:00:06
	pmd_quit
}
try_lists "${devx[@]}"
try_lists -a 0000:c1:00.0
pass "the netdev of a VF has the addresses of the port, promiscuous mode needs trust, and listed addresses do not"
