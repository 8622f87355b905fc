#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# emu-ethtool.sh LAUNCHER TEST: the unmodified ethtool shows the netdev of a port as it shows
# mlx5_core's in a guest, and `rdma` of iproute2 its RDMA device. TEST is uverbs_ethtool_test. In a network namespace of its own.
set -u
if [ -z "${IN_NAMESPACE-}" ]; then
	unshare -Urn true 2> /dev/null || { echo "SKIP: this user may not create user and network namespaces"; exit 77; }
	[ -c /dev/net/tun ] || { echo "SKIP: no /dev/net/tun; load the kernel module tun"; exit 77; }
	PATH=$PATH:/usr/sbin:/sbin
	export PATH
	command -v ethtool > /dev/null || { echo "SKIP: no ethtool; install ethtool"; exit 77; }
	command -v rdma > /dev/null || { echo "SKIP: no rdma; install iproute2"; exit 77; }
	IN_NAMESPACE=yes exec unshare -Urn "$0" "$@"
fi
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
failed=0

# expect PATTERN: ethtool printed a line that matches
expect() {
	grep -q -E "^[[:space:]]*$1\$" "$out" && return
	echo "FAILED: no line \"$1\" in:"
	cat "$out"
	failed=1
}

# The kernel sends no frames of its own meanwhile.
{ echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6; } 2> /dev/null

# Every process of the launch sees the frames that the first one received.
"$1" --wire tap:devx-tap --counters -- sh -c '
	"$0" --gtest_filter="ethtool.statistics_count_*" > /dev/null && ethtool -i devx-tap && ethtool devx-tap &&
		ethtool -a devx-tap &&
		ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 sh -c "rdma link && rdma dev" && # rdma leaks
		ethtool -S devx-tap && ethtool -k devx-tap | grep scatter
	ethtool -m devx-tap' "$2" > "$out" 2>&1 || :
expect 'driver: mlx5_core'
expect 'firmware-version: .* \(EMU0000000001\)'
expect 'bus-info: 0000:c1:00.0'
expect 'link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev devx-tap ?'
expect '[0-9]+: mlx5_0: node_type ca fw .*'
expect 'Supported link modes: +100000baseCR4/Full ?'
expect 'Speed: 100000Mb/s'
expect 'Port: Direct Attach Copper'
expect 'Link detected: yes'
expect 'RX:[[:space:]]+off'
expect 'rx_vport_broadcast_packets: 10'
expect 'rx_broadcast_phy: 10'
expect 'rx_crc_errors_phy: 0'
expect 'scatter-gather: .*'
expect 'Cannot get module EEPROM information: Input/output error'
frames=$(sed -n 's/^ *rx_packets_phy: //p' "$out")
expect "devx-emu: port 0, .* received ${frames:-none} .*"
exit $failed
