/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/job_field.h"

enum { VALUE_BYTES = 64 };

/* Reads one value: a number, or an address as a string. */
static bool read_one(struct json_reader *r, json_t *value, const struct header_field *f,
		     pattern_value *n)
{
	char number[VALUE_BYTES];
	const char *text = number, *why;

	if (f->format == FIELD_NUMBER && json_is_integer(value))
		snprintf(number, sizeof(number), "%lld", (long long)json_integer_value(value));
	else if (!json_get_text(r, value, &text))
		return false;
	why = pattern_parse_value(n, text, f->format, f->bits);
	return !why || json_note_refusal(r, "%.64s: %s", text, why);
}

static bool read_value(struct json_reader *r, json_t *value, void *target)
{
	struct field_reading *reading = target;

	reading->values = pattern_make_value(0);
	return read_one(r, value, reading->field, &reading->values.start);
}

/* The values of a list while it is read. */
struct list_reading {
	const struct header_field *field;
	pattern_value *values;
	unsigned n;
};

static bool read_element(struct json_reader *r, json_t *value, void *target)
{
	struct list_reading *list = target;

	return read_one(r, value, list->field, &list->values[list->n++]);
}

static bool read_values(struct json_reader *r, json_t *value, void *target)
{
	struct field_reading *reading = target;
	struct list_reading list = { .field = reading->field };
	bool ok;

	if (json_is_array(value) && !json_array_size(value))
		return json_note_refusal(r, "is empty (valid: at least 1 value)");
	list.values = calloc(json_array_size(value) + 1, sizeof(*list.values));
	if (!list.values)
		return json_note_refusal(r, "no memory for it");
	ok = json_read_array(r, value, PATTERN_MAX_VALUES, read_element, &list);
	if (ok && pattern_make_list(&reading->values, list.values, list.n))
		ok = json_note_refusal(r, "no memory for it");
	free(list.values);
	return ok;
}

static bool read_start(struct json_reader *r, json_t *value, void *target)
{
	struct field_reading *reading = target;

	return read_one(r, value, reading->field, &reading->values.start);
}

static bool read_step(struct json_reader *r, json_t *value, void *target)
{
	struct field_reading *reading = target;

	return read_one(r, value, reading->field, &reading->values.step);
}

static bool read_count(struct json_reader *r, json_t *value, void *target)
{
	struct field_reading *reading = target;

	return json_get_uint(r, value, 1, INT64_MAX, &reading->values.count);
}

/* Does the last value fit the field? */
static bool check_counter(struct json_reader *r, const struct field_reading *reading)
{
	const struct pattern *p = &reading->values;
	const unsigned bits = reading->field->bits;
	const pattern_value most = bits == 128 ? ~(pattern_value)0 : ((pattern_value)1 << bits) - 1;
	const pattern_value room = p->kind == PATTERN_INCREMENT ? most - p->start : p->start;

	if (p->step && (pattern_value)(p->count - 1) > room / p->step)
		return json_note_refusal(r,
					 "the values leave the field, which has %u bits; give a "
					 "smaller count or step",
					 bits);
	return true;
}

static bool read_counter(struct json_reader *r, json_t *value, struct field_reading *reading,
			 enum pattern_kind kind)
{
	static const struct json_key keys[] = {
		{ "start", read_start, false },
		{ "step", read_step, false },
		{ "count", read_count, false },
		{ 0 },
	};

	reading->values = (struct pattern){ .kind = kind, .step = 1, .count = 1 };
	return json_read_object(r, value, keys, reading) && check_counter(r, reading);
}

static bool read_increment(struct json_reader *r, json_t *value, void *target)
{
	return read_counter(r, value, target, PATTERN_INCREMENT);
}

static bool read_decrement(struct json_reader *r, json_t *value, void *target)
{
	return read_counter(r, value, target, PATTERN_DECREMENT);
}

static bool read_seed(struct json_reader *r, json_t *value, void *target)
{
	struct field_reading *reading = target;

	return json_get_uint(r, value, 0, UINT32_MAX, &reading->values.seed);
}

static bool read_repeat(struct json_reader *r, json_t *value, void *target)
{
	struct field_reading *reading = target;

	return json_get_uint(r, value, 1, INT64_MAX, &reading->values.repeat);
}

/* "max" is kept in @step until both ends are known. */
static bool read_random(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "min", read_start, false },
		{ "max", read_step, true },
		{ "seed", read_seed, false },
		{ "count", read_repeat, false },
		{ 0 },
	};
	struct field_reading *reading = target;
	struct pattern *p = &reading->values;

	*p = (struct pattern){ .kind = PATTERN_RANDOM };
	if (!json_read_object(r, value, keys, target))
		return false;
	if (p->step < p->start || p->step - p->start >= INT64_MAX)
		return json_note_refusal(r, "max is below min, or the range has more than 2^63 "
					    "values");
	p->count = (uint64_t)(p->step - p->start) + 1;
	p->step = 0;
	return true;
}

static bool read_mask(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "value", read_start, true },
		{ "mask", read_step, true },
		{ "seed", read_seed, false },
		{ "count", read_repeat, false },
		{ 0 },
	};
	struct field_reading *reading = target;

	reading->values = (struct pattern){ .kind = PATTERN_MASK, .count = 1 };
	return json_read_object(r, value, keys, target);
}

/* The field keeps the value that devx-pktgen computes. */
static bool read_auto(struct json_reader *r, json_t *value, void *target)
{
	(void)r;
	(void)value;
	(void)target;
	return true;
}

static bool read_generated(struct json_reader *r, json_t *value, void *target)
{
	struct field_reading *reading = target;
	const char *text = "good", *why;

	if (!json_is_null(value) && !json_get_text(r, value, &text))
		return false;
	if (!strcmp(text, "good"))
		return true;
	if (strcmp(text, "bad") != 0)
		return json_note_refusal(r, "%s: unknown (valid: good, bad)", text);
	why = stack_set_bad(reading->stack, reading->header, reading->field);
	return !why || json_note_refusal(r, "%s", why);
}

bool job_read_field(struct json_reader *r, json_t *value, struct field_reading *reading)
{
	static const struct json_key patterns[] = {
		{ "value", read_value, false },         { "values", read_values, false },
		{ "increment", read_increment, false }, { "decrement", read_decrement, false },
		{ "random", read_random, false },       { "auto", read_auto, false },
		{ "devx_mask", read_mask, false },      { 0 },
	};
	static const struct json_key checksums[] = {
		{ "generated", read_generated, false },
		{ "custom", read_value, false },
		{ 0 },
	};
	const bool is_sum = reading->field->autos >= AUTO_SUM_HEADER;
	const char *why = NULL;

	reading->values = (struct pattern){ 0 };
	if (!json_read_choice(r, value, is_sum ? checksums : patterns,
			      is_sum ? "generated" : "value", reading)) {
		pattern_free(&reading->values);
		return false;
	}
	if (reading->values.count)
		why = stack_set_field(reading->stack, reading->header, reading->field,
				      &reading->values);
	pattern_free(&reading->values);
	return !why || json_note_refusal(r, "%s", why);
}
