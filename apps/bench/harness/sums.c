/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/sums.h"

#include <inttypes.h>
#include <stdio.h>

void bench_sums_add(struct bench_sums *s, const struct bench_sum *sum)
{
	if (s->n < BENCH_MAX_SUMS)
		s->sum[s->n++] = *sum;
}

bool bench_sums_check(const struct bench_sums *s, char *why, size_t why_bytes)
{
	for (unsigned int i = 0; i < s->n; i++) {
		const struct bench_sum *sum = &s->sum[i];

		if (sum->n_from == sum->n_to + sum->n_lost)
			continue;
		if (why)
			snprintf(why, why_bytes,
				 "packets do not add up: %s %" PRIu64 ", %s %" PRIu64
				 ", lost with a reason %" PRIu64,
				 sum->from, sum->n_from, sum->to, sum->n_to, sum->n_lost);
		return false;
	}
	return true;
}
