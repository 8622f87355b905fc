/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_SAMPLES_H
#define BENCH_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/run.h"

/**
 * DOC: Samples of one value, and when to stop
 *
 *	bench_samples_begin(&s, run);
 *	while (bench_samples_want(&s)) {        // with several drivers: while any of them wants
 *		if (measure_window(&cycles))
 *			bench_samples_add(&s, cycles);
 *		else
 *			bench_samples_reject(&s);
 *	}
 *	bench_samples_finish(&s, &row, "tsc_cycles_per_packet", "cycles/packet");
 *
 * The first windows warm up caches and branch predictors; they do not count.
 */

enum {
	BENCH_WARM_UP_WINDOWS = 3,
	BENCH_MIN_SAMPLES = 15, /* with fewer, the 95 % interval of the median is too wide */
	BENCH_MAX_SAMPLES = 4096,
};

/** struct bench_samples - the samples of one value at one point; its members are private */
struct bench_samples {
	const struct bench_run *run;
	double *sample;
	unsigned n, n_rejected, n_warm_up;
	uint64_t end_ns;  /* the time limit of the point */
	unsigned n_check; /* number of samples at which the interval is computed next */
	bool narrow;
};

/** bench_samples_begin - prepare @s for a new point of @run. Return: 0 or -ENOMEM */
int bench_samples_begin(struct bench_samples *s, const struct bench_run *run);

/**
 * bench_samples_want - tell whether the point needs another window
 *
 * Return: true; or false if the interval is narrow enough (run->width), the time limit of the point
 * is reached (run->time_limit_s), the samples are full, or after Ctrl-C
 */
bool bench_samples_want(struct bench_samples *s);

/** bench_samples_add - add one window; the first BENCH_WARM_UP_WINDOWS do not count */
void bench_samples_add(struct bench_samples *s, double sample);

/** bench_samples_reject - count a window in which the thread lost its core */
void bench_samples_reject(struct bench_samples *s);

/** bench_samples_finish - add median and interval to @row if @s has samples, and free @s */
void bench_samples_finish(struct bench_samples *s, struct bench_row *row, const char *metric,
			  const char *unit);

#endif
