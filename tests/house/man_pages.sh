#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Each man page has its sections and every long option of --help. man and mandoc, if installed,
# render it without a warning.
# Usage: man_pages.sh DIRECTORY DEVX-EMU DEVX-PKTGEN DEVX-LOOPBACK DEVX-MONITOR DEVX-BENCH|none DEVX-REPORT|none
dir=$1 emu=$2 pktgen=$3 loopback=$4 monitor=$5 bench=$6 report=$7
failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "FAILED: $*"
	failed=1
}

# check_page NAME PROGRAM [ARGUMENT]
check_page()
{
	name=$1 page=$dir/$1.1
	shift
	[ -s "$page" ] || { fail "no $page"; return; }
	# plain text, and the options that the section OPTIONS lists
	sed 's/\\f[BIPR]//g; s/\\-/-/g' "$page" >"$work/text"
	awk '/^\.SH/ { on = /OPTIONS/ } on && /^-/' "$work/text" |
		sed 's/^-[^-], //; s/[=[ ].*//' | sort -u >"$work/listed"
	"$@" --help >"$work/help" || fail "$name: --help exits with $?"
	examples=$(sed -n 's/^Examples:$/EXAMPLES/p' "$work/help")
	for section in NAME SYNOPSIS DESCRIPTION OPTIONS $examples; do
		grep -q "^\.SH \"*$section" "$page" || fail "$name.1: no section $section"
	done
	grep -q "^$name - ." "$work/text" || fail "$name.1: NAME has no summary"
	sed -n 's/^ *-[^-], --/  --/; s/^ \{1,10\}\(--[a-z-]*\).*/\1/p' "$work/help" |
		sort -u >"$work/options"
	[ -s "$work/options" ] || fail "$name: --help has no options"
	comm -23 "$work/options" "$work/listed" >"$work/missing"
	[ ! -s "$work/missing" ] || fail "$name.1: OPTIONS has no $(tr '\n' ' ' <"$work/missing")"
	if command -v man >/dev/null; then
		MANWIDTH=100 LC_ALL=C.UTF-8 man --warnings=all -l "$page" >"$work/out" 2>"$work/warnings" ||
			fail "$name.1: man exits with $?"
		[ ! -s "$work/warnings" ] || { fail "$name.1: man warns"; cat "$work/warnings"; }
		[ -s "$work/out" ] || fail "$name.1: man prints nothing"
	fi
	if command -v mandoc >/dev/null; then
		mandoc -T lint -W error "$page" || fail "$name.1: mandoc reports errors"
	fi
	echo "$name.1: $(wc -l <"$work/options") options"
}

check_page devx-emu "$emu"
check_page devx-emu-pci "$emu" pci
check_page devx-pktgen "$pktgen"
check_page devx-pktgen-monitor "$pktgen" monitor
check_page devx-loopback "$loopback"
check_page devx-monitor "$monitor"
[ "$bench" = none ] || check_page devx-bench "$bench"
[ "$report" = none ] || check_page devx-report "$report"
exit $failed
