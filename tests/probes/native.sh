#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The uverbs front, which plays Linux 6.12, answers the table of probes as Linux does.
# Usage: native.sh DEVX-EMU DEVX-PROBES
here=$(cd "$(dirname "$0")" && pwd)
emu=$1 probes=$2
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

# Probes are bad commands; devx-emu counts them as mistakes (125), and nothing else may be one.
run() {
	"$emu" -- "$probes" "$@" >> "$tmp/answers" 2> "$tmp/log"
	got=$?
	case $got in
	0 | 125) ;;
	*) echo "FAILED: devx-probes $*: exit $got"; cat "$tmp/log"; failed=1 ;;
	esac
	if grep '^devx-emu: [0-9]* x ' "$tmp/log" | grep -v ' x a command '; then
		echo "FAILED: devx-probes $*: other mistakes than bad commands"
		failed=1
	fi
}

run
DEVX_EMU_CAPS=sys_rawio run no-net-raw
"$here/compare" "$here/answers.txt" 6.12 < "$tmp/answers" || failed=1
exit $failed
