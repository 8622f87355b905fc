/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_TARGETS_H
#define BENCH_TARGETS_H

#include <stddef.h>
#include <stdio.h>

#include "base/row.h"

/**
 * DOC: Targets
 *
 * apps/bench/targets.json has the targets of net_devx. Each has a path, the row and the metric that
 * measure it, and the limit. doc/bench.md, "Targets" describes the file.
 */

enum { TARGETS_MAX = 32, TARGETS_MAX_KEYS = BENCH_MAX_KEYS };

/**
 * struct report_target - one line of `devx-bench compare`
 * @path: name for people
 * @select: glob of the points that must be measured, for --filter
 * @case_name, @key, @metric: the row and its value; a row may have more keys
 * @driver, @rival: the PMDs of both values; with @rival "", the limit is absolute
 * @ship, @stretch: limits of the ratio to @rival, or of the value; @stretch 0: none
 * @unavailable: the reason why the target cannot be measured yet, or ""
 */
struct report_target {
	char path[64], select[128], case_name[64], metric[64], driver[32], rival[32];
	char unavailable[120];
	struct {
		char name[24], value[24];
	} key[TARGETS_MAX_KEYS];
	unsigned n_keys;
	double ship, stretch;
};

struct report_targets {
	struct report_target target[TARGETS_MAX];
	unsigned n;
};

/**
 * report_targets_read - read a file of targets
 * @why: receives the reason of a refusal: the end of a message such as "targets.json: ..."
 *
 * Return: 0; -EINVAL if it is not JSON of this schema and version or a target is wrong; or -errno
 * of the file
 */
int report_targets_read(const char *path, struct report_targets *targets, char *why, size_t bytes);

struct report_verdicts {
	unsigned n_stretch, n_ship, n_missed, n_unavailable;
};

/**
 * report_targets_print - print path, metric, both values, ratio, target and verdict
 * @verdicts: receives the sums
 */
void report_targets_print(FILE *to, const struct report_targets *targets,
			  const struct bench_table *table, struct report_verdicts *verdicts);

#endif
