/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include <stdio.h>

#include "base/run.h"

/** bench_cases - every case of this program, ended by NULL */
extern const struct bench_case *const bench_cases[];

/** bench_find_case - find the case @name. Return: the case, or NULL */
const struct bench_case *bench_find_case(const char *name);

/**
 * bench_list_points - print the paths of the points of @c that --filter selects, one per line
 * @to: receives the lines; NULL: only count them
 *
 * Return: number of points, or -ENOMEM
 */
int bench_list_points(const struct bench_case *c, const struct bench_run *run, FILE *to);

#endif
