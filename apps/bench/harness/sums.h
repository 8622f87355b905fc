/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_SUMS_H
#define BENCH_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Sums of packets between two places
 *
 *     sent by the bursts = sent by the port = received by the wire + lost with a reason = ...
 *
 * A rate is valid only if all packets that left one place came to the next one. Losses that
 * somebody counted with a reason are taken off.
 */

/** struct bench_sum - packets that left the place @from, and came to the place @to */
struct bench_sum {
	const char *from, *to;
	uint64_t n_from, n_to, n_lost; /* n_lost: with a reason */
};

enum { BENCH_MAX_SUMS = 6 };

/** struct bench_sums - all places of one driver */
struct bench_sums {
	struct bench_sum sum[BENCH_MAX_SUMS];
	unsigned int n;
};

/** bench_sums_add - add a pair of places; one too many is left out */
void bench_sums_add(struct bench_sums *s, const struct bench_sum *sum);

/**
 * bench_sums_check - does every sum balance?
 * @why: receives one clause that names the first one that does not; may be NULL
 * @why_bytes: its size
 */
bool bench_sums_check(const struct bench_sums *s, char *why, size_t why_bytes);

#endif
