#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Rx offloads, with DPDK's net_mlx5 first and then with net_devx: frames of several buffers,
# stripped VLAN tags (switched at run time), timestamps and keep-CRC. testpmd prints the fields of
# each mbuf and sends the frames back; their bytes are compared. In a network namespace of its own.
# Without net_devx (DRIVER_DIR is "none") net_mlx5 alone: then it is a test of emu.
. "$(dirname "$0")/lib.bash"
enter_namespaces -Urn "$@"
here=$(realpath "$(dirname "$0")")
. "$here/testpmd.bash"
need ip iproute2

send() { python3 "$here/rx_frames.py" emu0 "$1" || fail "$driver: $1"; }
# read_mbufs: waits until testpmd printed $1 more frames; $out is their text
read_mbufs() {
	wait_until shows_mbufs "$1" || fail "$driver: fewer than $1 frames: $out"
}
shows_mbufs() {
	out=$(tail -c +$((from + 1)) "$log" | tr -d '\r' | grep 'type=0x' | grep 'length=100 \|length=96 ')
	[ "$(wc -l <<< "$out")" -ge "$1" ]
}
# expect_mbuf LINE PATTERN: frame LINE of $out matches an extended regular expression
expect_mbuf() {
	local line

	line=$(sed -n "$1p" <<< "$out")
	[[ $line =~ $2 ]] || fail "$driver: frame $1 has no '$2': $line"
}

try_driver() {
	driver=$1
	shift
	say "== $driver"
	pmd_begin "$emu" --wire tap:emu0 -- dpdk-testpmd "${eal[@]}" "$@" -- \
		"${interactive[@]}" --forward-mode=io --total-num-mbufs=4096 --mbuf-size=2048 --max-pkt-len=9018 \
		--enable-scatter --enable-rx-timestamp --disable-crc-strip --tx-offloads=0x8000
	pmd_do "show port 0 rx_offload configuration"
	for name in SCATTER TIMESTAMP KEEP_CRC; do
		[[ $out == *"$name"* ]] || fail "$driver: the port does not have the offload $name: $out"
	done
	pmd_do "set promisc 0 on"
	pmd_do "start"
	send sizes
	pmd_do "set verbose 1"
	for strip in off on off; do
		pmd_do "vlan set strip $strip 0"
		from=$(stat -c %s "$log")
		send vlan
		read_mbufs 3
		# with "on", the C-tag of frames 1 and 3 is gone; frame 2 has an S-tag
		if [ $strip = on ]; then
			expect_mbuf 1 'length=96 .*VLAN tci=0x123 '
			expect_mbuf 2 'type=0x88a8 .*length=100 '
			expect_mbuf 3 'type=0x88a8 .*length=96 .*VLAN tci=0x789 '
		else
			expect_mbuf 1 'type=0x8100 .*length=100 '
			expect_mbuf 3 'type=0x8100 .*length=100 '
		fi
		expect_mbuf 1 'timestamp [1-9]'
	done
	pmd_quit
}

ip tuntap add dev emu0 mode tap || fail "cannot make a TAP"
ip link set emu0 mtu 9000 up
try_driver net_mlx5 -a 0000:c1:00.0
[ "$driver_dir" = none ] || try_driver net_devx --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0
pass "frames and fields of mbufs are as requested"
