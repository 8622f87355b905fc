#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# gpu.sh DEVX-EMU DEVX_GPU_TEST: tests of packet memory on a GPU, with the CUDA driver of this machine
set -eu
out=$(mktemp)
trap 'rm -f "$out"' EXIT
status=0
"$1" --wire loop -- "$2" > "$out" 2>&1 || status=$?
cat "$out"
[ $status -eq 0 ] || exit $status
grep -q '^\[  PASSED  \] 0 tests' "$out" || exit 0
echo "SKIP: $(grep -m 1 -E 'libcuda|CUDA|dma-bufs' "$out" | sed 's/ ([^ ]*gpu_test.c.*//')"
exit 77
