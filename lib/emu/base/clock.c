/* SPDX-License-Identifier: BSD-3-Clause */
#include <time.h>

#include "emu/emu.h"

uint64_t emu_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
