#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# build.sh DEVTOOLS SDK: devtools/build works twice at once in one new directory, without a writable
# HOME. SDK is the directory of -Ddpdk_sdk=, or empty.
set -eu
devtools=$1 sdk=$2
work=$(mktemp -d)
trap 'kill $first $second 2> /dev/null || :; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
first='' second=''
unset XDG_CACHE_HOME
export HOME=/dev/null

# The headers are in the cache already, so that nothing is fetched.
mkdir -p "$work/out/cache/net-devx"
[ -z "$sdk" ] || cp -r "$sdk" "$work/out/cache/net-devx/dpdk-sdk-$(dpkg-query -W -f '${source:Version}' libdpdk-dev)"

# This test holds the lock until both wait for it.
waiting="build: another script uses $work/out/gcc; waiting until it ends"
exec 8> "$work/out/gcc.lock"
flock 8
"$devtools/build" --build-dir "$work/out" gcc mistake > "$work/first" 2>&1 8>&- &
first=$!
"$devtools/build" --build-dir "$work/out" gcc mistake > "$work/second" 2>&1 8>&- &
second=$!
while ! { grep -qx "$waiting" "$work/first" && grep -qx "$waiting" "$work/second"; }; do
	kill -0 $first && kill -0 $second || { cat "$work/first" "$work/second"; exit 1; }
	sleep 0.1
done
exec 8>&-
status=0
wait $first || status=$?
wait $second || status=$?
first='' second=''
cat "$work/first" "$work/second"
[ $status -eq 0 ]
[ -x "$work/out/gcc/tests/uverbs/mistake" ]
if grep -E 'mkdir|Traceback' "$work/first" "$work/second"; then exit 1; fi

# A full disk cut the configuring off, and left a file that meson cannot read.
: > "$work/out/gcc/meson-private/cmd_line.txt"
"$devtools/build" --build-dir "$work/out" gcc mistake > "$work/third" 2>&1 || { cat "$work/third"; exit 1; }
grep -qx "build: meson cannot use $work/out/gcc as it is; making it anew" "$work/third"
[ -x "$work/out/gcc/tests/uverbs/mistake" ]

# Two tests fail: status 1, not their number
for program in ct/ct_test prm/prm_test; do
	printf '#!/bin/sh\nexit 1\n' > "$work/out/gcc/tests/$program"
	chmod +x "$work/out/gcc/tests/$program"
done
status=0
"$devtools/build" --build-dir "$work/out" --test gcc ct prm > "$work/failed" 2>&1 || status=$?
[ $status -eq 1 ] && grep -q 'testing failed with status 2' "$work/failed" || { cat "$work/failed"; exit 1; }

# Wrong arguments: status 2, and one line
misuse() {
	status=0
	"$devtools/build" --build-dir "$work/out" "$@" > "$work/wrong" 2>&1 || status=$?
	cat "$work/wrong"
	[ $status -eq 2 ] && [ "$(wc -l < "$work/wrong")" -eq 1 ]
}
misuse nonexistent
misuse --wrong gcc
misuse --dpdk-sdk "$work/missing" gcc
mkdir "$work/empty"
misuse --dpdk-sdk "$work/empty" gcc
# Driver headers of another release
if [ -n "$sdk" ]; then
	cp -r "$sdk" "$work/other"
	echo 19.05.0 > "$work/other/VERSION"
	misuse --dpdk-sdk "$work/other" gcc
	grep -q 'headers of DPDK 19.05 ' "$work/wrong"
fi
