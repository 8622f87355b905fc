/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/clock.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

enum { MIN_NS = 100 * 1000 * 1000, TRIES = 8 };

static struct clock_moment begin;
static uint64_t hz;

const struct clock_source *pktgen_clock_source;

/* Reads the TSC and clock @id several times. Returns the reading that took the least time. */
static struct clock_moment read_clocks(clockid_t id)
{
	struct clock_moment best = { 0 };
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < TRIES; i++) {
		const uint64_t before = rte_rdtsc();
		struct timespec t;
		uint64_t took;

		clock_gettime(id, &t);
		took = rte_rdtsc() - before;
		if (took >= least)
			continue;
		least = took;
		best.tsc = before + took / 2;
		best.ns = (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
	}
	return best;
}

void clock_begin(void)
{
	begin = read_clocks(CLOCK_MONOTONIC);
}

uint64_t clock_get_hz(void)
{
	struct clock_moment now;

	if (pktgen_clock_source)
		return pktgen_clock_source->hz;
	if (hz)
		return hz;
	now = read_clocks(CLOCK_MONOTONIC);
	if (now.ns - begin.ns < MIN_NS) {
		usleep((useconds_t)((MIN_NS - (now.ns - begin.ns)) / 1000) + 1);
		now = read_clocks(CLOCK_MONOTONIC);
	}
	hz = (uint64_t)((double)(now.tsc - begin.tsc) * NS_PER_S / (double)(now.ns - begin.ns));
	return hz;
}

struct clock_moment clock_read_utc(void)
{
	const struct clock_source *source = pktgen_clock_source;
	uint64_t tsc;

	if (!source)
		return read_clocks(CLOCK_REALTIME);
	tsc = source->read();
	return (struct clock_moment){ tsc,
				      (uint64_t)((unsigned __int128)tsc * NS_PER_S / source->hz) };
}

void clock_wait(uint64_t us)
{
	if (pktgen_clock_source)
		pktgen_clock_source->wait(us);
	else
		usleep((useconds_t)us);
}

void clock_yield(void)
{
	if (pktgen_clock_source)
		pktgen_clock_source->idle();
	sched_yield();
}
