#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# devx-loopback: exit statuses, --help, and the line about a frame that was lost or changed.
# Usage: devx-loopback.sh DEVX-EMU DEVX-LOOPBACK
emu=$1 loopback=$2
. "$(dirname "$0")/lib.bash"
make_work

expect 0 "1000 of 1000 frames came back" "$emu" -- "$loopback"
expect 0 "mlx5_1" "$emu" --ports 2 -- "$loopback" mlx5_1
expect 0 "Examples:" "$loopback" --help
expect 0 "devx-loopback (net-devx)" "$loopback" --version
expect 2 "mlx5_1" "$loopback" mlx5_0 mlx5_1
expect 2 "unrecognized option" "$loopback" --device
expect 3 "nonexistent" "$emu" -- "$loopback" nonexistent

echo "every 100th frame is lost: the first lost one is named, with the time"
expect 1 "no completion within 5 s" "$emu" --wire loop,drop=1/100,seed=7 -- "$loopback"
came_back=$(sed -n 's/.*: \([0-9]*\) of 1000 frames came back/\1/p' "$work/out")
grep -q "frame $((came_back + 1)) of 1000: .*$((999 - came_back)) more frames" "$work/out" ||
	fail "another number of frames"
expect 1 "frame 1 of 1000: came back with other bytes" "$emu" --wire loop,corrupt=1 -- "$loopback"

pass
