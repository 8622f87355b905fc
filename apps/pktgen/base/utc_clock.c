/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/utc_clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/*
 * Two clocks that differ by more than this after a span do not only run at different speeds: the
 * kernel changes the speed of its clock by at most 500 ppm.
 */
enum { STEP_NS = 1000000, STEP_PARTS = 1000 };

static struct utc_moment read_moment(const struct run_clock *c)
{
	const struct clock_moment now = clock_read_utc();

	return (struct utc_moment){ run_clock_to_ns(c, now.tsc), now.ns };
}

void utc_clock_begin(struct utc_clock *u, const struct run_clock *c)
{
	struct utc_span *spans = realloc(u->spans, (u->n + 1) * sizeof(*spans));

	if (!spans)
		return;
	u->spans = spans;
	spans[u->n].begin = spans[u->n].end = read_moment(c);
	u->n++;
}

void utc_clock_end(struct utc_clock *u, const struct run_clock *c)
{
	if (u->n)
		u->spans[u->n - 1].end = read_moment(c);
}

void utc_clock_free(struct utc_clock *u)
{
	free(u->spans);
	*u = (struct utc_clock){ 0 };
}

/* Returns by how many ns the clock of the machine was set in a span; 0: it was not. */
static int64_t find_step(const struct utc_span *s)
{
	const int64_t passed = (int64_t)(s->end.ns - s->begin.ns);
	const int64_t off = (int64_t)(s->end.utc_ns - s->begin.utc_ns) - passed;

	return llabs(off) > STEP_NS + passed / STEP_PARTS ? off : 0;
}

uint64_t utc_clock_find(const struct utc_clock *u, uint64_t ns)
{
	const struct utc_span *s = u->spans;
	uint64_t passed, in_utc;

	if (!u->n)
		return ns;
	for (unsigned i = 1; i < u->n && u->spans[i].begin.ns <= ns; i++)
		s = &u->spans[i];
	passed = s->end.ns - s->begin.ns;
	in_utc = s->end.utc_ns - s->begin.utc_ns;
	if (!passed || find_step(s))
		in_utc = passed = 1;
	return s->begin.utc_ns +
	       (uint64_t)((__int128)(int64_t)(ns - s->begin.ns) * in_utc / (__int128)passed);
}

int64_t utc_clock_find_step(const struct utc_clock *u)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < u->n; i++)
		sum += find_step(&u->spans[i]);
	return sum;
}

void utc_format(uint64_t utc_ns, char text[UTC_TEXT_BYTES])
{
	const time_t s = (time_t)(utc_ns / NS_PER_S);
	struct tm tm;
	size_t n;

	n = strftime(text, UTC_TEXT_BYTES, "%Y-%m-%dT%H:%M:%S", gmtime_r(&s, &tm));
	snprintf(text + n, UTC_TEXT_BYTES - n, ".%09" PRIu64 "Z", utc_ns % NS_PER_S);
}
