/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include <stdio.h>

#include "base/run.h"

/** bench_cases - every case of this program, ended by NULL */
extern const struct bench_case *const bench_cases[];

/** bench_find_case - the case with this name, or NULL */
const struct bench_case *bench_find_case(const char *name);

/**
 * bench_list_points - print the paths of the points of @c that --filter selects, one a line
 * @to: receives the lines; NULL: only count them
 *
 * Return: number of the points; -ENOMEM
 */
int bench_list_points(const struct bench_case *c, const struct bench_run *run, FILE *to);

#endif
