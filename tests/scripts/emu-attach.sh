#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# devx-emu --attach: a second program on the adapter of a running devx-emu, and what is refused.
# Usage: emu-attach.sh DEVX-EMU OWNER-PROGRAM
emu=$1 owner=$2
. "$(dirname "$0")/lib.bash"
make_work

# The program holds the device until its standard input ends.
mkfifo "$work/fifo" || exit 1
"$emu" --quiet --ports 2 -- "$owner" cat < "$work/fifo" &
launcher=$!
exec 9> "$work/fifo"
runs() { program=$(pgrep -P $launcher) && pgrep -P "$program" > /dev/null; }
wait_until runs || { fail "the first program does not run"; exit 1; }

echo "by the process of devx-emu, and of its program: both ports are there"
expect 0 "mlx5_1" "$emu" --attach $launcher -- ibv_devinfo
expect 0 "PORT_ACTIVE" "$emu" --attach "$program" -- ibv_devinfo -d mlx5_1
expect 7 "seven" "$emu" --attach $launcher -- sh -c "echo seven; exit 7"

echo "refused"
expect 2 "only --quiet goes with it" "$emu" --attach $launcher --ports 2 -- true
expect 2 "invalid number" "$emu" --attach 1x -- true
expect 3 "is no devx-emu" "$emu" --attach $$ -- true

echo "the adapter outlives the attached programs, and ends with its own"
kill -0 $launcher || fail "the first devx-emu has ended"
exec 9>&-
wait $launcher || fail "the first devx-emu ended with $?"
expect 3 "no such process" "$emu" --attach $launcher -- true

pass
