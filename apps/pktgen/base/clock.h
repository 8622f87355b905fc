/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_CLOCK_H
#define PKTGEN_CLOCK_H

#include <stdint.h>

#include <rte_branch_prediction.h>
#include <rte_cycles.h>

/**
 * DOC: The clock
 *
 * devx-pktgen reads the time only here. The clock is the TSC, unless a test replaces it.
 *
 * rte_get_tsc_hz() rounds to 10 MHz if the CPU does not report the frequency: rates and times would
 * be wrong by up to 0.2 %. clock_get_hz() measures the TSC against CLOCK_MONOTONIC, from the start
 * of the program.
 */

/**
 * struct clock_source - a clock with which a test replaces the TSC
 * @hz: ticks per second
 * @read: returns the ticks; any thread calls it
 * @wait: returns when @us microseconds have passed on this clock; the controller of a run calls
 *   it while the workers poll
 * @idle: a worker calls it when it has had nothing to do for a while
 */
struct clock_source {
	uint64_t hz;
	uint64_t (*read)(void);
	void (*wait)(uint64_t us);
	void (*idle)(void);
};

/**
 * pktgen_clock_source - the clock that replaces the TSC, or NULL
 *
 * devx-pktgen exports it for an EAL plugin that sets it before the run
 * (tests/pktgen/step_clock.c).
 */
extern const struct clock_source *pktgen_clock_source;

/** struct clock_moment - the same moment in ticks of the clock, and in ns of another clock */
struct clock_moment {
	uint64_t tsc, ns;
};

/** clock_begin - begin to measure the frequency of the TSC. Call it once, before all others */
void clock_begin(void);

/**
 * clock_get_hz - get the frequency of the TSC in Hz; the main thread only
 *
 * The first call ends the measurement. It waits until at least 0.1 s has passed since
 * clock_begin(), which limits the error to about 10 ppm. Later calls return the same value.
 */
uint64_t clock_get_hz(void);

/** clock_wait - wait for @us microseconds while the workers poll; the controller of a run only */
void clock_wait(uint64_t us);

/** clock_yield - yield the CPU to other threads; for a worker without work */
void clock_yield(void);

/** clock_read - read the clock, in ticks; any thread */
static inline uint64_t clock_read(void)
{
	return unlikely(pktgen_clock_source) ? pktgen_clock_source->read() : rte_rdtsc();
}

/**
 * clock_read_utc - read the clock and the time of day together
 *
 * Return: ticks, and ns since 1970, UTC. The ticks of a test are the time since 1970
 */
struct clock_moment clock_read_utc(void);

/**
 * struct run_clock - converts between ticks and nanoseconds since the start of the run
 * @ns_per_tick: in 2^-32 ns
 */
struct run_clock {
	uint64_t start, hz, ns_per_tick;
};

static inline struct run_clock run_clock_start(void)
{
	const uint64_t hz = clock_get_hz();

	return (struct run_clock){ clock_read(), hz, (1000000000ull << 32) / hz };
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
