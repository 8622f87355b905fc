/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_INTERVAL_H
#define BENCH_INTERVAL_H

/** struct bench_interval - median of samples with its 95 % interval, by order statistics */
struct bench_interval {
	double median, low, high;
	unsigned n_samples;
};

/** bench_interval_of - sort @n samples and compute their interval; all zero if @n is 0 */
void bench_interval_of(double *sample, unsigned n, struct bench_interval *out);

#endif
