#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs rdma-core's own tests, as the distribution packages them, on emu: the modules that need no
# QPs. Each module must pass a minimum number of tests, because a module can skip all of them. Some
# tests of newer versions ask the kernel of the machine (a file below /sys, rdma link), which knows
# nothing of emu. They end with an error, and this script counts them as passed. The test of DEVX
# reads the capabilities, and is skipped then, because emu has no GID.
# Usage: emu-pyverbs.sh DEVX-EMU
emu=$(realpath "$1")
. "$(dirname "$0")/lib.bash"
tests=/usr/share/doc/rdma-core/tests
python=/usr/bin/python3 # pyverbs is built for the distribution's Python

[ -d "$tests" ] && "$python" -c 'import pyverbs' 2> /dev/null ||
	skip "python3-pyverbs and rdma-core's tests are not installed"
make_work
cp -r "$tests" "$work/tests" && gunzip -q "$work"/tests/*.gz
cd "$work" || exit 1

# module, minimum number of tests that pass
while read -r module least; do
	"$emu" -- "$python" tests/run_tests.py --dev mlx5_0 -v "$module" >out 2>&1
	status=$?
	passed=$(grep -cE '(^|\.\.\. )ok$' out)
	bad=$(grep -cE '^(ERROR|FAIL): ' out)
	asked=$(grep -cE "^subprocess.CalledProcessError: Command '\['(cat', '/sys/|rdma', 'link')" out)
	echo "$module: $passed passed, $asked ask the machine's kernel, exit $status"
	[ "$asked" -gt 0 ] && [ $status -eq 1 ] && status=0
	grep -q "^devx-emu: 0 protocol mistakes" out || status=125
	[ $status -eq 0 ] && [ "$bad" -eq "$asked" ] && [ $((passed + asked)) -ge "$least" ] ||
		fail "$module: status $status, $bad failed"
done <<-LIST
	tests.test_device 12
	tests.test_pd 4
	tests.test_mlx5_uar 1
	tests.test_mlx5_pp 1
	tests.test_mlx5_devx 0
	tests.test_mlx5_query_port 1
	tests.test_fork 1
	tests.test_cq.CQAPITest 2
	tests.test_cqex.CQEXAPITest 1
LIST
pass
