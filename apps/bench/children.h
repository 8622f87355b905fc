/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_CHILDREN_H
#define BENCH_CHILDREN_H

#include "options.h"
#include "report/about.h"

/**
 * children_run - run each case in a process of its own, and collect the rows
 * @o: the command line; every case with points that its filters select runs
 * @table: receives the rows
 * @about: receives the description of the last of these runs
 *
 * EAL can start only once in a process, and each case has an adapter of its own. So one process
 * runs one case. It returns its rows as JSON, in a file that only this user can read.
 *
 * Return: 0, or the first exit status of a case that is not 0
 */
int children_run(const struct bench_options *o, struct bench_table *table,
		 struct report_about *about);

/** children_pass_signal - pass a signal on to the running case; a signal handler may call it */
void children_pass_signal(int number);

#endif
