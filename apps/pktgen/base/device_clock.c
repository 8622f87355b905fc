/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/device_clock.h"

#include <string.h>

void device_clock_begin(struct device_clock *c)
{
	c->n = 0;
}

static const struct clock_reading *get_last(const struct device_clock *c)
{
	return &c->readings[c->n - 1];
}

static void push_reading(struct device_clock *c, const struct clock_reading *r)
{
	if (c->n == DEVICE_CLOCK_READINGS) {
		memmove(c->readings, c->readings + 1, sizeof(c->readings) - sizeof(c->readings[0]));
		c->n--;
	}
	c->readings[c->n++] = *r;
}

/* Publishes the line through the oldest and the last reading. */
static void publish_line(struct device_clock *c)
{
	const struct clock_reading *first = &c->readings[0], *last = get_last(c);
	const unsigned n = atomic_load_explicit(&c->newest, memory_order_relaxed) + 1;
	const uint64_t ticks = last->tsc - first->tsc, cycles = last->cycles - first->cycles;

	c->lines[n % DEVICE_CLOCK_LINES] = (struct clock_line){
		.cycles = last->cycles,
		.tsc = last->tsc,
		.ticks_per_cycle = (uint64_t)(((unsigned __int128)ticks << 32) / cycles),
	};
	atomic_store_explicit(&c->newest, n, memory_order_release);
}

/*
 * Computes how wrong the line may be at @tsc because its two readings are not exact. Two readings
 * with the same TSC (a test holds the clock) give no rate.
 */
static uint64_t compute_line_error(const struct device_clock *c, uint64_t tsc)
{
	const struct clock_reading *first = &c->readings[0], *last = get_last(c);
	const uint64_t ticks = last->tsc - first->tsc;
	double slope;

	if (!ticks)
		return UINT64_MAX;
	slope = (double)(first->error + last->error) / (double)ticks;
	return last->error + (uint64_t)(slope * (double)(tsc - last->tsc));
}

/* Returns the largest possible error of the line at a reading. */
static uint64_t compare_with_line(const struct device_clock *c, const struct clock_reading *r)
{
	const struct clock_line line = device_clock_get_line(c);
	const uint64_t tsc = clock_line_to_tsc(&line, r->cycles);

	return (tsc > r->tsc ? tsc - r->tsc : r->tsc - tsc) + r->error;
}

/* Updates c->error from a reading. Returns whether it is at least as exact as the line. */
static bool judge_line(struct device_clock *c, const struct clock_reading *r)
{
	const uint64_t expected = compute_line_error(c, r->tsc);
	const bool is_exact = r->error <= expected;
	const uint64_t error = is_exact ? compare_with_line(c, r) : expected;

	c->error = error > c->error ? error : c->error;
	return is_exact;
}

void device_clock_add(struct device_clock *c, const struct clock_reading *r)
{
	if (c->n && r->cycles <= get_last(c)->cycles)
		return;
	if (c->n > 1 && !judge_line(c, r))
		return;
	push_reading(c, r);
	if (c->n > 1)
		publish_line(c);
}
