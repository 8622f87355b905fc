/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_REPORT_RATE_H
#define PKTGEN_REPORT_RATE_H

#include "run/figures.h"

/** struct measured_rate - packets and bytes per second; 0 if @is_known is false */
struct measured_rate {
	bool is_known;
	double packets, bytes;
};

/**
 * rate_measure_whole - compute the rate from the first packet to the last
 *
 * N packets have N - 1 distances between them. Fewer than 2 packets have no rate, and neither have
 * packets of a single burst or poll.
 */
static inline struct measured_rate rate_measure_whole(const struct figures_side *s)
{
	double per_s;

	if (s->packets < 2 || s->last_ns <= s->first_ns)
		return (struct measured_rate){ 0 };
	per_s = (double)(s->packets - 1) * 1e9 / (double)(s->last_ns - s->first_ns);
	return (struct measured_rate){ true, per_s, per_s * (double)s->bytes / (double)s->packets };
}

/**
 * rate_measure - compute the rate that a record shows
 * @now: the counters
 * @last: those of the record before, whose distance is known; or NULL for the rate of the whole run
 * @seconds: time between the two records
 */
static inline struct measured_rate rate_measure(const struct figures_side *now,
						const struct figures_side *last, double seconds)
{
	if (!last)
		return rate_measure_whole(now);
	if (!(seconds > 0))
		return (struct measured_rate){ 0 };
	return (struct measured_rate){ true, (double)(now->packets - last->packets) / seconds,
				       (double)(now->bytes - last->bytes) / seconds };
}

#endif
