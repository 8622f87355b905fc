#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# MAC, MTU and promiscuity belong to the kernel's netdev: what testpmd changes on a net_devx
# port with a TAP wire is seen by `ip link`; frames of the kernel's arrive at the port. In a
# network namespace of its own.
. "$(dirname "$0")/lib.bash"
enter_namespaces -Urn "$@"
. "$(dirname "$0")/testpmd.bash"

need ip iproute2

# link WORD: the value after WORD in what `ip link` says of the TAP
link() { ip -o link show emu0 | awk -v word="$1" '{ for (i = 1; i < NF; i++) if ($i == word) print $(i + 1) }'; }
flags() { ip -o link show emu0 | sed 's/.*<\(.*\)>.*/\1/'; }
expect_is() { [ "$2" = "$3" ] || fail "$1 is '$2', wanted '$3'"; say "$1: $2"; }

ip tuntap add dev emu0 mode tap || fail "cannot make a TAP"
ip link set emu0 up mtu 1500
before=$(link link/ether)

pmd_begin "$emu" --wire tap:emu0 -- dpdk-testpmd "${devx_eal[@]}" \
	--vdev net_devx0,ibdev=mlx5_0 -- "${interactive[@]}" --total-num-mbufs=8192
pmd_do "show port info 0"
[[ ${out^^} == *"MAC ADDRESS: ${before^^}"* ]] || fail "the port has not the TAP's MAC $before: $out"
[[ $out == *"Device error handling mode: proactive"* ]] || fail "the port does not recover its device: $out"

pmd_do "port stop 0"
pmd_do "port config mtu 0 1400"
expect_is "MTU of the netdev" "$(link mtu)" 1400
pmd_do "mac_addr set 0 02:00:00:00:00:07"
expect_is "MAC of the netdev" "$(link link/ether)" 02:00:00:00:00:07
pmd_do "port start 0"
pmd_do "set promisc 0 on"
[[ $(flags) == *PROMISC* ]] || fail "the netdev is not promiscuous: $(flags)"
pmd_do "set promisc 0 off"
[[ $(flags) != *PROMISC* ]] || fail "the netdev is still promiscuous: $(flags)"
pmd_do "set promisc 0 on"
pmd_do "port config mtu 0 65535"
[[ $out == *"device max MTU"* ]] || fail "MTU 65535 is not refused: $out"
expect_is "MTU of the netdev" "$(link mtu)" 1400

# Frames of the kernel's arrive at the port: datagrams to a neighbour. (It says nothing to one that
# it does not know yet but an ARP request a second, and of itself what IPv6 likes.)
pmd_do "set fwd rxonly"
pmd_do "start"
ip link set emu0 up
ip addr add 192.0.2.1/24 dev emu0 2> /dev/null
ip neigh add 192.0.2.3 lladdr 02:00:00:00:00:03 dev emu0
arrives() {
	echo hello > /dev/udp/192.0.2.3/9 || fail "cannot send"
	pmd_stats
	[ "${stats[0.RX-packets]}" -ge 3 ]
}
wait_until arrives || fail "${stats[0.RX-packets]} datagrams arrived"
say "frames from the kernel: ${stats[0.RX-packets]}"
pmd_do "stop"
pmd_quit

# Flags go back, MAC and MTU stay as the user set them.
[[ $(flags) != *PROMISC* ]] || fail "the netdev is promiscuous after close: $(flags)"
expect_is "MTU after close" "$(link mtu)" 1400
expect_is "MAC after close" "$(link link/ether)" 02:00:00:00:00:07

# Both drivers have the same counters of the port after the same frames. 64 frames go out; none comes in.
echo 1 > /proc/sys/net/ipv6/conf/emu0/disable_ipv6
has_sent() {
	pmd_ask "show port xstats 0"
	[[ $out == *"tx_phy_packets: 64"* ]]
}
# counters: xstats of the port that net_mlx5 has too, by name, and the speed of the link
counters() {
	pmd_do "start tx_first 2"
	pmd_do "stop"
	wait_until has_sent
	# net_mlx5 has no counter of pause frames.
	grep -E '^[rt]x_(phy|unicast|multicast|broadcast|prio|out_of_buffer:)' <<< "$out" | grep -v '^rx_phy_pause_packets:' | sort
	pmd_do "show port info 0"
	grep -E '^(Link speed|Link duplex|Autoneg)' <<< "$out"
	pmd_do "show port 0 flow_ctrl"
	grep -E 'pause: |Autoneg: ' <<< "$out"
}
pmd_begin "$emu" --wire tap:emu0 -- dpdk-testpmd "${devx_eal[@]}" \
	--vdev net_devx0,ibdev=mlx5_0 -- "${interactive[@]}" --total-num-mbufs=8192
devx=$(counters | grep -v '^testpmd>')
pmd_quit
pmd_begin "$emu" --wire tap:emu0 -- dpdk-testpmd "${eal[@]}" -a 0000:c1:00.0 -- "${interactive[@]}" --total-num-mbufs=8192
mlx5=$(counters | grep -v '^testpmd>')
pmd_quit
[[ $devx == *"tx_phy_packets: 64"* ]] || fail "net_devx does not count 64 frames: $devx"
[ "$devx" = "$mlx5" ] || fail "the drivers differ: $(diff <(echo "$devx") <(echo "$mlx5"))"
say "counters of net_devx and net_mlx5: $devx"
pass "port and netdev agree"
