#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_calls.sh CHECK: devtools/check-calls finds a call of a higher room, and nothing else.
set -eu
check=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/doc" "$tree/lib/low" "$tree/lib/middle" "$tree/lib/high" "$tree/build"
cat > "$tree/doc/rooms.txt" <<-'EOF'
	lib/low:
	lib/middle: lib/low
	lib/high: (lib/middle)
EOF

# compile: compiles the three files, and writes the list of them as meson does
compile() {
	separator='['
	: > "$tree/build/compile_commands.json"
	for room in low middle high; do
		cc -c -o "$tree/build/$room.o" "$tree/lib/$room/$room.c"
		printf '%s{"directory": "%s", "file": "../lib/%s.c", "output": "%s.o"}' "$separator" \
			"$tree/build" "$room/$room" $room >> "$tree/build/compile_commands.json"
		separator=', '
	done
	echo ']' >> "$tree/build/compile_commands.json"
}

# A call of open() means the C library, although another room defines open() too.
printf 'int open(void);\nint low(void) { return open(); }\n' > "$tree/lib/low/low.c"
printf 'int low(void); int middle(void) { return low(); }\n' > "$tree/lib/middle/middle.c"
printf 'int low(void), middle(void);\nint open(void) { return low() + middle(); }\n' > "$tree/lib/high/high.c"
compile
"$check" --tree "$tree" "$tree/build"

printf 'int middle(void);\nint low(void) { return middle(); }\n' > "$tree/lib/low/low.c"
compile
status=0
"$check" --tree "$tree" "$tree/build" > "$tree/out" || status=$?
cat "$tree/out"
[ $status -eq 1 ]
grep -Fqx 'lib/low/low.c:1: lib/low uses middle of lib/middle (middle.c), which is not below it (valid: none)' "$tree/out"
grep -q ': 1 wrong$' "$tree/out"

rm "$tree/build/"*.o
status=0
"$check" --tree "$tree" "$tree/build" || status=$?
[ $status -eq 1 ]
