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
 * @grid: receives a line for each point that both runs measured; without such a point, no line
 *
 * Instructions are counts, so they can be compared between processes: each other driver has a
 * column with the ratio of net_devx to it. Cycles have no ratio, because two processes differ by
 * more than two drivers do. If a driver has several counts at a point, uses that of single steps:
 * it belongs to the function that runs on this processor.
 *
 * Return: 0 or -ENOMEM
 */
int report_merge(const struct report_run *now, const struct report_run *other,
		 struct report_grid *grid);

#endif
