#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# gpu_fake.sh DEVX-EMU DEVX_GPU_TEST DIR: the tests of packet memory on a GPU with the libcuda.so.1 in DIR
# (fake_cuda.c). A stub library counts as no driver. With a GPU of ordinary memory the tests run.
set -eu
emu=$1 program=$2 fake=$3
out=$(mktemp)
trap 'rm -f "$out"' EXIT

# expect KIND LINE...: runs the tests with that kind of GPU; the output must have each LINE
expect() {
	kind=$1
	shift
	status=0
	FAKE_CUDA=$kind LD_LIBRARY_PATH=$fake "$emu" --wire loop -- "$program" > "$out" 2>&1 || status=$?
	[ $status -eq 0 ] || { cat "$out"; echo "$kind: status $status"; exit 1; }
	for line; do
		grep -qF "$line" "$out" || { cat "$out"; echo "$kind: no line with '$line'"; exit 1; }
	done
	echo "$kind: as expected"
}
expect stub 'libcuda.so.1: cuInit() returned 34 (CUDA_ERROR_STUB_LIBRARY)' '[  SKIPPED ] 6 tests' '[  PASSED  ] 0 tests'
expect gpu '[  PASSED  ] 6 tests'
expect unmapped 'the exporter refuses mmap() of its dma-buf' '[  PASSED  ] 5 tests'
