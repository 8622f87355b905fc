/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_INTERVAL_H
#define BENCH_INTERVAL_H

/** struct bench_interval - median of samples with its 95 % interval, by order statistics */
struct bench_interval {
	double median, low, high;
	unsigned n_samples;
};

/** bench_interval_of - compute the interval of @n samples, which it sorts; @n = 0 gives zeros */
void bench_interval_of(double *sample, unsigned n, struct bench_interval *out);

#endif
