/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <stdlib.h>

#include "base/interval.h"

enum { MOST = 4096, RUNS = 2000 };

/*
 * The samples are 1, 2, ... n, so that the ends of the interval are their own numbers. Fewer than
 * six samples have no interval of 95 %: it is the whole range.
 */
static const struct interval_row {
	const char *name;
	unsigned n;
	double median, low, high;
} known[] = {
	{ "none", 0, 0, 0, 0 },           { "one", 1, 1, 1, 1 },
	{ "five", 5, 3, 1, 5 },           { "six", 6, 3.5, 1, 6 },
	{ "eight", 8, 4.5, 1, 8 },        { "nine", 9, 5, 2, 8 },
	{ "ten", 10, 5.5, 2, 9 },         { "twenty", 20, 10.5, 6, 15 },
	{ "hundred", 100, 50.5, 40, 61 }, { "thousand", 1000, 500.5, 469, 532 },
};

TEST_EACH(interval, has_the_ranks_of_the_binomial_table, struct interval_row, known)
{
	static double sample[MOST];
	struct bench_interval i;

	/* from the last to the first: the function sorts */
	for (unsigned k = 0; k < row->n; k++)
		sample[k] = row->n - k;
	bench_interval_of(sample, row->n, &i);
	EXPECT_EQ(row->n, i.n_samples);
	EXPECT_EQ(row->median, i.median);
	EXPECT_EQ(row->low, i.low);
	EXPECT_EQ(row->high, i.high);
}

TEST(interval, holds_the_true_median_in_95_of_100_runs)
{
	unsigned n_held = 0;
	double sample[25];

	srand48(7);
	for (unsigned run = 0; run < RUNS; run++) {
		struct bench_interval i;

		for (unsigned k = 0; k < 25; k++)
			sample[k] = drand48();
		bench_interval_of(sample, 25, &i);
		n_held += i.low <= 0.5 && 0.5 <= i.high;
	}
	EXPECT_GE(n_held, RUNS * 94 / 100);
	EXPECT_LE(n_held, RUNS * 98 / 100);
}

TEST(interval, takes_as_many_samples_as_a_point_has)
{
	static double sample[MOST];
	struct bench_interval i;

	for (unsigned k = 0; k < MOST; k++)
		sample[k] = k % 2 ? 10 : 20;
	bench_interval_of(sample, MOST, &i);
	EXPECT_EQ(15.0, i.median);
	EXPECT_EQ(10.0, i.low);
	EXPECT_EQ(20.0, i.high);
}
