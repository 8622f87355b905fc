#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# rdma-core's own tests, as the distribution packages them, on emu: the modules that need no
# QPs. A module that skips everything proves nothing, so a least number of tests is run. Newer
# ones have some tests that ask the machine's own kernel, past the libraries (a file below /sys,
# rdma link): what emu is cannot be seen there, so these end in an error, and count as asked.
# Usage: emu-pyverbs.sh DEVX-EMU
emu=$(realpath "$1")
tests=/usr/share/doc/rdma-core/tests
python=/usr/bin/python3 # the distribution's: pyverbs is built for it

if [ ! -d "$tests" ] || ! "$python" -c 'import pyverbs' 2>/dev/null; then
	echo "SKIP: python3-pyverbs and rdma-core's tests are not installed"
	exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cp -r "$tests" "$work/tests" && gunzip -q "$work"/tests/*.gz
cd "$work" || exit 1
failed=0

# module, tests that must run and not be skipped
while read -r module least; do
	"$emu" -- "$python" tests/run_tests.py --dev mlx5_0 -v "$module" >out 2>&1
	status=$?
	passed=$(grep -cE '(^|\.\.\. )ok$' out)
	bad=$(grep -cE '^(ERROR|FAIL): ' out)
	asked=$(grep -cE "^subprocess.CalledProcessError: Command '\['(cat', '/sys/|rdma', 'link')" out)
	echo "$module: $passed passed, $asked ask the machine's kernel, exit $status"
	[ "$asked" -gt 0 ] && [ $status -eq 1 ] && status=0
	if [ $status -ne 0 ] || [ "$bad" -ne "$asked" ] || [ $((passed + asked)) -lt "$least" ]; then
		failed=1
		cat out
	fi
done <<-LIST
	tests.test_device 12
	tests.test_pd 4
	tests.test_mlx5_uar 1
	tests.test_mlx5_query_port 1
	tests.test_fork 1
	tests.test_cq.CQAPITest 2
	tests.test_cqex.CQEXAPITest 1
LIST
exit $failed
