#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_options.sh TEST: devtools/test refuses bad arguments in one line, before it builds anything.
set -u
test=$1 failed=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT

# refuses TEXT ARGUMENT...: ends with 2, and with one line that has TEXT
refuses() {
	text=$1
	shift
	"$test" "$@" > "$out" 2>&1 && status=0 || status=$?
	[ $status -eq 2 ] && [ "$(wc -l < "$out")" -eq 1 ] && grep -qF -- "$text" "$out" && return
	echo "FAILED: exit $status, wanted 2 and the line \"$text\": $*"
	cat "$out"
	failed=1
}
refuses "unknown part 'gccc' (valid: demo gcc " gccc
refuses "--also: unknown part 'gccc' (valid: " --all --also gccc
refuses '--also needs --all' --also clang
refuses '--also needs a value' --all --also
refuses "unknown option '--native'" --native
refuses '--dpdk-sdk needs the part trixie-dpdk or forky-dpdk' --dpdk-sdk /tmp gcc
refuses '--dpdk-sdk: no such directory /nowhere' --dpdk-sdk /nowhere forky-dpdk

# --help describes each part that --list names.
"$test" --help > "$out"
for part in $("$test" --list | sed 's/.*: *//'); do
	grep -Eq "(^|[ ,])$part([ ,]|\$)" "$out" || { echo "FAILED: --help does not describe $part"; failed=1; }
done
exit $failed
