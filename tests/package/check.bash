# SPDX-License-Identifier: BSD-3-Clause
#
# Checks with names, for the scripts of this folder. $RESULTS is the file of results.

failed=0
print_result() {
	echo "$*"
	echo "$*" >> "$RESULTS"
}
skip() { print_result "SKIP $1: $2"; }

# check NAME COMMAND...: runs COMMAND with `set -e`. Its last line says why it failed. Call check as a
# command of its own: in a condition bash ignores `set -e`.
check() {
	local name=$1 status log

	shift
	log=$(mktemp)
	echo "== $name"
	(set -e; "$@") 2>&1 | tee "$log"
	status=${PIPESTATUS[0]}
	if [ "$status" -eq 0 ]; then
		print_result "PASS $name"
	else
		failed=1
		print_result "FAIL $name: status $status: $(tail -n 1 "$log")"
	fi
	rm -f "$log"
}
