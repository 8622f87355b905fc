#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# dpdk-read-clock.sh LAUNCHER READ_CLOCK DRIVER_DIR
#
# rte_eth_read_clock() of DPDK's net_mlx5 and of net_devx reads the same clock on emu, at exactly 156,250 kHz
# on a clock that the program holds.
# With "none" as DRIVER_DIR, net_mlx5 alone.
set -u
emu=$(realpath "$1") program=$(realpath "$2") dir=$3
. "$(dirname "$0")/lib.bash"
need_taps
make_work
eal=(--no-huge -m 64 --iova-mode=va --no-shconf --no-telemetry)
[ "$dir" = none ] || export LD_LIBRARY_PATH=$(realpath "$dir")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
cd /

# read_clock NAME EAL-OPTIONS...: the clock of driver NAME has 156250 kHz
read_clock() {
	expect 0 "$1" unshare -Urn "$emu" --netdev emu -- "$program" "${eal[@]}" "${@:2}"
	awk -v name="$1:" '
		$1 == name && $3 == "kHz" { print; found = $2 == "156250.0" }
		END { exit !found }' "$work/out" || fail "$1: the clock does not run at 156250 kHz"
}

read_clock mlx5_pci -a 0000:c1:00.0
[ "$dir" = none ] ||
	read_clock net_devx --no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0
pass
