/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PATTERN_WORD_H
#define PKTGEN_PATTERN_WORD_H

#include "packet/pattern.h"

/**
 * struct pattern_word - a pattern that is fast to compute, for a field of at most 64 bits
 * @kind: PATTERN_DECREMENT is PATTERN_INCREMENT with a negative step
 * @start, @step, @count, @repeat, @seed, @list: as in struct pattern
 * @reciprocal: 2^64 / @count, rounded down; at most 2^64 - 1
 */
struct pattern_word {
	enum pattern_kind kind;
	uint64_t start, step, count, reciprocal, repeat, seed;
	const struct pattern_list *list;
};

/** pattern_word_init - prepare a pattern, whose list must outlive @w */
void pattern_word_init(struct pattern_word *w, const struct pattern *p);

/*
 * Computes @n mod count. The product with the rounded reciprocal is too small by at most n / 2^64,
 * which is less than 1. So it gives the quotient or one less.
 */
static inline uint64_t pattern_word_wrap(const struct pattern_word *w, uint64_t n)
{
	const uint64_t quotient = (uint64_t)((unsigned __int128)n * w->reciprocal >> 64);
	const uint64_t rest = n - quotient * w->count;

	return rest < w->count ? rest : rest - w->count;
}

/** pattern_word_compute - compute the value of the field in frame @n, as pattern_compute() */
static inline uint64_t pattern_word_compute(const struct pattern_word *w, uint64_t n)
{
	uint64_t bits;

	if (w->kind == PATTERN_INCREMENT)
		return w->start + w->step * pattern_word_wrap(w, n);
	if (w->kind == PATTERN_VALUE)
		return w->start;
	if (w->kind == PATTERN_VALUES)
		return (uint64_t)w->list->values[pattern_word_wrap(w, n)];
	bits = size_hash((__builtin_expect(w->repeat != 0, 0) ? n % w->repeat : n) + w->seed);
	if (w->kind == PATTERN_MASK)
		return (w->start & ~w->step) | (bits & w->step);
	return w->start + (uint64_t)((unsigned __int128)bits * w->count >> 64);
}

#endif
