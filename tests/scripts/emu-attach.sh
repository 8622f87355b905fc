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
expect 3 "is not a devx-emu" "$emu" --attach $$ -- true

# start_foreign [COMMAND...]: COMMAND starts the process $foreign, which has the path of a file in its environment
start_foreign()
{
	DEVX_EMU=$work/foreign/shared env "$@" sleep $WAIT_S &
	foreign=$!
	wait_until grep -qx sleep "/proc/$foreign/comm"
}

# try_foreign TEXT [COMMAND...]: devx-emu refuses to attach to such a process
try_foreign()
{
	start_foreign "${@:2}"
	expect 3 "$1" "$emu" --attach $foreign -- true
	kill $foreign
}
echo "paths that another user chose or may change"
dir=$(tr '\0' '\n' < "/proc/$program/environ" | sed -n 's/^DEVX_EMU=//p')
mkdir "$work/foreign"
cp "$dir" "$work/foreign/shared"
chmod 600 "$work/foreign/shared"
chmod 777 "$work/foreign"
try_foreign "others may change it"
chmod 700 "$work/foreign"
chmod 620 "$work/foreign/shared"
try_foreign "others may change it"
ln -sf /etc/passwd "$work/foreign/shared"
try_foreign "others may change it"
ln -sf "$dir" "$work/foreign/shared"
start_foreign
expect 0 "" "$emu" --attach $foreign -- sh -c '[ "$DEVX_EMU" = "'"$dir"'" ]' # the file itself, without the link
kill $foreign
rm "$work/foreign/shared"
try_foreign "is gone"
if [ "$(id -u)" -eq 0 ]; then
	try_foreign "belongs to user 65534 (valid: your own, user 0); run it as that user, as with: sudo -u '#65534' devx-emu" \
		setpriv --reuid=65534 --regid=65534 --clear-groups
else
	say "not tried: a process of another user, which only root can start"
fi

echo "the adapter outlives the attached programs, and ends with its own"
kill -0 $launcher || fail "the first devx-emu has ended"
exec 9>&-
wait $launcher || fail "the first devx-emu ended with $?"
expect 3 "no such process" "$emu" --attach $launcher -- true

pass
