/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

#include <rte_common.h>

#include "model/job_nodes.h"

struct range {
	uint32_t first, last, step;
};

/* The current pair, and the @n characters of the pairs so far, in the syntax of --size. */
struct pairs {
	struct size_pair pair;
	char text[SIZE_MAX_PAIRS * 16];
	size_t n;
};

#define SIZE_NODE(name, type, member)                                                              \
	{                                                                                          \
		.key = name, .kind = NODE_UINT, NODE_AT(type, member), .min = PKTGEN_MIN_SIZE,     \
		.max = PKTGEN_MAX_SIZE                                                             \
	}

static const struct json_node increment_keys[] = {
	SIZE_NODE("start", struct range, first),
	SIZE_NODE("end", struct range, last),
	{ "step", NODE_UINT, NODE_AT(struct range, step), .min = 1, .max = PKTGEN_MAX_SIZE },
	{ 0 },
};
static const struct json_node random_keys[] = {
	SIZE_NODE("min", struct range, first),
	SIZE_NODE("max", struct range, last),
	{ 0 },
};
static const struct json_node pair_keys[] = {
	SIZE_NODE("size", struct pairs, pair.size),
	{ "weight", NODE_UINT, NODE_AT(struct pairs, pair.weight), .min = 1,
	  .max = SIZE_MAX_PERIOD },
	{ 0 },
};

static bool read_fixed(struct json_reader *r, json_t *value, struct json_at at)
{
	uint32_t bytes = PKTGEN_MIN_SIZE;

	if (!json_read_kind(r, value, at.node, &bytes))
		return false;
	size_set_fixed(at.place, bytes);
	return true;
}

static bool read_range(struct json_reader *r, json_t *value, struct json_at at)
{
	struct range range = { 64, 1518, 1 };
	char text[64];

	if (!json_read_kind(r, value, at.node, &range))
		return false;
	if (at.node->tag == SIZE_RANDOM)
		snprintf(text, sizeof(text), "random:%u-%u", range.first, range.last);
	else
		snprintf(text, sizeof(text), "%u-%u/%u", range.first, range.last, range.step);
	return json_note_reason(r, size_parse(at.place, text));
}

static bool read_predefined(struct json_reader *r, json_t *value, struct json_at at)
{
	const char *text = "imix";

	if (!json_is_null(value) && !json_get_text(r, value, &text))
		return false;
	return json_note_reason(r, size_parse(at.place, text));
}

static bool read_pair(struct json_reader *r, json_t *value, struct json_at at)
{
	struct pairs *p = at.place;

	p->pair = (struct size_pair){ PKTGEN_MIN_SIZE, 1 };
	if (!json_read_kind(r, value, at.node, at.place))
		return false;
	p->n += (size_t)snprintf(p->text + p->n, sizeof(p->text) - p->n, "%s%u:%u", p->n ? "," : "",
				 p->pair.size, p->pair.weight);
	return true;
}

static bool read_pairs(struct json_reader *r, json_t *value, struct json_at at)
{
	struct pairs p = { .n = 0 };

	if (!json_read_kind(r, value, at.node, &p))
		return false;
	return json_note_reason(r, p.n ? size_parse(at.place, p.text) : "is empty");
}

static json_t *write_pairs(struct json_from from)
{
	const struct size *s = from.place;
	json_t *pairs = json_array();

	for (unsigned i = 0; i < s->n_pairs; i++)
		json_array_append_new(pairs, json_write_keys(from.node->keys->keys,
							     &(struct pairs){ s->pairs[i] },
							     from.context));
	return pairs;
}

static const struct json_node pair = { .kind = NODE_OBJECT, .keys = pair_keys, .read = read_pair };
static const struct json_node weight_pairs_keys[] = {
	{ "predefined", NODE_TEXT, .read = read_predefined, .is_read_only = true },
	{ "custom", NODE_ARRAY, .max = SIZE_MAX_PAIRS, .keys = &pair, .read = read_pairs,
	  .write = write_pairs },
	{ 0 },
};

json_t *job_write_size(struct json_from from)
{
	const struct size *s = from.place;
	const struct json_node *kind = &from.node->keys[s->kind];

	if (container_of(s, const struct job_flow, size)->capture)
		return NULL;
	if (s->kind == SIZE_FIXED)
		return json_write_choice(kind->key, json_integer(s->min));
	if (s->kind == SIZE_WEIGHT_PAIRS)
		return json_write_choice(kind->key,
					 json_write_node(kind, from.place, from.context));
	return json_write_choice(
		kind->key, json_write_keys(kind->keys, &(struct range){ s->min, s->max, s->step },
					   from.context));
}

const struct json_node job_size_keys[] = {
	[SIZE_FIXED] = { "fixed", NODE_UINT, .bytes = sizeof(uint32_t), .min = PKTGEN_MIN_SIZE,
			 .max = PKTGEN_MAX_SIZE, .is_optional = true, .read = read_fixed },
	[SIZE_INCREMENT] = { "increment", NODE_OBJECT, .keys = increment_keys, .is_optional = true,
			     .read = read_range },
	[SIZE_RANDOM] = { "random", NODE_OBJECT, .keys = random_keys, .is_optional = true,
			  .tag = SIZE_RANDOM, .read = read_range },
	[SIZE_WEIGHT_PAIRS] = { "weight_pairs", NODE_CHOICE, .preset = "predefined",
				.keys = weight_pairs_keys },
	{ 0 },
};
