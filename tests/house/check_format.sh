#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_format.sh CHECK: devtools/check-format finds an unformatted file, and formats it.
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
