/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/clock.h"

#include <time.h>

#include "emu/base/profile.h"
#include "prm/prm.h"

/* net_mlx5 takes a device_frequency_khz of 1,000,000 as a sign of real-time time stamps. */
enum { FREE_RUNNING_KHZ = 156250, REAL_TIME_KHZ = 1000000, NS_PER_S = 1000000000 };
/* real-time clock at time 0 of the adapter: a moment in 2023 */
#define EPOCH_S 1700000000ull
enum { GAIN = 1000 }; /* the real-time clock gains 1 ns every GAIN ns */

static uint64_t read_machine(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t emu_now_ns(void)
{
	return read_machine(CLOCK_MONOTONIC);
}

uint64_t emu_read_epoch(void)
{
	return read_machine(CLOCK_REALTIME) - emu_now_ns();
}

uint64_t emu_clock_read(const struct emu_adapter *a)
{
	return a->clock == EMU_CLOCK_REAL ? emu_now_ns() + a->clock_ns : a->clock_ns;
}

/* One store per register, so that its two halves change at the same time. */
void emu_clock_update(struct emu_adapter *a)
{
	struct emu_clocks clocks;

	a->now_ns = emu_clock_read(a);
	if (!a->timer)
		return;
	clocks = emu_clock_show(a, a->now_ns);
	__atomic_store_n(a->timer, prm_be64_of(clocks.timer).raw, __ATOMIC_RELEASE);
	__atomic_store_n(a->real_time, prm_be64_of(clocks.real_time).raw, __ATOMIC_RELEASE);
}

void emu_clock_jump(struct emu_adapter *a, uint64_t ns)
{
	if (ns > a->clock_ns)
		a->clock_ns = ns;
	emu_clock_update(a);
}

uint64_t emu_set_clock(struct emu_adapter *a, enum emu_clock clock, uint64_t ns)
{
	uint64_t now;

	emu_lock(a);
	now = emu_clock_read(a) + ns;
	a->clock = clock;
	a->clock_ns = clock == EMU_CLOCK_REAL ? now - emu_now_ns() : now;
	emu_clock_update(a);
	emu_unlock(a);
	return now;
}

uint64_t emu_read_clock(struct emu *emu)
{
	uint64_t ns;

	emu_lock(emu->adapter);
	ns = emu_clock_read(emu->adapter);
	emu_unlock(emu->adapter);
	return ns;
}

bool emu_clock_is_real_time(const struct emu_options *options)
{
	return options->ts_format == PRM_HCA_CAP_TS_FORMAT_REAL_TIME ||
	       (options->ts_format == PRM_HCA_CAP_TS_FORMAT_FREE_RUNNING_AND_REAL_TIME &&
		options->real_time);
}

uint32_t emu_clock_get_khz(const struct emu_options *options)
{
	return emu_clock_is_real_time(options) ? REAL_TIME_KHZ : FREE_RUNNING_KHZ;
}

/* Counts in units of 1/32 cycle, so that the product fits in 64 bits for 18 years. */
static uint64_t count_cycles(const struct emu_adapter *a, uint64_t ns)
{
	enum { UNIT_KHZ = REAL_TIME_KHZ / 32 };

	return ns * (emu_clock_get_khz(&a->profile->options) / UNIT_KHZ) / 32;
}

static uint64_t show_real_time(uint64_t ns)
{
	const uint64_t real_ns = ns + ns / GAIN;

	return (EPOCH_S + real_ns / NS_PER_S) << 32 | real_ns % NS_PER_S;
}

struct emu_clocks emu_clock_show(const struct emu_adapter *a, uint64_t ns)
{
	const bool has = a->profile->options.ts_format != PRM_HCA_CAP_TS_FORMAT_FREE_RUNNING;

	return (struct emu_clocks){ .timer = count_cycles(a, ns),
				    .real_time = has ? show_real_time(ns) : 0 };
}

struct emu_clocks emu_read_clocks(struct emu *emu)
{
	struct emu_clocks clocks;

	emu_lock(emu->adapter);
	clocks = emu_clock_show(emu->adapter, emu_clock_read(emu->adapter));
	emu_unlock(emu->adapter);
	return clocks;
}

uint64_t emu_read_stamp(const struct emu_adapter *a, bool real_time)
{
	return real_time ? show_real_time(a->now_ns) : count_cycles(a, a->now_ns);
}
