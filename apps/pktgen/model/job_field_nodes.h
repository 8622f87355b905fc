/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_JOB_FIELD_NODES_H
#define PKTGEN_JOB_FIELD_NODES_H

#include "model/json_node.h"
#include "packet/stack.h"

/**
 * struct field_place - a field of a header while it is read or written
 * @stack, @header, @field: the field
 * @values: its pattern
 * @list, @n: the values of a list while it is read
 */
struct field_place {
	struct stack *stack;
	unsigned header;
	const struct header_field *field;
	struct pattern values;
	pattern_value *list;
	unsigned n;
};

/** job_read_field - read the pattern of a field, and set it in the stack */
bool job_read_field(struct json_reader *r, json_t *value, struct field_place *p);

/** job_write_field - make the pattern of a field */
json_t *job_write_field(const struct stack_field *f);

/** job_make_field_schema - make the schema of a field, which refers to one of all patterns */
json_t *job_make_field_schema(const struct header_field *f);

/** job_make_pattern_schemas - make the schemas of the patterns of fields, for "$defs" */
json_t *job_make_pattern_schemas(void);

#endif
