/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_OPTION_ROWS_H
#define PKTGEN_OPTION_ROWS_H

#include "model/options.h"

/** enum option_group - section of --help */
enum option_group {
	GROUP_PORTS = 1,
	GROUP_FRAMES,
	GROUP_AMOUNT,
	GROUP_ADDRESSES,
	GROUP_CORES,
	GROUP_REPORTS,
	GROUP_OTHER,
};

/** enum option_kind - argument of an option, and type of the member of struct options at @at */
enum option_kind {
	OPTION_FLAG,    /* no argument; bool */
	OPTION_PATH,    /* any text; const char * */
	OPTION_COUNT,   /* 5000, 10k, 10M; uint64_t */
	OPTION_TIME,    /* 500ms; uint64_t in ns */
	OPTION_SETTING, /* the setting with index @setting in job_settings_keys */
	OPTION_FIELD,   /* values of @field in header number @header of the default packet */
	OPTION_OTHER,   /* any text that @parse reads */
};

/** enum option_scope - what may replace an option, and the member that notes its use */
enum option_scope {
	SCOPE_RUN,     /* nothing replaces it */
	SCOPE_JOB,     /* a job file; options.job_option */
	SCOPE_CAPTURE, /* a job file, and it needs --pcap; also options.capture_option */
	SCOPE_FRAME,   /* a job file or a capture; options.frame_option */
};

/**
 * struct option_row - an option
 * @key: its letter, or 0
 * @argument: name of its argument in --help, or NULL
 * @parse: returns NULL, or the reason of a refusal
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

/** option_take - store the argument of an option. Return: NULL, or the reason of a refusal */
const char *option_take(struct options *o, const struct option_row *row, const char *argument);

#endif
