#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# emu-looks.sh DEVX-EMU LOOKS EXPECTED
#
# Each function of libc that takes a path says the same of the device as a kernel (EXPECTED, which
# tests/guest/looks.sh compares too).
emu=$1 looks=$2 expected=$3
. "$(dirname "$0")/lib.bash"
make_work
export TMPDIR=$work
mknod "$work/node" c 0 0 2> /dev/null || skip "$work: its file system refuses device files; set TMPDIR"
expect 0 "devx-emu: 0 protocol mistakes" "$emu" -- "$looks"
diff "$expected" <(grep -v '^devx-emu: ' "$work/out") > "$work/differences" || {
	cat "$work/differences"
	fail "the calls above differ: < is Linux in a guest, > is emu"
}
# Linux lets only root open a file of sysfs with O_TRUNC.
truncate='import os; os.open("/sys/class/infiniband/mlx5_0/fw_ver", os.O_RDONLY | os.O_TRUNC)'
if [ "$(id -u)" -eq 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$emu"; then
	expect 0 "" "$emu" -- python3 -c "$truncate"
	TMPDIR=/tmp expect 1 "Permission denied" setpriv --reuid=65534 --regid=65534 --clear-groups "$emu" -- python3 -c "$truncate"
else
	say "not tried: an open with O_TRUNC by another user, which only root can become"
fi
pass
