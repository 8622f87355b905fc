#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests that the uverbs front, which emulates Linux 6.12.107, gives the answers in answers.txt.
# Usage: native.sh DEVX-EMU DEVX-PROBES
here=$(cd "$(dirname "$0")" && pwd)
emu=$1 probes=$2
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

# devx-emu counts invalid commands as mistakes (status 125). Probes may make no other mistakes.
run() {
	"$emu" -- "$probes" "$@" >> "$tmp/answers" 2> "$tmp/log"
	got=$?
	case $got in
	0 | 125) ;;
	*) echo "FAILED: devx-probes $*: exit $got"; cat "$tmp/log"; failed=1 ;;
	esac
	if grep '^devx-emu: [0-9]* x ' "$tmp/log" | grep -v ' x a command '; then
		echo "FAILED: devx-probes $*: devx-emu counts mistakes other than invalid commands"
		failed=1
	fi
}

run
DEVX_EMU_CAPS=sys_rawio run no-net-raw
"$here/compare" "$here/answers.txt" 6.12.107 < "$tmp/answers" || failed=1
exit $failed
