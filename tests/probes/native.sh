#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests that the uverbs front, which emulates Linux 6.12.107, gives the answers in answers.txt.
# Usage: native.sh DEVX-EMU DEVX-PROBES
here=$(cd "$(dirname "$0")" && pwd)
emu=$1 probes=$2
. "$here/../scripts/lib.bash"
make_work
logs=("$work/log")

# devx-emu counts invalid commands as mistakes (status 125). Probes may make no other mistakes.
run() {
	"$emu" -- "$probes" "$@" >> "$work/answers" 2> "$work/log"
	got=$?
	[ $got -eq 0 ] || [ $got -eq 125 ] || fail "devx-probes $*: exit status $got (valid: 0 or 125)"
	! grep '^devx-emu: [0-9]* x ' "$work/log" | grep -v ' x a command ' ||
		fail "devx-probes $*: devx-emu counts mistakes other than invalid commands"
}

run
DEVX_EMU_CAPS=sys_rawio run no-net-raw
"$here/compare" "$here/answers.txt" 6.12.107 < "$work/answers" || fail "other answers"
pass
