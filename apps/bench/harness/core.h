/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_CORE_H
#define BENCH_CORE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * DOC: The core that measures
 *
 * The TSC ticks at a constant rate, the core does not. A loop of dependent additions, one core
 * cycle each, measures core cycles per TSC cycle. The loop runs with each window, because the rate
 * changes with temperature and with the neighbours on the machine.
 */

/** struct bench_core_mark - what the kernel had counted when a window began */
struct bench_core_mark {
	long n_switches; /* involuntary context switches of this thread */
	uint64_t steal;  /* time of other guests on this CPU, in ticks of 10 ms */
	int cpu;
};

/** bench_core_measure_marks - measure the TSC cycles of empty marks: the median of many */
uint64_t bench_core_measure_marks(void);

/** bench_core_per_tsc - measure the current core cycles per TSC cycle; takes about 10 us */
double bench_core_per_tsc(void);

/**
 * bench_core_read_steal - read the time of other guests on @cpu, in ticks of 10 ms
 *
 * Only one thread at a time may call it.
 */
uint64_t bench_core_read_steal(int cpu);

/** bench_core_begin - read the counts of @cpu before a window of the calling thread */
void bench_core_begin(struct bench_core_mark *mark, int cpu);

/** bench_core_was_taken - tell whether another thread or guest ran on the core since @mark */
bool bench_core_was_taken(const struct bench_core_mark *mark);

#endif
