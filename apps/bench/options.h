/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "base/run.h"

enum { BENCH_MAX_FILTERS = 32, BENCH_MAX_PORTS = 8 };

struct bench_options {
	const char *command;          /* "list", "compare", "all", or the name of a case */
	const struct bench_case *one; /* the case, or NULL for another command */
	struct bench_run run;         /* without its table */
	const char *filter[BENCH_MAX_FILTERS], *port[BENCH_MAX_PORTS];

	/* files to write; "-" is stdout, NULL: not given */
	const char *json, *csv, *markdown;
	const char *plot;    /* folder, or NULL */
	const char *old;     /* JSON to compare with, or NULL */
	const char *with;    /* JSON whose rows are printed as well, or NULL */
	const char *targets; /* file of targets, or NULL for that of the installation or the tree */
};

/**
 * options_parse - read the command line
 *
 * Ends the program: with status 0 after --help and --version, with BENCH_USAGE after one line on
 * stderr for an invalid command line.
 */
void options_parse(struct bench_options *o, int argc, char **argv);

/** options_wants_stdout - tell whether an output goes to stdout, in place of the table */
bool options_wants_stdout(const struct bench_options *o);

#endif
