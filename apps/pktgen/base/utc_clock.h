/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_UTC_CLOCK_H
#define PKTGEN_UTC_CLOCK_H

#include "base/clock.h"

/**
 * DOC: Times of day
 *
 * A run measures with the clock of clock.h. To tell the time of day of a moment, the controller
 * reads CLOCK_REALTIME together with that clock, at both ends of each span:
 *
 *     start of the run |---- span ----| Ctrl-Z     fg |---- span ----| end of the run
 *
 * Inside a span, the time of day is interpolated. So the error of the measured frequency does not
 * add up in a long run, and the pause between two spans has its length. If somebody sets the clock
 * of the machine inside a span, the times follow the clock as it was at the start of the span.
 */

/** struct utc_moment - a moment in ns since the start of the run, and in ns since 1970, UTC */
struct utc_moment {
	uint64_t ns, utc_ns;
};

/** struct utc_span - a time without a pause */
struct utc_span {
	struct utc_moment begin, end;
};

/** struct utc_clock - the spans of a run, in their order; zeroed at first. One thread uses it */
struct utc_clock {
	struct utc_span *spans;
	unsigned n;
};

/** utc_clock_begin - begin a span now. Without memory for it, the last one goes on */
void utc_clock_begin(struct utc_clock *u, const struct run_clock *c);

/** utc_clock_end - end the last span now; a second call moves its end */
void utc_clock_end(struct utc_clock *u, const struct run_clock *c);

void utc_clock_free(struct utc_clock *u);

/** utc_clock_find - find the time of day. Return: ns since 1970, UTC. @ns: since the run's start */
uint64_t utc_clock_find(const struct utc_clock *u, uint64_t ns);

/** utc_clock_find_step - tell by how many ns the clock of the machine was set in all spans */
int64_t utc_clock_find_step(const struct utc_clock *u);

enum { UTC_TEXT_BYTES = sizeof("2000-01-01T00:00:00.000000000Z") + 8 };

/** utc_format - write a time of day as "2026-11-28T09:30:00.000000001Z" (ISO 8601) */
void utc_format(uint64_t utc_ns, char text[UTC_TEXT_BYTES]);

#endif
