/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet/size.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/reason.h"
#include "cli/units.h"

enum { ITEM_BYTES = 32, MAX_NAMED_PAIRS = 4 };

/* The predefined pairs of OTG. Weights with decimals are multiplied by 100. */
static const struct named_pairs {
	const char *name;
	struct size_pair pairs[MAX_NAMED_PAIRS];
} named[] = {
	{ "imix", { { 64, 7 }, { 570, 4 }, { 1518, 1 } } },
	{ "ipsec_imix", { { 90, 5867 }, { 92, 200 }, { 594, 2366 }, { 1418, 1567 } } },
	{ "ipv6_imix", { { 60, 5867 }, { 496, 200 }, { 594, 2366 }, { 1518, 1567 } } },
	{ "standard_imix", { { 58, 5867 }, { 62, 200 }, { 594, 2366 }, { 1518, 1567 } } },
	{ "tcp_imix", { { 90, 5867 }, { 92, 200 }, { 594, 2366 }, { 1518, 1567 } } },
};

void size_set_fixed(struct size *s, uint32_t bytes)
{
	*s = (struct size){ .kind = SIZE_FIXED, .min = bytes, .max = bytes, .period = 1 };
}

/* The slots of some weights. @next: the table made before */
struct slot_table {
	const struct slot_table *next;
	unsigned n_pairs;
	uint32_t weights[SIZE_MAX_PAIRS];
	uint8_t slots[];
};

/*
 * Spreads the sizes over the period: each packet takes the pair that is furthest behind its share.
 * In a period, every pair occurs exactly as often as its weight says.
 */
static void fill_slots(struct slot_table *t, uint32_t period)
{
	int64_t behind[SIZE_MAX_PAIRS] = { 0 };

	for (uint32_t i = 0; i < period; i++) {
		unsigned best = 0;

		for (unsigned p = 0; p < t->n_pairs; p++) {
			behind[p] += t->weights[p];
			if (behind[p] > behind[best])
				best = p;
		}
		behind[best] -= period;
		t->slots[i] = (uint8_t)best;
	}
}

/* Finds or makes the slots of a size, so that many flows share them. NULL: no memory. */
static const uint8_t *find_slots(const struct size *s)
{
	static const struct slot_table *tables;
	uint32_t weights[SIZE_MAX_PAIRS] = { 0 };
	struct slot_table *made;

	for (unsigned i = 0; i < s->n_pairs; i++)
		weights[i] = s->pairs[i].weight;
	for (const struct slot_table *t = tables; t; t = t->next) {
		if (t->n_pairs == s->n_pairs && !memcmp(t->weights, weights, sizeof(weights)))
			return t->slots;
	}
	made = malloc(sizeof(*made) + s->period);
	if (!made)
		return NULL;
	*made = (struct slot_table){ .next = tables, .n_pairs = s->n_pairs };
	memcpy(made->weights, weights, sizeof(weights));
	fill_slots(made, s->period);
	tables = made;
	return made->slots;
}

static const char *set_pairs(struct size *s, const struct size_pair *pairs, unsigned n)
{
	uint64_t period = 0;

	*s = (struct size){ .kind = SIZE_WEIGHT_PAIRS, .min = SIZE_MAX_BYTES, .n_pairs = n };
	for (unsigned i = 0; i < n; i++) {
		period += pairs[i].weight;
		s->pairs[i] = pairs[i];
		s->min = pairs[i].size < s->min ? pairs[i].size : s->min;
		s->max = pairs[i].size > s->max ? pairs[i].size : s->max;
	}
	if (period > SIZE_MAX_PERIOD)
		return reason_format("the weights add up to %s (valid: at most %s)",
				     units_format_count(period),
				     units_format_count(SIZE_MAX_PERIOD));
	s->period = (uint32_t)period;
	s->slots = find_slots(s);
	return s->slots ? NULL : "no memory for the sizes; free some memory";
}

static const char *set_named_pairs(struct size *s, const struct named_pairs *row)
{
	unsigned n = 0;
	const char *why;

	while (n < MAX_NAMED_PAIRS && row->pairs[n].weight)
		n++;
	why = set_pairs(s, row->pairs, n);
	s->name = row->name;
	s->named_min = s->min;
	size_raise(s, SIZE_MIN_BYTES);
	return why;
}

void size_raise(struct size *s, uint32_t least)
{
	if (!s->name || s->min >= least)
		return;
	for (unsigned i = 0; i < s->n_pairs; i++)
		s->pairs[i].size = s->pairs[i].size > least ? s->pairs[i].size : least;
	s->min = least;
	s->max = s->max > least ? s->max : least;
}

static const char *parse_size(const char *text, uint32_t *size)
{
	uint64_t value = 0;
	const char *why = units_parse_range(text, SIZE_MIN_BYTES, SIZE_MAX_BYTES, &value);

	*size = (uint32_t)value;
	return why;
}

/* Copies the text up to @end or its last character. Returns the text after @end; NULL: too long. */
static const char *copy_item(const char *text, char end, char item[ITEM_BYTES])
{
	const char *at = strchrnul(text, end);
	const size_t n = (size_t)(at - text);

	if (n >= ITEM_BYTES)
		return NULL;
	memcpy(item, text, n);
	item[n] = 0;
	return *at ? at + 1 : at;
}

/* Reads "64" or "64:7" into a pair. */
static const char *parse_pair(char *item, struct size_pair *pair)
{
	char *colon = strchr(item, ':');
	uint64_t weight = 1;
	const char *why;

	if (colon) {
		*colon = 0;
		why = units_parse_range(colon + 1, 1, SIZE_MAX_PERIOD, &weight);
		if (why)
			return reason_format("weight %s: %s", colon + 1, why);
	}
	pair->weight = (uint32_t)weight;
	why = parse_size(item, &pair->size);
	return why ? reason_format("size %s: %s", item, why) : NULL;
}

static const char *parse_pairs(struct size *s, const char *text)
{
	struct size_pair pairs[SIZE_MAX_PAIRS];
	unsigned n = 0;

	for (const char *at = text; !n || *at || at[-1] == ','; n++) {
		char item[ITEM_BYTES];
		const char *why;

		if (n == SIZE_MAX_PAIRS)
			return reason_format("too many sizes (valid: at most %d)", SIZE_MAX_PAIRS);
		at = copy_item(at, ',', item);
		if (!at)
			return "must be sizes with commas between them (valid: 64,512,1518 or "
			       "64:7,594:4,1518:1)";
		why = parse_pair(item, &pairs[n]);
		if (why)
			return why;
	}
	return set_pairs(s, pairs, n);
}

static const char *parse_range(struct size *s, const char *text, enum size_kind kind)
{
	char item[ITEM_BYTES];
	const char *last = copy_item(text, '-', item), *slash = NULL, *why;
	uint64_t step = 1;

	*s = (struct size){ .kind = kind, .step = 1 };
	if (!last || !*last)
		return "must be a range of sizes (valid: 64-1518)";
	why = parse_size(item, &s->min);
	if (why)
		return reason_format("first size: %s", why);
	if (kind == SIZE_INCREMENT)
		slash = strchr(last, '/');
	if (slash)
		last = copy_item(last, '/', item) ? item : last;
	why = parse_size(last, &s->max);
	if (why)
		return reason_format("last size: %s", why);
	why = slash ? units_parse_range(slash + 1, 1, SIZE_MAX_BYTES, &step) : NULL;
	if (why)
		return reason_format("step: %s", why);
	if (s->min > s->max)
		return reason_format("the first size is above the last; give %u-%u", s->max,
				     s->min);
	s->step = (uint32_t)step;
	s->period = kind == SIZE_RANDOM ? 0 : (s->max - s->min) / s->step + 1;
	if (kind == SIZE_INCREMENT)
		s->max = s->min + (s->period - 1) * s->step;
	return NULL;
}

const char *size_parse(struct size *s, const char *text)
{
	static const char random[] = "random:";
	uint32_t fixed = 0;
	const char *why;

	for (unsigned i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		if (!strcmp(text, named[i].name))
			return set_named_pairs(s, &named[i]);
	}
	if (!strncmp(text, random, strlen(random)))
		return parse_range(s, text + strlen(random), SIZE_RANDOM);
	if (strpbrk(text, ",:"))
		return parse_pairs(s, text);
	if (strchr(text, '-') && *text != '-')
		return parse_range(s, text, SIZE_INCREMENT);
	if (*text >= 'a' && *text <= 'z')
		return "unknown name (valid: imix, ipsec_imix, ipv6_imix, standard_imix, tcp_imix, "
		       "random:64-1518)";
	why = parse_size(text, &fixed);
	if (!why)
		size_set_fixed(s, fixed);
	return why;
}

double size_compute_mean(const struct size *s)
{
	double sum = 0;

	if (s->kind != SIZE_WEIGHT_PAIRS)
		return (s->min + s->max) / 2.0;
	for (unsigned i = 0; i < s->n_pairs; i++)
		sum += (double)s->pairs[i].size * s->pairs[i].weight;
	return sum / s->period;
}

void size_format(const struct size *s, char *text, size_t text_bytes)
{
	size_t n = 0;

	switch (s->kind) {
	case SIZE_FIXED:
		snprintf(text, text_bytes, "%u", s->min);
		return;
	case SIZE_INCREMENT:
		n = (size_t)snprintf(text, text_bytes, "%u to %u", s->min, s->max);
		if (s->step > 1 && n < text_bytes)
			snprintf(text + n, text_bytes - n, " by %u", s->step);
		return;
	case SIZE_RANDOM:
		snprintf(text, text_bytes, "random %u to %u", s->min, s->max);
		return;
	case SIZE_WEIGHT_PAIRS:
		break;
	}
	*text = 0;
	for (unsigned i = 0; i < s->n_pairs && n < text_bytes; i++)
		n += (size_t)snprintf(text + n, text_bytes - n, "%s%u:%u", i ? "," : "",
				      s->pairs[i].size, s->pairs[i].weight);
}
