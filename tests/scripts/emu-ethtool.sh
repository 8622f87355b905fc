#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# emu-ethtool.sh LAUNCHER TEST: the unmodified ethtool shows the netdev of a port as it shows
# mlx5_core's in a guest, and `rdma` of iproute2 its RDMA device. TEST is uverbs_ethtool_test. In a network namespace of its own.
set -u
. "$(dirname "$0")/lib.bash"
export PATH=$PATH:/usr/sbin:/sbin
need ethtool ethtool
need rdma iproute2
enter_namespaces -Urn "$@"
make_work

# expect_line PATTERN: ethtool printed a line that matches
expect_line() { grep -q -E "^[[:space:]]*$1\$" "$work/out" || fail "no line '$1'"; }

# The kernel sends no frames of its own meanwhile.
{ echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6; } 2> /dev/null

# Every process of the launch sees the frames that the first one received.
"$1" --wire tap:devx-tap --counters -- sh -c '
	"$0" --gtest_filter="ethtool.statistics_count_*" > /dev/null && ethtool -i devx-tap && ethtool devx-tap &&
		ethtool -a devx-tap &&
		ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 sh -c "rdma link && rdma dev" && # rdma leaks
		ethtool -S devx-tap && ethtool -k devx-tap | grep scatter
	ethtool -m devx-tap' "$2" > "$work/out" 2>&1 || :
expect_line 'driver: mlx5_core'
expect_line 'firmware-version: .* \(EMU0000000001\)'
expect_line 'bus-info: 0000:c1:00.0'
expect_line 'link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev devx-tap ?'
expect_line '[0-9]+: mlx5_0: node_type ca fw .*'
expect_line 'Supported link modes: +100000baseCR4/Full ?'
expect_line 'Speed: 100000Mb/s'
expect_line 'Port: Direct Attach Copper'
expect_line 'Link detected: yes'
expect_line 'RX:[[:space:]]+off'
expect_line 'rx_vport_broadcast_packets: 10'
expect_line 'rx_broadcast_phy: 10'
expect_line 'rx_crc_errors_phy: 0'
expect_line 'scatter-gather: .*'
expect_line 'Cannot get module EEPROM information: Input/output error'
frames=$(sed -n 's/^ *rx_packets_phy: //p' "$work/out")
expect_line "devx-emu: port 0, .* received ${frames:-none} .*"
pass
