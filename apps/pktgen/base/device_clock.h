/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_DEVICE_CLOCK_H
#define PKTGEN_DEVICE_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * DOC: The clock of a device
 *
 * Converts times of the free-running clock of a device to the TSC. One thread reads both clocks
 * from time to time. The line through the last reading and an earlier one converts the times of
 * received frames. Each reading also shows how wrong the line was until then.
 */

enum {
	DEVICE_CLOCK_READINGS = 8,
	DEVICE_CLOCK_LINES = 8, /* a power of 2 */
};

/**
 * struct clock_reading - one moment on both clocks
 * @cycles: clock of the device
 * @tsc: middle of the TSC interval in which the device had this time
 * @error: half the length of this interval
 */
struct clock_reading {
	uint64_t cycles, tsc, error;
};

/** struct clock_line - @ticks_per_cycle: TSC ticks per cycle of the device, in 2^-32 */
struct clock_line {
	uint64_t cycles, tsc, ticks_per_cycle;
};

/**
 * struct device_clock - the clock of one device
 * @readings, @n: the last @n readings, the oldest first
 * @lines: the last lines. Line number n is lines[n % DEVICE_CLOCK_LINES]
 * @newest: number of the newest line
 * @error: largest possible error of the times converted so far, in TSC ticks: the distance of a
 *   line from the next reading, plus the error of that reading. If that reading is less exact than
 *   the line, it is the error that follows from the line's own readings
 */
struct device_clock {
	struct clock_reading readings[DEVICE_CLOCK_READINGS];
	unsigned n;
	struct clock_line lines[DEVICE_CLOCK_LINES];
	_Atomic unsigned newest;
	uint64_t error;
};

/** device_clock_begin - drop all readings, at the start and after a pause; keep @error */
void device_clock_begin(struct device_clock *c);

/**
 * device_clock_add - add a reading; one thread
 * @c: the clock
 * @r: later than all readings before. A reading that is less exact than the line does not change it
 *
 * Times can be converted after two readings.
 */
void device_clock_add(struct device_clock *c, const struct clock_reading *r);

/** clock_line_to_tsc - convert a time of the device, which may be before the start of the line */
static inline uint64_t clock_line_to_tsc(const struct clock_line *l, uint64_t cycles)
{
	const int64_t since = (int64_t)(cycles - l->cycles);

	return l->tsc + (uint64_t)((__int128)since * (int64_t)l->ticks_per_cycle >> 32);
}

/**
 * clock_can_be_receive_time - tell whether a converted time can be that of a received frame
 * @tsc: the time
 * @polled: TSC when the CPU got the frame
 * @hz: frequency of the TSC
 *
 * A driver may report a clock other than that of the timestamps: net_mlx5 22.11 does so for
 * real-time timestamps.
 *
 * Return: whether @tsc is at most 4 s before or 16 ms after @polled (the line is not exact)
 */
static inline bool clock_can_be_receive_time(uint64_t tsc, uint64_t polled, uint64_t hz)
{
	return polled - tsc + hz / 64 <= 4 * hz + hz / 64;
}

/**
 * device_clock_get_line - get the newest line; any thread
 *
 * Takes no lock. Reads again if the writer has added almost DEVICE_CLOCK_LINES lines meanwhile.
 */
static inline struct clock_line device_clock_get_line(const struct device_clock *c)
{
	struct clock_line line;
	unsigned n;

	do {
		n = atomic_load_explicit(&c->newest, memory_order_acquire);
		line = c->lines[n % DEVICE_CLOCK_LINES];
		atomic_thread_fence(memory_order_acquire);
	} while (atomic_load_explicit(&c->newest, memory_order_relaxed) - n >=
		 DEVICE_CLOCK_LINES - 1);
	return line;
}

#endif
