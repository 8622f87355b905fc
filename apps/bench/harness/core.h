/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_CORE_H
#define BENCH_CORE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * DOC: The core that measures
 *
 * The TSC ticks at a constant rate, the core does not: a loop of dependent additions, one core
 * cycle each, gives core cycles per TSC cycle. The loop runs beside each window, because the rate
 * changes with temperature and with the neighbours on the machine.
 */

/** struct bench_core_mark - what the kernel had counted when a window began */
struct bench_core_mark {
	long n_switches; /* involuntary context switches of this thread */
	uint64_t steal; /* time that the hypervisor gave to others on this CPU, in ticks of 10 ms */
	int cpu;
};

/** bench_core_measure_marks - Return: TSC cycles of empty marks, the median of many */
uint64_t bench_core_measure_marks(void);

/** bench_core_per_tsc - Return: core cycles per TSC cycle, now; takes about 10 us */
double bench_core_per_tsc(void);

/**
 * bench_core_read_steal - Return: time that the hypervisor gave to others on @cpu, in ticks of
 * 10 ms. One thread calls it at a time
 */
uint64_t bench_core_read_steal(int cpu);

/** bench_core_begin - remember the counts of @cpu before a window of the calling thread */
void bench_core_begin(struct bench_core_mark *mark, int cpu);

/** bench_core_was_taken - true if another thread or guest had the core since @mark */
bool bench_core_was_taken(const struct bench_core_mark *mark);

#endif
