/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_OPTION_ROWS_H
#define PKTGEN_OPTION_ROWS_H

#include "model/options.h"

/** enum option_group - part of the help that an option is in */
enum option_group {
	GROUP_PORTS = 1,
	GROUP_FRAMES,
	GROUP_AMOUNT,
	GROUP_ADDRESSES,
	GROUP_CORES,
	GROUP_REPORTS,
	GROUP_OTHER,
};

/** enum option_kind - the argument of an option, and the member at its place */
enum option_kind {
	OPTION_FLAG,    /* none: bool */
	OPTION_PATH,    /* any text: const char * */
	OPTION_COUNT,   /* 5000, 10k, 10M: uint64_t */
	OPTION_TIME,    /* 500ms: uint64_t, ns */
	OPTION_SETTING, /* number @setting of settings.def */
	OPTION_FIELD,   /* values of @field of header @header of the default packet */
	OPTION_OTHER,   /* any text: @parse reads it */
};

/** enum option_scope - what an option belongs to; the members of struct options that say so */
enum option_scope {
	SCOPE_RUN,
	SCOPE_JOB,   /* a job file replaces it: @job_option */
	SCOPE_FRAME, /* a capture and a job file replace it: @frame_option */
};

/**
 * struct option_row - an option
 * @key: its letter, or 0
 * @argument: its name in the help; NULL: the option has none
 * @parse: returns NULL or the reason of a refusal
 */
struct option_row {
	const char *name;
	int key;
	const char *argument;
	enum option_group group;
	enum option_scope scope;
	enum option_kind kind;
	const char *text;
	size_t at;
	unsigned setting, header;
	const char *field;
	const char *(*parse)(struct options *o, const char *argument);
};

/** option_rows - all options; the last row has no name */
extern const struct option_row option_rows[];

/** option_take - give the argument to the options. Return: NULL or the reason of a refusal */
const char *option_take(struct options *o, const struct option_row *row, const char *argument);

#endif
