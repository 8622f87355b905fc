#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tutorial.sh BUILD TUTORIAL: the commands of doc/tutorial.md run, one after the other in one shell, and
# print the lines that the page shows after them.
#
# The page builds with `devtools/build gcc`. This test runs inside such a build: a tree of links shows it BUILD
# under the name that the page uses.
set -eu
build=$1 page=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/clone/devtools" "$work/clone/build"
ln -s "$build" "$work/clone/build/gcc"
printf '#!/bin/sh\n[ "$*" = gcc ]\n' > "$work/clone/devtools/build"
chmod +x "$work/clone/devtools/build"

# The blocks marked sh are the commands; blocks without a mark show lines of output.
awk '
	/^```sh$/ { commands = 1; next }
	/^```$/ && !commands && !output { output = 1; next }
	/^```$/ { commands = output = 0; next }
	commands { print > script }
	output && !/^\.\.\.$/ { print > expected }
' script="$work/script" expected="$work/expected" "$page"
[ "$(grep -c . "$work/script")" -gt 50 ] || { echo "$page: found no blocks of commands"; exit 1; }

cd "$work/clone"
# EAL's folder is that of the test: devx-pktgen of another test removes the common one when it is empty.
TMPDIR=$work RUNTIME_DIRECTORY=$work bash -eux "$work/script" > "$work/output" 2>&1 || {
	cat "$work/output"
	echo "the commands of $page failed"
	exit 1
}
cat "$work/output"
missing=0
while read -r line; do
	grep -qF -- "$line" <(tr -s ' \t' ' ' < "$work/output") ||
		{ missing=1; echo "$page shows a line that no command printed: $line"; }
done < <(tr -s ' \t' ' ' < "$work/expected")
exit $missing
