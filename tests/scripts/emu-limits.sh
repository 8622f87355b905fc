#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Limits of the front for a program: devx-emu warns in one line, once, and only then.
# Usage: emu-limits.sh DEVX-EMU LIMITS-PROGRAM STATIC-PROGRAM SANITIZED-PROGRAM
# A program that the compiler cannot build is "-".
emu=$1 limits=$2 static=$3 sanitized=$4
. "$(dirname "$0")/lib.bash"
make_work
[ "$static" = - ] || static=$(realpath "$static") || exit 1

# expect_warnings N TEXT PROGRAM...: status 0 and N lines with a warning, each with TEXT
expect_warnings()
{
	expect 0 "" "$emu" -- "${@:3}"
	[ "$(grep -c "^devx-emu: warning: " "$work/out")" -eq "$1" ] || fail "not $1 warnings: ${*:3}"
	[ "$(grep "^devx-emu: warning: " "$work/out" | grep -c -- "$2")" -eq "$1" ] || fail "does not say '$2': ${*:3}"
}

echo "no warning"
expect_warnings 0 "" true
expect_warnings 0 "" "$limits" open
expect_warnings 0 "" sh -c "'$limits' open && '$limits' open"

echo "processes that share the adapter: a child of fork, another program, a program with the descriptor"
expect_warnings 0 "" "$limits" fork
expect_warnings 0 "" "$limits" second
expect_warnings 0 "" sh -c "'$limits' second && '$limits' second"
expect_warnings 0 "" "$limits" pass

echo "the process that owns the adapter ends: by a signal, by exec"
expect_warnings 1 "EIO.*opened the device first has ended" "$limits" orphan
expect_warnings 1 "EIO.*opened the device first has ended" "$limits" replace

echo "private memory of a process that does not own the adapter"
expect_warnings 1 "EOPNOTSUPP.*private" "$limits" private

if [ "$static" != - ]; then
	echo "a static program, by its path and by PATH"
	expect_warnings 1 "statically linked" "$static"
	PATH=$(dirname "$static"):$PATH expect_warnings 1 "statically linked" "$(basename "$static")"
fi

if [ "$sanitized" != - ]; then
	echo "a program built with AddressSanitizer"
	expect_warnings 0 "" "$sanitized" open
	ASAN_OPTIONS=verify_asan_link_order=0 expect_warnings 0 "" sh -c "'$sanitized' open"
fi

pass
