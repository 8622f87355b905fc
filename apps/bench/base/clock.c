/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/clock.h"

#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

uint64_t bench_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

bool bench_clock_is_constant(void)
{
#if defined(__x86_64__)
	unsigned a, b, c, d;

	/* bit 8 of EDX: "Invariant TSC" (Intel SDM 18.17.1, AMD APM 3, function 8000_0007) */
	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1 << 8);
#else
	return false;
#endif
}
