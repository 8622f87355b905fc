/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PATTERN_H
#define PKTGEN_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/size.h"

/**
 * DOC: Patterns of a field
 *
 * The value of a header field is a function of the sequence number alone. So the receiver can
 * compute it again, and a million values need no memory. The kinds have the names of the patterns
 * in the Open Traffic Generator model (OTG).
 */

/** enum pattern_kind - how the values of a field follow one another */
enum pattern_kind {
	PATTERN_VALUE,
	PATTERN_INCREMENT, /* start, start + 1, ...: count values, then again from start */
	PATTERN_RANDOM,    /* start to start + count - 1, all with the same probability */
};

/**
 * struct pattern - the values of a field of at most 32 bits
 * @start: first or smallest value
 * @count: number of values, 1 to 2^32
 * @seed: for PATTERN_RANDOM: fields with different seeds are independent
 */
struct pattern {
	enum pattern_kind kind;
	uint32_t start;
	uint64_t count, seed;
};

/**
 * pattern_parse_ipv4 - read IPv4 addresses
 * @p: receives the pattern, with seed 0
 * @text: "198.18.0.1", "198.18.0.1-198.18.255.254" or "random:198.18.0.1-198.18.255.254"
 *
 * Return: NULL; or the reason of a refusal, valid until the next call of this thread
 */
const char *pattern_parse_ipv4(struct pattern *p, const char *text);

/** pattern_parse_port - pattern_parse_ipv4() for ports: "9", "1024-65535", "random:1024-65535" */
const char *pattern_parse_port(struct pattern *p, const char *text);

/** pattern_make_value - make a pattern of one value */
static inline struct pattern pattern_make_value(uint32_t value)
{
	return (struct pattern){ .kind = PATTERN_VALUE, .start = value, .count = 1 };
}

/** pattern_get_last - get the largest value */
static inline uint32_t pattern_get_last(const struct pattern *p)
{
	return (uint32_t)(p->start + p->count - 1);
}

/** pattern_compute - compute the value of the field in the frame with number @seq */
static inline uint32_t pattern_compute(const struct pattern *p, uint64_t seq)
{
	switch (p->kind) {
	case PATTERN_INCREMENT:
		return p->start + (uint32_t)(seq % p->count);
	case PATTERN_RANDOM:
		return p->start +
		       (uint32_t)((size_hash(seq + (p->seed << 48)) >> 32) * p->count >> 32);
	case PATTERN_VALUE:
		break;
	}
	return p->start;
}

#endif
