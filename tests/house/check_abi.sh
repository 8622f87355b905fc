#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_abi.sh CHECK: devtools/check-abi accepts a new function; it finds a changed structure, and commits
# that break the ABI under the old soname or without a line in CHANGELOG.md. $CC is the compiler.
set -eu
check=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/lib/devx" "$tree/installed/lib" "$tree/installed/include/devxio/devx"
git="git -C $tree -c user.name=test -c user.email=test"
$git -c init.defaultBranch=main init -q

# install SONAME MEMBER [FUNCTION]: a library with one structure that has MEMBER, and one or two functions
install() {
	rm -f "$tree"/installed/lib/*
	{
		echo "struct devx_dev { int first; $2 };"
		echo 'int devx_dev_open(struct devx_dev *dev);'
		[ $# -lt 3 ] || echo "int $3(void);"
	} > "$tree/installed/include/devxio/devx/dev.h"
	{
		echo '#include "devx/dev.h"'
		echo 'struct hidden { int a; };'
		echo 'int devx_dev_open(struct devx_dev *dev) { struct hidden h = { dev->first }; return h.a; }'
		[ $# -lt 3 ] || echo "int $3(void) { return 0; }"
	} > "$tree/dev.c"
	${CC:-cc} -g -shared -fPIC -I "$tree/installed/include/devxio" "$tree/dev.c" -Wl,-soname,"$1" \
		-o "$tree/installed/lib/libdevxio.so.$1"
}
# expect STATUS TEXT ARGUMENT...: check-abi with these arguments ends with STATUS and prints TEXT
expect() {
	want=$1 text=$2 status=0
	shift 2
	"$check" --tree "$tree" "$@" "$tree/installed" > "$tree/out" 2>&1 || status=$?
	case $status in 77) [ "$want" -eq 77 ] || { tail -n 1 "$tree/out"; exit 77; } ;; esac
	[ $status -eq "$want" ] && grep -q -- "$text" "$tree/out" && return
	echo "FAILED: status $status, wanted $want and \"$text\""
	cat "$tree/out"
	exit 1
}
commit() { $git add -A lib CHANGELOG.md && $git commit -q -m "$1"; }

install libdevxio.so.0 'long second;'
echo first > "$tree/CHANGELOG.md"
expect 1 'run devtools/check-abi --write'
expect 0 'libdevxio.so.0, 1 functions' --write
expect 0 'as in'
! grep -q hidden "$tree/lib/devx/libdevxio.abi" || { echo "FAILED: the record has the type of no public function"; exit 1; }
commit one

echo 'a function is added'
install libdevxio.so.0 'long second;' devx_dev_close
expect 1 'has more functions'
expect 0 '2 functions' --write
expect 0 'as in'
commit two

echo 'a function is removed'
install libdevxio.so.0 'long second;'
expect 1 'the ABI of libdevxio.so.0 breaks'

echo 'a structure has another member'
install libdevxio.so.0 'char second; long third;' devx_dev_close
expect 1 'the ABI of libdevxio.so.0 breaks'
grep -q 'third' "$tree/out"
expect 1 'the soname is libdevxio.so.0 as before' --write
$git diff --exit-code # wrote nothing

echo 'the soname is raised'
install libdevxio.so.1 'char second; long third;' devx_dev_close
expect 1 'the soname is new: libdevxio.so.1'
expect 0 'libdevxio.so.1, 2 functions' --write
expect 1 'changes the soname, but not CHANGELOG.md'
echo second >> "$tree/CHANGELOG.md"
expect 0 'as in'
commit three
expect 0 'as in'

echo 'a commit edits the file by hand'
sed -i 's/libdevxio.so.1/libdevxio.so.0/' "$tree/lib/devx/libdevxio.abi"
$git commit -q -a --amend -m three
install libdevxio.so.0 'char second; long third;' devx_dev_close
expect 1 'breaks the ABI, but the soname stays libdevxio.so.0'
