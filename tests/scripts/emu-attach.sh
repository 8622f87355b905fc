#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# devx-emu --attach: a second program on the adapter of a running devx-emu, and what is refused.
# Usage: emu-attach.sh DEVX-EMU OWNER-PROGRAM
emu=$1 owner=$2
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
. "$(dirname "$0")/expect.sh"
. "$(dirname "$0")/wait.sh"

# The program holds the device until its standard input ends.
fifo=$out.fifo
mkfifo "$fifo" || exit 1
"$emu" --quiet --ports 2 -- "$owner" cat < "$fifo" &
launcher=$!
exec 9> "$fifo"
rm -f "$fifo"
runs() { program=$(pgrep -P $launcher) && pgrep -P "$program" > /dev/null; }
wait_until runs || { echo "FAILED: the first program does not run"; kill $launcher; exit 1; }

echo "by the process of devx-emu, and of its program: both ports are there"
expect 0 "mlx5_1" "$emu" --attach $launcher -- ibv_devinfo
expect 0 "PORT_ACTIVE" "$emu" --attach "$program" -- ibv_devinfo -d mlx5_1
expect 7 "seven" "$emu" --attach $launcher -- sh -c "echo seven; exit 7"

echo "refused"
expect 2 "only --quiet goes with it" "$emu" --attach $launcher --ports 2 -- true
expect 2 "invalid number" "$emu" --attach 1x -- true
expect 3 "is no devx-emu" "$emu" --attach $$ -- true

echo "the adapter outlives the attached programs, and ends with its own"
kill -0 $launcher || { echo "FAILED: the first devx-emu has ended"; failed=1; }
exec 9>&-
wait $launcher || { echo "FAILED: the first devx-emu ended with $?"; failed=1; }
expect 3 "no such process" "$emu" --attach $launcher -- true

[ $failed -eq 0 ] && echo "OK"
exit $failed
