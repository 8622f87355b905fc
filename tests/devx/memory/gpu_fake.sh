#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# gpu_fake.sh DEVX-EMU PROGRAM DIR N N_UNMAPPED [REASON]: tests of packet memory on a GPU with the libcuda.so.1 in DIR (fake_cuda.c).
# A stub library counts as no driver. With a GPU of ordinary memory N tests pass, and N_UNMAPPED if it refuses mmap(): REASON is in the output.
set -eu
emu=$1 program=$2 fake=$3
. "$(dirname "$0")/../../scripts/lib.bash"
make_work
ends_at_failure=yes

# expect_lines KIND LINE...: runs the tests with that kind of GPU; the output must have each LINE
expect_lines() {
	FAKE_CUDA=$1 LD_LIBRARY_PATH=$fake expect 0 "" "$emu" --wire loop -- "$program"
	for line in "${@:2}"; do says "$line"; done
	echo "$1: as expected"
}
expect_lines stub 'libcuda.so.1: cuInit() returned 34 (CUDA_ERROR_STUB_LIBRARY)' '[  PASSED  ] 0 tests'
expect_lines gpu "[  PASSED  ] $4 tests"
expect_lines unmapped "[  PASSED  ] $5 tests" ${6:+"$6"}
