/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "model/job_json.h"

enum { TEXT_BYTES = 64 };

/* Sets the sizes that @text describes, as --size does. */
static bool set_size(struct json_reader *r, struct job_flow *f, const char *text)
{
	const char *why = size_parse(&f->size, text);

	return !why || json_note_refusal(r, "%s", why);
}

static bool read_fixed(struct json_reader *r, json_t *value, void *flow)
{
	uint64_t n = PKTGEN_MIN_SIZE;
	struct job_flow *f = flow;

	if (!json_is_null(value) && !json_get_uint(r, value, PKTGEN_MIN_SIZE, PKTGEN_MAX_SIZE, &n))
		return false;
	size_set_fixed(&f->size, (uint32_t)n);
	return true;
}

/* The numbers of a range of sizes. */
struct size_reading {
	uint64_t first, last, step;
};

static bool read_first(struct json_reader *r, json_t *value, void *target)
{
	struct size_reading *s = target;

	return json_get_uint(r, value, PKTGEN_MIN_SIZE, PKTGEN_MAX_SIZE, &s->first);
}

static bool read_last(struct json_reader *r, json_t *value, void *target)
{
	struct size_reading *s = target;

	return json_get_uint(r, value, PKTGEN_MIN_SIZE, PKTGEN_MAX_SIZE, &s->last);
}

static bool read_size_step(struct json_reader *r, json_t *value, void *target)
{
	struct size_reading *s = target;

	return json_get_uint(r, value, 1, PKTGEN_MAX_SIZE, &s->step);
}

static bool read_size_range(struct json_reader *r, json_t *value, struct job_flow *f,
			    const struct json_key *keys, const char *format)
{
	struct size_reading s = { 64, 1518, 1 };
	char text[TEXT_BYTES];

	if (!json_is_null(value) && !json_read_object(r, value, keys, &s))
		return false;
	snprintf(text, sizeof(text), format, (unsigned)s.first, (unsigned)s.last, (unsigned)s.step);
	return set_size(r, f, text);
}

static bool read_size_increment(struct json_reader *r, json_t *value, void *flow)
{
	static const struct json_key keys[] = {
		{ "start", read_first, false },
		{ "end", read_last, false },
		{ "step", read_size_step, false },
		{ 0 },
	};

	return read_size_range(r, value, flow, keys, "%u-%u/%u");
}

static bool read_size_random(struct json_reader *r, json_t *value, void *flow)
{
	static const struct json_key keys[] = {
		{ "min", read_first, false },
		{ "max", read_last, false },
		{ 0 },
	};

	return read_size_range(r, value, flow, keys, "random:%u-%u");
}

static bool read_predefined(struct json_reader *r, json_t *value, void *flow)
{
	const char *text = "imix";

	if (!json_is_null(value) && !json_get_text(r, value, &text))
		return false;
	return set_size(r, flow, text);
}

/* Pairs as the text of --size: "64:7,570:4". */
struct pairs_reading {
	char text[SIZE_MAX_PAIRS * 16];
	size_t n;
	uint64_t size, weight;
};

static bool read_pair_size(struct json_reader *r, json_t *value, void *target)
{
	struct pairs_reading *p = target;

	return json_get_uint(r, value, PKTGEN_MIN_SIZE, PKTGEN_MAX_SIZE, &p->size);
}

static bool read_pair_weight(struct json_reader *r, json_t *value, void *target)
{
	struct pairs_reading *p = target;

	return json_get_uint(r, value, 1, SIZE_MAX_PERIOD, &p->weight);
}

static bool read_pair(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "size", read_pair_size, false },
		{ "weight", read_pair_weight, false },
		{ 0 },
	};
	struct pairs_reading *p = target;

	p->size = PKTGEN_MIN_SIZE;
	p->weight = 1;
	if (!json_read_object(r, value, keys, p))
		return false;
	p->n += (size_t)snprintf(p->text + p->n, sizeof(p->text) - p->n, "%s%u:%u", p->n ? "," : "",
				 (unsigned)p->size, (unsigned)p->weight);
	return true;
}

static bool read_pairs(struct json_reader *r, json_t *value, void *flow)
{
	struct pairs_reading p = { .n = 0 };

	if (!json_read_array(r, value, SIZE_MAX_PAIRS, read_pair, &p))
		return false;
	return p.n ? set_size(r, flow, p.text) : json_note_refusal(r, "is empty");
}

static bool read_weight_pairs(struct json_reader *r, json_t *value, void *flow)
{
	static const struct json_key keys[] = {
		{ "predefined", read_predefined, false },
		{ "custom", read_pairs, false },
		{ 0 },
	};

	return json_read_choice(r, value, keys, "predefined", flow);
}

bool job_read_size(struct json_reader *r, json_t *value, void *flow)
{
	static const struct json_key keys[] = {
		{ "fixed", read_fixed, false },
		{ "increment", read_size_increment, false },
		{ "random", read_size_random, false },
		{ "weight_pairs", read_weight_pairs, false },
		{ 0 },
	};

	return json_read_choice(r, value, keys, "fixed", flow);
}
