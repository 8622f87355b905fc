/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_CHILDREN_H
#define BENCH_CHILDREN_H

#include "options.h"
#include "report/about.h"

/**
 * children_run - run each case in a process of its own, and take its rows
 * @o: the command line; every case that has points for its filters runs
 * @table: receives the rows
 * @about: describes the last of these runs
 *
 * EAL starts once in a process, and each case has an adapter of its own: so one process runs one
 * case. The rows come as JSON, through a file that only this user can read.
 *
 * Return: 0, or exit status: the first one of a case that is not 0
 */
int children_run(const struct bench_options *o, struct bench_table *table,
		 struct report_about *about);

/** children_pass_signal - pass a signal on to the case that runs; may be called by a handler */
void children_pass_signal(int number);

#endif
