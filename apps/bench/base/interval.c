/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/interval.h"

#include <math.h>
#include <stdlib.h>

/* Probability that the median lies below the interval, and also that it lies above it. */
static const double half_risk = 0.025;

static int compare_samples(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Returns the probability that exactly @k of @n samples lie below the median: binomial, p = 1/2. */
static double compute_probability(unsigned n, unsigned k)
{
	int sign;

	return exp(lgamma_r(n + 1.0, &sign) - lgamma_r(k + 1.0, &sign) -
		   lgamma_r(n - k + 1.0, &sign) - n * M_LN2);
}

/*
 * Returns the index of the sorted sample that is the lower end. The true median lies below sample
 * number r (from 0) if at most r of n samples lie below it. Returns 0 if n < 6: then even the whole
 * range of the samples contains the median in less than 95 % of all cases.
 */
static unsigned find_lower_end(unsigned n)
{
	double risk = 0;
	unsigned r = 0;

	for (;;) {
		risk += compute_probability(n, r);
		if (risk > half_risk)
			return r ? r - 1 : 0;
		r++;
	}
}

void bench_interval_of(double *sample, unsigned n, struct bench_interval *out)
{
	unsigned low;

	*out = (struct bench_interval){ .n_samples = n };
	if (!n)
		return;
	qsort(sample, n, sizeof(*sample), compare_samples);
	low = find_lower_end(n);
	out->median = n % 2 ? sample[n / 2] : (sample[n / 2 - 1] + sample[n / 2]) / 2;
	out->low = sample[low];
	out->high = sample[n - 1 - low];
}
