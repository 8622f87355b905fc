#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_format.sh CHECK: devtools/check-format finds an unformatted file, and formats it. With
# --passed it checks a file again after a change of the file or of the settings.
set -eu
check=$1 source=$(cd "$(dirname "$1")/.." && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/lib" "$tree/drivers"
cp "$source/.clang-format" "$tree"
printf 'int formatted(void);\n' > "$tree/lib/a.h"
printf 'int formatted(void);\n\nint  not_formatted( void );\n' > "$tree/lib/b.c"
printf 'int broken_line(int a) { return a; }\n' > "$tree/drivers/c.c"

status=0
"$check" --tree "$tree" > "$tree/out" || status=$?
cat "$tree/out"
[ $status -ne 77 ] || exit 77
[ $status -eq 1 ]
grep -q '^lib/b.c:3: not formatted as clang-format 14 does; ' "$tree/out"
grep -q '^drivers/c.c:1: not formatted' "$tree/out"
if grep '^lib/a.h' "$tree/out"; then exit 1; fi

"$check" --tree "$tree" --fix
"$check" --tree "$tree"
grep -qx 'int not_formatted(void);' "$tree/lib/b.c"

# expect COUNT: the check with --passed finds this number of unformatted files
expect() {
	"$check" --tree "$tree" --passed "$tree/passed" | tee "$tree/out"
	grep -qx "3 files: $1 not formatted" "$tree/out"
}
expect 0
expect 0
sed -i 's/;$/ ;/' "$tree/lib/a.h"
expect 1
expect 1 # does not remember a file that failed
sed -i 's/ ;$/;/' "$tree/lib/a.h"
expect 0
sed -i 's/^IndentWidth: .*/IndentWidth: 4/' "$tree/.clang-format"
expect 1
