/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/samples.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/interval.h"

int bench_samples_begin(struct bench_samples *s, const struct bench_run *run)
{
	*s = (struct bench_samples){
		.run = run,
		.sample = malloc(BENCH_MAX_SAMPLES * sizeof(*s->sample)),
		.end_ns = bench_clock_ns() + (uint64_t)(run->time_limit_s * 1e9),
		.n_check = BENCH_MIN_SAMPLES,
	};
	return s->sample ? 0 : -ENOMEM;
}

/* Sorting takes time between windows, so this sorts only after every 25 % more samples. */
static bool is_narrow(struct bench_samples *s)
{
	struct bench_interval i;

	if (s->narrow || s->n < s->n_check)
		return s->narrow;
	s->n_check = s->n + s->n / 4 + 1;
	bench_interval_of(s->sample, s->n, &i);
	s->narrow = i.high - i.low <= s->run->width * i.median;
	return s->narrow;
}

bool bench_samples_want(struct bench_samples *s)
{
	return s->n < BENCH_MAX_SAMPLES && !*s->run->stopped && !is_narrow(s) &&
	       bench_clock_ns() < s->end_ns;
}

void bench_samples_add(struct bench_samples *s, double sample)
{
	if (s->n_warm_up < BENCH_WARM_UP_WINDOWS)
		s->n_warm_up++;
	else if (s->n < BENCH_MAX_SAMPLES)
		s->sample[s->n++] = sample;
}

void bench_samples_reject(struct bench_samples *s)
{
	s->n_rejected++;
}

void bench_samples_finish(struct bench_samples *s, struct bench_row *row, const char *metric,
			  const char *unit)
{
	struct bench_interval i;

	bench_interval_of(s->sample, s->n, &i);
	if (s->n && row->n_values < BENCH_MAX_VALUES)
		row->value[row->n_values++] = (struct bench_value){
			.metric = metric,
			.unit = unit,
			.median = i.median,
			.low = i.low,
			.high = i.high,
			.n_samples = s->n,
			.n_rejected = s->n_rejected,
		};
	free(s->sample);
	*s = (struct bench_samples){ 0 };
}
