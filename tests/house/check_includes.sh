#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_includes.sh CHECK: devtools/check-includes finds each kind of mistake, and nothing else.
set -eu
check=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/doc" "$tree/lib/low" "$tree/lib/high/part" "$tree/tests/other"

# rooms LINE...: writes doc/rooms.txt with these rooms
rooms() { printf '%s\n' "$@" > "$tree/doc/rooms.txt"; }

# expect STATUS LINE...: the check ends with STATUS, and prints as many lines as LINEs; each LINE is in one
expect() {
	status=0
	"$check" --tree "$tree" > "$tree/out" || status=$?
	cat "$tree/out"
	[ $status -eq "$1" ]
	shift
	[ "$(grep -c ' wrong$' "$tree/out")" -eq 1 ]
	[ "$(grep -vc ' wrong$' "$tree/out")" -eq $# ]
	for line; do grep -Fq "$line" "$tree/out"; done
}

echo 'int low(void);' > "$tree/lib/low/low.h"
printf '#include <stdio.h>\n#include "low/low.h"\n' > "$tree/lib/high/high.h"
printf '#include "../high.h"\n#include "part.h"\n' > "$tree/lib/high/part/part.c"
touch "$tree/lib/high/part/part.h"
rooms 'lib/low:' 'lib/high: lib/low' 'lib/high/part: lib/high (lib/low)' 'tests/other: lib/*'
expect 0

printf '\n#include "high/high.h"\n' > "$tree/lib/low/low.c"
expect 1 'lib/low/low.c:2: lib/low includes "high/high.h" of lib/high (valid: its own headers, and those of: none)'
rm "$tree/lib/low/low.c"

printf '#include "low/low.h"\n' > "$tree/lib/high/part/part.c"
expect 1 'lib/high/part/part.c:1: lib/high/part includes "low/low.h" of lib/low (valid: its own headers, and those of: lib/high)'
rm "$tree/lib/high/part/part.c"

# one header of a room that the line does not name
printf '#include "low/low.h"\n' > "$tree/lib/high/part/part.c"
rooms 'lib/low:' 'lib/high: lib/low' 'lib/high/part: lib/high lib/low/low.h' 'tests/other: lib/*'
expect 0
touch "$tree/lib/low/other.h"
printf '#include "low/other.h"\n' >> "$tree/lib/high/part/part.c"
expect 1 'lib/high/part/part.c:2: lib/high/part includes "low/other.h" of lib/low (valid: its own headers, and those of: lib/high lib/low/low.h)'
rm "$tree/lib/high/part/part.c" "$tree/lib/low/other.h"
rooms 'lib/low:' 'lib/high: lib/low' 'lib/high/part: lib/high lib/low/gone.h' 'tests/other: lib/*'
expect 1 'doc/rooms.txt:3: lib/low/gone.h: no such header'
rooms 'lib/low:' 'lib/high: lib/low' 'lib/high/part: lib/high (lib/low)' 'tests/other: lib/*'

# two programs with headers of one name: a test has those of its program
mkdir -p "$tree/apps/one/base" "$tree/apps/two/base" "$tree/tests/two"
touch "$tree/apps/one/base/clock.h" "$tree/apps/two/base/clock.h"
echo "include_directories('one', 'two')" > "$tree/apps/meson.build"
printf '#include "base/clock.h"\n' > "$tree/tests/two/clock_test.c"
rooms 'lib/low:' 'lib/high: lib/low' 'lib/high/part: lib/high (lib/low)' 'tests/other: lib/*' 'apps/one:' 'apps/two:' \
	'tests/two: apps/two'
expect 0
rm -r "$tree/apps" "$tree/tests/two"
rooms 'lib/low:' 'lib/high: lib/low' 'lib/high/part: lib/high (lib/low)' 'tests/other: lib/*'

mkdir "$tree/lib/new"
touch "$tree/lib/new/new.c"
expect 1 'lib/new/new.c:1: no room of doc/rooms.txt holds this file'
rm -r "$tree/lib/new"

rooms 'lib/low:' 'lib/high: lib/low lib/gone' 'lib/missing:' 'what is this' 'tests/other:'
expect 1 'doc/rooms.txt:3: lib/missing: no such folder' 'doc/rooms.txt:4: not a room: ' \
	'doc/rooms.txt:2: lib/gone: no such room'

rooms 'lib/low: (lib/high/part)' 'lib/high: lib/low' 'lib/high/part: lib/high' 'tests/other:'
expect 1 'doc/rooms.txt:1: these rooms reach each other: lib/high, lib/high/part, lib/low'

echo > "$tree/doc/rooms.txt"
rm -r "${tree:?}/lib" "$tree/tests"
expect 1 'doc/rooms.txt:1: no rooms'
