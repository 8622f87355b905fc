/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PATTERN_H
#define PKTGEN_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet/size.h"

/**
 * DOC: Patterns of a field
 *
 * The value of a header field depends only on the number of the frame. The receiver can therefore
 * compute it again, and a million values need no memory. The kinds are named after the patterns of
 * the Open Traffic Generator model (OTG).
 */

/** typedef pattern_value - value of a field of at most 128 bits */
typedef unsigned __int128 pattern_value;

enum {
	PATTERN_MAX_VALUES = 1 << 16,
	PATTERN_TEXT_BYTES = 160, /* room for pattern_format() */
};

/** enum pattern_kind - the sequence of the values of a field */
enum pattern_kind {
	PATTERN_VALUE,
	PATTERN_VALUES,    /* the values of a list in turn */
	PATTERN_INCREMENT, /* start, start + step, ...: count values, then again from start */
	PATTERN_DECREMENT, /* start, start - step, ... */
	PATTERN_RANDOM,    /* start to start + count - 1, all with the same probability */
	PATTERN_MASK,      /* the bits of start, but random where step has a bit */
};

/** enum field_format - notation of the value of a field */
enum field_format { FIELD_NUMBER, FIELD_MAC, FIELD_IPV4, FIELD_IPV6 };

/** struct pattern_list - values that @refs patterns share */
struct pattern_list {
	unsigned refs, n;
	pattern_value values[];
};

/**
 * struct pattern - the values of a field
 * @start: first value; for PATTERN_RANDOM, the smallest
 * @step: for PATTERN_INCREMENT and PATTERN_DECREMENT; for PATTERN_MASK, the mask
 * @count: number of values, 1 to 2^63
 * @repeat: for PATTERN_RANDOM and PATTERN_MASK: frames after which the values repeat; 0: never
 * @seed: for PATTERN_RANDOM and PATTERN_MASK: frame n has the random number n + @seed
 * @list: for PATTERN_VALUES
 */
struct pattern {
	enum pattern_kind kind;
	pattern_value start, step;
	uint64_t count, repeat, seed;
	struct pattern_list *list;
};

/**
 * pattern_parse - read the values of a field
 * @p: receives the pattern. Free it with pattern_free()
 * @text: one value; "9-20", counting up by 1; "9-20/5", by 5; "20-9", counting down; "1,7,9", in
 *   turn; "random:9-20"; "random:9-20@7" with seed 7; "mask:10.0.0.0/0.0.255.0", random in the bits
 *   of the mask
 * @format: notation of the values
 * @bits: width of the field
 *
 * Return: NULL; or the reason of a refusal, valid until the next call of this thread
 */
const char *pattern_parse(struct pattern *p, const char *text, enum field_format format,
			  unsigned bits);

/** pattern_parse_value - pattern_parse() for one value */
const char *pattern_parse_value(pattern_value *value, const char *text, enum field_format format,
				unsigned bits);

/** pattern_make_list - make a pattern of @n values, at least 1. Return: 0, or -ENOMEM */
int pattern_make_list(struct pattern *p, const pattern_value *values, unsigned n);

/** pattern_copy - make a pattern with the same values. Free both */
struct pattern pattern_copy(const struct pattern *p);

/** pattern_free - free a pattern, and its list with the last pattern; @p is all zero afterwards */
void pattern_free(struct pattern *p);

/** pattern_format - write the text that pattern_parse() reads; a long list ends in "..." */
void pattern_format(const struct pattern *p, enum field_format format, char *text, size_t bytes);

int pattern_format_value(pattern_value value, enum field_format format, char *text, size_t bytes);

static inline struct pattern pattern_make_value(pattern_value value)
{
	return (struct pattern){ .kind = PATTERN_VALUE, .start = value, .count = 1 };
}

/** pattern_get_last - get the last value of a counter, or the largest of PATTERN_RANDOM */
static inline pattern_value pattern_get_last(const struct pattern *p)
{
	if (p->kind == PATTERN_DECREMENT)
		return p->start - p->step * (p->count - 1);
	return p->start + (p->kind == PATTERN_INCREMENT ? p->step : 1) * (p->count - 1);
}

/** pattern_hash - compute 64 random bits for frame @n of the field */
static inline uint64_t pattern_hash(const struct pattern *p, uint64_t n)
{
	return size_hash((p->repeat ? n % p->repeat : n) + p->seed);
}

/** pattern_compute - compute the value of the field in frame @n */
static inline pattern_value pattern_compute(const struct pattern *p, uint64_t n)
{
	uint64_t bits;

	switch (p->kind) {
	case PATTERN_VALUE:
		break;
	case PATTERN_VALUES:
		return p->list->values[n % p->count];
	case PATTERN_INCREMENT:
		return p->start + p->step * (n % p->count);
	case PATTERN_DECREMENT:
		return p->start - p->step * (n % p->count);
	case PATTERN_RANDOM:
		return p->start + (uint64_t)((pattern_value)pattern_hash(p, n) * p->count >> 64);
	case PATTERN_MASK:
		bits = pattern_hash(p, n);
		return (p->start & ~p->step) |
		       (((pattern_value)size_hash(bits) << 64 | bits) & p->step);
	}
	return p->start;
}

#endif
