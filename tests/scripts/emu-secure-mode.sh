#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# devx-emu warns of a program that Linux starts in secure mode, where the loader ignores LD_PRELOAD, and of no other.
# The program is a copy of cat, which shows whether its process has libdevx-emu.so. Usage: emu-secure-mode.sh DEVX-EMU
emu=$(realpath "$1")
. "$(dirname "$0")/lib.bash"
make_work

user=65534
as_user=(setpriv "--reuid=$user" "--regid=$user" --clear-groups)

[ "$(id -u)" -eq 0 ] || skip "only root can give files rights; run it as root"
need setcap libcap2-bin
chmod 755 "$work"
cp "$(command -v cat)" "$work/plain"
setcap cap_net_raw+ep "$work/plain" 2> "$work/why" || skip "setcap: $(cat "$work/why")"
setcap -r "$work/plain"
! findmnt -nro OPTIONS -T "$work" | grep -qw nosuid || skip "$work is mounted with nosuid; set TMPDIR to another folder"
for file in "$emu" "$work/plain"; do
	"${as_user[@]}" test -x "$file" || skip "user $user may not run $file"
done

# show RIGHT PROGRAM [COMMAND...]: COMMAND runs devx-emu with PROGRAM. If RIGHT is "none", the process of PROGRAM has
# libdevx-emu.so and devx-emu does not warn. Otherwise the process lacks it, and one warning has RIGHT.
show()
{
	local right=$1 program=$2 wanted=yes warnings=0 loaded=no

	[ "$right" = none ] || wanted=no warnings=1
	expect 0 "" "${@:3}" "$emu" -- "$program" /proc/self/maps
	! grep -q "/libdevx-emu.so" "$work/out" || loaded=yes
	[ $loaded = $wanted ] || fail "libdevx-emu.so is loaded: $loaded (expected: $wanted): $*"
	[ "$(grep -c "^devx-emu: warning: " "$work/out")" -eq $warnings ] || fail "not $warnings warnings: $*"
	[ $warnings -eq 0 ] || says "$right"
}

# make NAME COMMAND...: makes a copy of cat, and changes it
make()
{
	cp "$work/plain" "$work/$1"
	"${@:2}" "$work/$1"
}
make caps setcap cap_net_raw+ep
make permitted setcap cap_net_raw+p
make inheritable setcap cap_net_raw+i
make setuid chmod 4755
make own chown $user
chmod 4755 "$work/own"
make setgid chmod 2755
make lock chmod 2745 # not executable for its group: Linux ignores the bit
printf '#! %s /proc/self/maps\n' "$work/caps" > "$work/script"
printf '#!%s\n' "$work/script" > "$work/script-of-script"
printf '#!%s\n' "$work/plain" > "$work/setuid-script"
chmod 4755 "$work/setuid-script" "$work/script" "$work/script-of-script"

echo "as user $user"
show none "$work/plain" "${as_user[@]}"
show "caps has file capabilities" "$work/caps" "${as_user[@]}"
says "(cp $work/caps COPY)"
show "has file capabilities" "$work/permitted" "${as_user[@]}"
show none "$work/inheritable" "${as_user[@]}"
show "is setuid" "$work/setuid" "${as_user[@]}"
show none "$work/own" "${as_user[@]}"
show "is setgid" "$work/setgid" "${as_user[@]}"
show none "$work/lock" "${as_user[@]}"
show "script: its interpreter $work/caps has file capabilities" "$work/script" "${as_user[@]}"
show "its interpreter $work/caps has file capabilities" "$work/script-of-script" "${as_user[@]}"
show none "$work/setuid-script" "${as_user[@]}"
show "has file capabilities" caps "${as_user[@]}" env "PATH=$work:$PATH"
show none "$work/setuid" "${as_user[@]}" --no-new-privs
show "has file capabilities" "$work/caps" "${as_user[@]}" --no-new-privs
cp "$work/caps" "$work/copy"
show none "$work/copy" "${as_user[@]}"

echo "as root"
show none "$work/caps"
show none "$work/setuid"
show "is setuid" "$work/own"
show none "$work/setgid"
chgrp $user "$work/setgid"
chmod 2755 "$work/setgid"
show "is setgid" "$work/setgid"

if unshare -m mount -t tmpfs tmpfs "$work" 2> /dev/null; then
	echo "in a file system that is mounted with nosuid"
	mkdir "$work/nosuid"
	inside='mount -t tmpfs -o nosuid tmpfs "$0" && cp "$1/own" "$0/own" && chown "$2" "$0/own" && chmod 4755 "$0/own" && shift 2 && exec "$@"'
	show none "$work/nosuid/own" unshare -m sh -c "$inside" "$work/nosuid" "$work" $user
else
	say "not tried: a file system with nosuid, because this user cannot mount one"
fi
pass
