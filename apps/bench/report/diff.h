/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_DIFF_H
#define BENCH_DIFF_H

#include <stdbool.h>
#include <stdio.h>

#include "base/row.h"

/**
 * struct report_diff - how many values changed since an older run
 * @n_worse: values beyond the noise in the bad direction, and rows that lost their values
 * @n_better: values beyond the noise in the good direction
 * @n_other: values beyond the noise that have no direction, such as ratios
 * @n_same: values within the noise
 * @n_new: rows that the old run does not have
 * @n_left_out: rows of the old run that this run did not measure
 * @n_not_judged: values with an interval, when only exact values are compared
 */
struct report_diff {
	unsigned n_worse, n_better, n_other, n_same, n_new, n_left_out, n_not_judged;
};

/**
 * report_diff_print - print each value that changed beyond the noise, and a sum
 *
 * Rows are the same if case, driver and keys are. An exact value has changed if it is another
 * number. Any other value has changed if the two intervals do not overlap and the medians differ by
 * more than REPORT_NOISE. Two runs of one binary may differ by that much.
 *
 * @exact_only: the old run was on another CPU, so compare only exact values
 */
void report_diff_print(FILE *to, const struct bench_table *old, const struct bench_table *now,
		       bool exact_only, struct report_diff *diff);

#define REPORT_NOISE 0.05

#endif
