#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# dpdk-read-clock.sh LAUNCHER READ_CLOCK DRIVER_DIR
#
# rte_eth_read_clock() of DPDK's net_mlx5 and of net_devx reads the same clock on emu, at exactly 156,250 kHz
# on a clock that the program holds. On a device with real-time timestamps, net_devx reads the clock of these,
# which gains 1/1000 in emu. net_mlx5 reads the free-running clock of 1 GHz.
# With "none" as DRIVER_DIR, net_mlx5 alone.
set -u
emu=$(realpath "$1") program=$(realpath "$2") dir=$3
. "$(dirname "$0")/lib.bash"
need_taps
make_work
eal=(--no-huge -m 64 --iova-mode=va --no-shconf --no-telemetry)
[ "$dir" = none ] || export LD_LIBRARY_PATH=$(realpath "$dir")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
cd /

# read_clock PROFILE NAME KHZ EAL-OPTIONS...: the clock of driver NAME has KHZ
read_clock() {
	expect 0 "$2" unshare -Urn "$emu" --netdev emu --profile "$1" -- "$program" "${eal[@]}" "${@:4}"
	awk -v name="$2:" -v khz="$3" '
		$1 == name && $3 == "kHz" { print; found = $2 == khz }
		END { exit !found }' "$work/out" || fail "$2: the clock of profile $1 does not run at $3 kHz"
}

mlx5=(-a 0000:c1:00.0) devx=(--no-pci -d librte_net_devx.so --vdev net_devx0,ibdev=mlx5_0)
read_clock cx6dx mlx5_pci 156250.0 "${mlx5[@]}"
read_clock realtime mlx5_pci 1000000.0 "${mlx5[@]}"
if [ "$dir" != none ]; then
	read_clock cx6dx net_devx 156250.0 "${devx[@]}"
	read_clock realtime net_devx 1001000.0 "${devx[@]}"
fi
pass
