#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# gpu.sh DEVX-EMU PROGRAM: tests of packet memory on a GPU, with the CUDA driver of this machine
set -eu
. "$(dirname "$0")/../../scripts/lib.bash"
make_work
status=0
"$1" --wire loop -- "$2" > "$work/out" 2>&1 || status=$?
cat "$work/out"
[ $status -eq 0 ] || exit $status
grep -q '^\[  PASSED  \] 0 tests' "$work/out" || exit 0
skip "$(grep -m 1 -E 'libcuda|CUDA|dma-bufs' "$work/out" | sed 's/ ([^ ]*gpu[^ ]*_test.c.*//')"
