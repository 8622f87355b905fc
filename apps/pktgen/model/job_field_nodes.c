/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/units.h"
#include "model/job_field_nodes.h"

enum { VALUE_BYTES = 64 };

/* ---- values ---------------------------------------------------------------------- */

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

static json_t *write_one(pattern_value value, enum field_format format)
{
	char text[VALUE_BYTES];

	if (format == FIELD_NUMBER)
		return json_integer((json_int_t)value);
	pattern_format_value(value, format, text, sizeof(text));
	return json_string(text);
}

/* Reads @start of the pattern, or @step if the node has a @tag. */
static bool read_part(struct json_reader *r, json_t *value, struct json_at at)
{
	struct field_place *p = at.place;

	return read_one(r, value, p->field, at.node->tag ? &p->values.step : &p->values.start);
}

static json_t *write_part(struct json_from from)
{
	const struct field_place *p = from.place;

	return write_one(from.node->tag ? p->values.step : p->values.start, p->field->format);
}

#define PART(name, is_step, required)                                                              \
	{                                                                                          \
		.key = name, .kind = NODE_VALUE, .tag = is_step, .is_required = required,          \
		.read = read_part, .write = write_part                                             \
	}
#define NUMBER(name, member, least, ...)                                                           \
	{                                                                                          \
		.key = name, .kind = NODE_UINT, NODE_AT(struct field_place, values.member),        \
		.min = least, __VA_ARGS__                                                          \
	}
#define SEED NUMBER("seed", seed, 0, .max = UINT32_MAX, .omits_zero = true)
#define REPEAT NUMBER("count", repeat, 1, .max = INT64_MAX, .omits_zero = true)

static const struct json_node counter_keys[] = {
	PART("start", false, false),
	PART("step", true, false),
	NUMBER("count", count, 1, .max = INT64_MAX),
	{ 0 },
};
static const struct json_node random_keys[] = {
	PART("min", false, false), PART("max", true, true), SEED, REPEAT, { 0 },
};
static const struct json_node mask_keys[] = {
	PART("value", false, true), PART("mask", true, true), SEED, REPEAT, { 0 },
};

/* ---- patterns: @tag is the kind -------------------------------------------------- */

static bool read_value(struct json_reader *r, json_t *value, struct json_at at)
{
	struct field_place *p = at.place;

	p->values = pattern_make_value(0);
	return read_one(r, value, p->field, &p->values.start);
}

static bool read_element(struct json_reader *r, json_t *value, struct json_at at)
{
	struct field_place *p = at.place;

	return read_one(r, value, p->field, &p->list[p->n++]);
}

static bool read_values(struct json_reader *r, json_t *value, struct json_at at)
{
	struct field_place *p = at.place;
	bool ok;

	if (json_is_array(value) && !json_array_size(value))
		return json_note_refusal(r, "is empty (valid: at least 1 value)");
	p->list = calloc(json_array_size(value) + 1, sizeof(*p->list));
	if (!p->list)
		return json_note_refusal(r, "no memory for it");
	ok = json_read_kind(r, value, at.node, p);
	if (ok && pattern_make_list(&p->values, p->list, p->n))
		ok = json_note_refusal(r, "no memory for it");
	free(p->list);
	return ok;
}

static json_t *write_values(struct json_from from)
{
	const struct field_place *p = from.place;
	json_t *list = json_array();

	for (unsigned i = 0; i < p->values.list->n; i++)
		json_array_append_new(list, write_one(p->values.list->values[i], p->field->format));
	return list;
}

/* Also refuses a counter whose last value does not fit the field. */
static bool read_counter(struct json_reader *r, json_t *value, struct json_at at)
{
	struct field_place *f = at.place;
	struct pattern *p = &f->values;
	const unsigned bits = f->field->bits;
	const pattern_value most = bits == 128 ? ~(pattern_value)0 : ((pattern_value)1 << bits) - 1;
	pattern_value room;

	*p = (struct pattern){ .kind = (enum pattern_kind)at.node->tag, .step = 1, .count = 1 };
	if (!json_read_kind(r, value, at.node, at.place))
		return false;
	room = p->kind == PATTERN_INCREMENT ? most - p->start : p->start;
	if (p->step && (pattern_value)(p->count - 1) > room / p->step)
		return json_note_refusal(
			r,
			"the values do not fit the field, which has %u bit%s; give "
			"a smaller count or step",
			bits, units_get_plural(bits));
	return true;
}

/* @step holds "max" until both ends are known. */
static bool read_random(struct json_reader *r, json_t *value, struct json_at at)
{
	struct pattern *p = &((struct field_place *)at.place)->values;

	*p = (struct pattern){ .kind = PATTERN_RANDOM };
	if (!json_read_kind(r, value, at.node, at.place))
		return false;
	if (p->step < p->start || p->step - p->start >= INT64_MAX)
		return json_note_refusal(r, "max is below min, or the range has more than 2^63 "
					    "values");
	p->count = (uint64_t)(p->step - p->start) + 1;
	p->step = 0;
	return true;
}

static json_t *write_random(struct json_from from)
{
	struct field_place p = *(const struct field_place *)from.place;

	p.values.step = pattern_get_last(&p.values);
	return json_write_keys(from.node->keys, &p, from.context);
}

static bool read_mask(struct json_reader *r, json_t *value, struct json_at at)
{
	((struct field_place *)at.place)->values =
		(struct pattern){ .kind = PATTERN_MASK, .count = 1 };
	return json_read_kind(r, value, at.node, at.place);
}

static bool read_generated(struct json_reader *r, json_t *value, struct json_at at)
{
	struct field_place *p = at.place;
	const char *text = "good";

	if (!json_is_null(value) && !json_get_text(r, value, &text))
		return false;
	if (!strcmp(text, "good"))
		return true;
	if (strcmp(text, "bad") != 0)
		return json_note_refusal(r, "%s: unknown (valid: good, bad)", text);
	return json_note_reason(r, stack_set_bad(p->stack, p->header, p->field));
}

static const struct json_node element = { .kind = NODE_VALUE, .read = read_element };
static const struct json_node pattern_keys[] = {
	[PATTERN_VALUE] = { "value", NODE_VALUE, .read = read_value, .write = write_part },
	[PATTERN_VALUES] = { "values", NODE_ARRAY, .max = PATTERN_MAX_VALUES, .keys = &element,
			     .read = read_values, .write = write_values },
	[PATTERN_INCREMENT] = { "increment", NODE_OBJECT, .keys = counter_keys,
				.tag = PATTERN_INCREMENT, .read = read_counter },
	[PATTERN_DECREMENT] = { "decrement", NODE_OBJECT, .keys = counter_keys,
				.tag = PATTERN_DECREMENT, .read = read_counter },
	[PATTERN_RANDOM] = { "random", NODE_OBJECT, .keys = random_keys, .read = read_random,
			     .write = write_random },
	[PATTERN_MASK] = { "devx_mask", NODE_OBJECT, .keys = mask_keys, .read = read_mask },
	{ "auto", NODE_ANY }, /* the field keeps the value that devx-pktgen computes */
	{ 0 },
};
static const struct json_node checksum_keys[] = {
	{ "generated", NODE_TEXT, .read = read_generated, .about = "good or bad" },
	{ "custom", NODE_VALUE, .read = read_value },
	{ 0 },
};

bool job_read_field(struct json_reader *r, json_t *value, struct field_place *p)
{
	const bool is_sum = p->field->autos >= AUTO_SUM_HEADER;
	const struct json_node node = { .kind = NODE_CHOICE,
					.preset = is_sum ? "generated" : "value",
					.keys = is_sum ? checksum_keys : pattern_keys };
	const char *why = NULL;
	bool ok;

	p->values = (struct pattern){ 0 };
	p->n = 0;
	ok = json_read_kind(r, value, &node, p);
	if (ok && p->values.count)
		why = stack_set_field(p->stack, p->header, p->field, &p->values);
	pattern_free(&p->values);
	return ok && json_note_reason(r, why);
}

json_t *job_write_field(const struct stack_field *f)
{
	const struct field_place p = { .field = f->field, .values = f->values };
	const struct json_node *pattern = &pattern_keys[f->values.kind];

	if (f->is_bad)
		return json_write_choice("generated", json_string("bad"));
	if (f->field->autos >= AUTO_SUM_HEADER)
		return json_write_choice("custom", write_one(f->values.start, f->field->format));
	return json_write_choice(pattern->key, json_write_node(pattern, &p, NULL));
}

json_t *job_make_field_schema(const struct header_field *f)
{
	return json_pack("{s:s}", "$ref",
			 f->autos >= AUTO_SUM_HEADER ? "#/$defs/checksum" : "#/$defs/pattern");
}

json_t *job_make_pattern_schemas(void)
{
	const struct json_node pattern = { .kind = NODE_CHOICE, .keys = pattern_keys };
	const struct json_node checksum = { .kind = NODE_CHOICE, .keys = checksum_keys };

	return json_pack("{s:o, s:o}", "pattern", json_make_schema(&pattern), "checksum",
			 json_make_schema(&checksum));
}
