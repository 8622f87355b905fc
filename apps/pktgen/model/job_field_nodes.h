/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_JOB_FIELD_NODES_H
#define PKTGEN_JOB_FIELD_NODES_H

#include "model/json_node.h"
#include "packet/stack.h"

/**
 * struct field_place - the field to read or write
 * @stack, @header, @field: the field
 * @values: its pattern
 * @list, @n: the values of a list, for the reader
 */
struct field_place {
	struct stack *stack;
	unsigned header;
	const struct header_field *field;
	struct pattern values;
	pattern_value *list;
	unsigned n;
};

/** job_read_field - read the pattern of a field into the stack */
bool job_read_field(struct json_reader *r, json_t *value, struct field_place *p);

json_t *job_write_field(const struct stack_field *f);

/** job_make_field_schema - make the schema of a field: a reference to "$defs" */
json_t *job_make_field_schema(const struct header_field *f);

/** job_make_pattern_schemas - make "$defs": the schemas of all patterns */
json_t *job_make_pattern_schemas(void);

#endif
