/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_OUTPUT_H
#define BENCH_OUTPUT_H

#include "options.h"
#include "report/about.h"
#include "report/targets.h"

/** struct output - contents of the files that a run reads before it measures */
struct output {
	struct bench_options *o;
	struct bench_table old; /* rows of --compare */
	struct report_about old_about;
	struct bench_table with; /* rows of --with */
	struct report_about with_about;
	struct report_targets targets;
};

/**
 * output_prepare - read the old rows and the targets, and check that every output can be written
 *
 * For the command compare, sets the filters that select the points of the targets.
 *
 * Return: 0, or exit status after one line on stderr
 */
int output_prepare(struct output *out);

/**
 * output_write - write everything that the command line asks for
 * @table: rows of this run; receives those of --with
 * @rc: exit status so far
 *
 * Return: @rc; or an exit status if an output cannot be written, after a regression, or if a target
 * is missed
 */
int output_write(struct output *out, struct bench_table *table, const struct report_about *about,
		 int rc);
void output_free(struct output *out);

#endif
