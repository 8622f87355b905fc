/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_CLOCK_H
#define PKTGEN_CLOCK_H

#include <stdint.h>

#include <rte_cycles.h>

#include "base/tsc.h"

/**
 * struct run_clock - converts between TSC and nanoseconds since the start of the run
 * @ns_per_tick: in 2^-32 ns
 */
struct run_clock {
	uint64_t start, hz, ns_per_tick;
};

static inline struct run_clock run_clock_start(void)
{
	const uint64_t hz = tsc_get_hz();

	return (struct run_clock){ rte_rdtsc(), hz, (1000000000ull << 32) / hz };
}

static inline uint64_t run_clock_to_ns(const struct run_clock *c, uint64_t tsc)
{
	return (uint64_t)((unsigned __int128)(tsc - c->start) * 1000000000 / c->hz);
}

/** run_clock_ticks_to_ns - convert a number of ticks, without a division */
static inline uint64_t run_clock_ticks_to_ns(const struct run_clock *c, uint64_t ticks)
{
	return (uint64_t)((unsigned __int128)ticks * c->ns_per_tick >> 32);
}

static inline uint64_t run_clock_to_tsc(const struct run_clock *c, uint64_t ns)
{
	return c->start + (uint64_t)((unsigned __int128)ns * c->hz / 1000000000);
}

#endif
