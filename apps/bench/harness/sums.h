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
 * A rate is valid only if all packets that left one place arrived at the next one. Packets that
 * were counted as lost with a reason may be missing.
 */

/** struct bench_sum - packets that left the place @from, and arrived at the place @to */
struct bench_sum {
	const char *from, *to;
	uint64_t n_from, n_to, n_lost; /* n_lost: with a reason */
};

enum { BENCH_MAX_SUMS = 6 };

struct bench_sums {
	struct bench_sum sum[BENCH_MAX_SUMS];
	unsigned int n;
};

/** bench_sums_add - add a pair of places; ignored beyond BENCH_MAX_SUMS */
void bench_sums_add(struct bench_sums *s, const struct bench_sum *sum);

/**
 * bench_sums_check - check that every sum balances
 * @why: receives one clause that names the first sum that does not; may be NULL
 * @why_bytes: size of @why
 */
bool bench_sums_check(const struct bench_sums *s, char *why, size_t why_bytes);

#endif
