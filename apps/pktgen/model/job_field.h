/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_JOB_FIELD_H
#define PKTGEN_JOB_FIELD_H

#include "model/json_reader.h"
#include "packet/stack.h"

/**
 * struct field_reading - a field of a header while it is read from a job file
 * @stack, @header, @field: the field
 * @values: its pattern; belongs to job_read_field()
 */
struct field_reading {
	struct stack *stack;
	unsigned header;
	const struct header_field *field;
	struct pattern values;
};

/** job_read_field - read the pattern of a field, and set it in the stack */
bool job_read_field(struct json_reader *r, json_t *value, struct field_reading *reading);

#endif
