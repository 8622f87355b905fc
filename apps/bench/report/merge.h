/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_MERGE_H
#define BENCH_MERGE_H

#include "report/grid.h"

#define REPORT_MERGE_TITLE "both runs, side by side (ratios of instructions only)"

/** struct report_run - rows of one run, and its DPDK as rte_version() names it */
struct report_run {
	const struct bench_table *table;
	const char *dpdk;
};

/**
 * report_merge - put the drivers of two runs side by side, as columns
 * @now: this run
 * @other: the run of --with
 * @grid: receives a line for each point that both runs measured; no lines: there is no such point
 *
 * Instructions are counts, so two processes may be compared: each other driver has a column with
 * the ratio of net_devx to it. Cycles stand there without a ratio, because two processes differ by
 * more than two drivers do. Of several counts of a driver at a point, that of single steps counts:
 * it belongs to the function that runs on this processor.
 *
 * Return: 0 or -ENOMEM
 */
int report_merge(const struct report_run *now, const struct report_run *other,
		 struct report_grid *grid);

#endif
