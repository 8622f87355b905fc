#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# differ.sh LAUNCHER PROGRAM PLUGINS [OPTION...]: runs PROGRAM on an adapter of four ports, of which 0 and 1
# are connected, and 2 and 3. net_mlx5 needs netdevs: they are in a network namespace of the test.
# PLUGINS is the folder of DPDK's drivers.
#
# DIFFER_ARGS: further arguments of net_devx. DIFFER_MLX5_ARGS: arguments of net_mlx5.
# DIFFER_CPU: a flag that the processor needs. DIFFER_PROFILE: the device. DIFFER_COMPRESSED: it must compress CQEs.
set -u
launcher=$1 program=$2 plugins=$3
shift 3
. "$(dirname "$0")/../scripts/lib.bash"
ls "$plugins"/librte_net_mlx5.so* > /dev/null 2>&1 || skip "no librte_net_mlx5.so in $plugins; install librte-net-mlx5-23"
[ -z "${DIFFER_CPU:-}" ] || grep -qw "$DIFFER_CPU" /proc/cpuinfo || skip "the processor lacks $DIFFER_CPU"
need_taps
need ip iproute2
# ip and net_mlx5 leave memory at exit, which LeakSanitizer would report
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
# shellcheck disable=SC2016
exec unshare -Urn "$launcher" --profile "${DIFFER_PROFILE:-cx6dx}" --ports 4 --wire pair --mtu 9978 --netdev emu -- sh -c '
for n in 0 1 2 3; do
	echo 1 > /proc/sys/net/ipv6/conf/emu$n/disable_ipv6
	ip link set emu$n mtu 9978 up
done
exec "$@"' - "$program" "$@"
