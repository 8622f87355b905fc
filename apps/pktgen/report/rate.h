/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_REPORT_RATE_H
#define PKTGEN_REPORT_RATE_H

#include "run/figures.h"

/**
 * rate_get_interval - get the counts of the interval between two records
 * @now: the current counters
 * @last: counters of the previous record; or NULL if @now is final and has its own time
 * @seconds: time between the two
 */
static inline struct figures_side rate_get_interval(const struct figures_side *now,
						    const struct figures_side *last, double seconds)
{
	if (!last)
		return *now;
	return (struct figures_side){ now->packets - last->packets, now->bytes - last->bytes,
				      seconds };
}

/** rate_compute_packets - compute packets per second; 0 if no time passed */
static inline double rate_compute_packets(const struct figures_side *s)
{
	return s->seconds > 0 ? (double)s->packets / s->seconds : 0;
}

/** rate_compute_bytes - compute bytes per second; 0 if no time passed */
static inline double rate_compute_bytes(const struct figures_side *s)
{
	return s->seconds > 0 ? (double)s->bytes / s->seconds : 0;
}

#endif
