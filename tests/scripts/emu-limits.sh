#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Limits of the front for a program: devx-emu warns in one line, once, and only then.
# Usage: emu-limits.sh DEVX-EMU LIMITS-PROGRAM STATIC-PROGRAM SANITIZED-PROGRAM
# A program that the compiler cannot build is "-".
emu=$1 limits=$2 static=$3 sanitized=$4
failed=0
[ "$static" = - ] || static=$(realpath "$static") || exit 1
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT

fail()
{
	echo "FAILED: $*"
	cat "$out"
	failed=1
}

# expect WARNINGS TEXT PROGRAM...: status 0 and so many lines with a warning, each with TEXT
expect()
{
	want=$1 text=$2
	shift 2
	"$emu" -- "$@" >"$out" 2>&1 || fail "exit $?: $*"
	[ "$(grep -c "^devx-emu: warning: " "$out")" -eq "$want" ] || fail "not $want warnings: $*"
	[ "$(grep "^devx-emu: warning: " "$out" | grep -c -- "$text")" -eq "$want" ] ||
		fail "does not say \"$text\": $*"
}

echo "no warning"
expect 0 "" true
expect 0 "" "$limits" open
expect 0 "" sh -c "'$limits' open && '$limits' open"

echo "processes that share the adapter: a child of fork, another program, a program with the descriptor"
expect 0 "" "$limits" fork
expect 0 "" "$limits" second
expect 0 "" sh -c "'$limits' second && '$limits' second"
expect 0 "" "$limits" pass

echo "the process that owns the adapter ends: by a signal, by exec"
expect 1 "EIO.*opened the device first has ended" "$limits" orphan
expect 1 "EIO.*opened the device first has ended" "$limits" replace

echo "private memory of a process that does not own the adapter"
expect 1 "EOPNOTSUPP.*private" "$limits" private

if [ "$static" != - ]; then
	echo "a static program, by its path and by PATH"
	expect 1 "statically linked" "$static"
	PATH=$(dirname "$static"):$PATH expect 1 "statically linked" "$(basename "$static")"
fi

if [ "$sanitized" != - ]; then
	echo "a program built with AddressSanitizer"
	expect 0 "" "$sanitized" open
	ASAN_OPTIONS=verify_asan_link_order=0 expect 0 "" sh -c "'$sanitized' open"
fi

[ $failed -eq 0 ] && echo "OK"
exit $failed
