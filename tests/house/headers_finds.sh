#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# headers_finds.sh HEADERS.PY: the test of the headers finds a header that does not compile alone. It compiles a
# header again after a change of the header, of a file that it includes, or of the compiler. $CC is the compiler.
set -eu
headers=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lib/a" "$work/build"
cd "$work"

# write FILE LINE...: a file of the past, because the test does not trust a file that changes while it runs
write() {
	file=$1
	shift
	printf '%s\n' "$@" > "$file"
	touch -d yesterday "$file"
}
# expect STATUS TEXT: the test ends with STATUS, and prints TEXT
expect() {
	status=0
	"$headers" lib build/passed > "$work/out" 2>&1 || status=$?
	cat "$work/out"
	[ $status -eq "$1" ] && grep -qx "$2" "$work/out"
}

write lib/a/base.h 'struct base { int a; };'
write lib/a/user.h '#include "a/base.h"' 'struct user { struct base base; };'
write lib/a/last.h '#include "user.h"' 'struct last { struct user user; };'
write lib/other.h 'struct other { int a; };'
expect 0 '4 headers, 4 compiled, 0 do not compile alone'
expect 0 '4 headers, 0 compiled, 0 do not compile alone'

echo 'a header changes, then a header that two others include'
write lib/other.h 'struct other { int a, b; };'
expect 0 '4 headers, 1 compiled, 0 do not compile alone'
write lib/a/base.h 'struct base { long a; };'
expect 0 '4 headers, 3 compiled, 0 do not compile alone'

echo 'a header breaks; it is compiled each time until it is mended'
write lib/a/base.h 'struct base { missing_t a; };'
expect 1 '4 headers, 3 compiled, 3 do not compile alone'
expect 1 '4 headers, 3 compiled, 3 do not compile alone'
write lib/a/base.h 'struct base { long a; };'
expect 0 '4 headers, 3 compiled, 0 do not compile alone'
write lib/alone.h 'struct alone { struct base base; };'
expect 1 '5 headers, 1 compiled, 1 do not compile alone'
rm lib/alone.h
expect 0 '4 headers, 0 compiled, 0 do not compile alone'

echo 'an included header is gone'
mv lib/a/base.h .
expect 1 '3 headers, 2 compiled, 2 do not compile alone'
mv base.h lib/a
expect 0 '4 headers, 3 compiled, 0 do not compile alone'

echo 'a file changes while the test runs'
touch -d tomorrow lib/other.h
expect 0 '4 headers, 1 compiled, 0 do not compile alone'
write lib/other.h 'struct other { int a; };'
expect 0 '4 headers, 1 compiled, 0 do not compile alone'

echo 'the tree and the build directory move'
mkdir "$work/moved"
mv "$work/lib" "$work/build" "$work/moved"
cd "$work/moved"
expect 0 '4 headers, 0 compiled, 0 do not compile alone'

echo 'the compiler has another option; a run was cut off'
CC="${CC:-cc} -DNEW"
export CC
expect 0 '4 headers, 4 compiled, 0 do not compile alone'
echo '{"a/base.h": ["' > build/passed
expect 0 '4 headers, 4 compiled, 0 do not compile alone'
