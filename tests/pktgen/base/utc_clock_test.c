/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/utc_clock.h"

#include <time.h>

#include "ct.h"

#define S 1000000000ull
#define BEGIN (1000 * S)

static struct utc_span make_span(uint64_t from, uint64_t utc, uint64_t to, uint64_t utc_to)
{
	return (struct utc_span){ { from, utc }, { to, utc_to } };
}

TEST(utc_clock, follows_the_clock_of_the_machine_inside_a_span)
{
	/* In 100 s the clock of the machine goes forward 2 ms more than that of the run. */
	struct utc_span span = make_span(0, BEGIN, 100 * S, BEGIN + 100 * S + 2000000);
	const struct utc_clock u = { &span, 1 };

	EXPECT_EQ(BEGIN, utc_clock_find(&u, 0));
	EXPECT_EQ(BEGIN + 50 * S + 1000000, utc_clock_find(&u, 50 * S));
	EXPECT_EQ(BEGIN + 100 * S + 2000000, utc_clock_find(&u, 100 * S));
	EXPECT_EQ(0, utc_clock_find_step(&u));
}

TEST(utc_clock, has_the_pause_between_two_spans)
{
	struct utc_span spans[] = { make_span(0, BEGIN, 10 * S, BEGIN + 10 * S),
				    make_span(10 * S + 5, BEGIN + 90 * S, 20 * S,
					      BEGIN + 100 * S - 5) };
	const struct utc_clock u = { spans, 2 };

	EXPECT_EQ(BEGIN + 10 * S - 1, utc_clock_find(&u, 10 * S - 1));
	EXPECT_EQ(BEGIN + 90 * S, utc_clock_find(&u, 10 * S + 5));
	EXPECT_EQ(BEGIN + 91 * S, utc_clock_find(&u, 11 * S + 5));
	EXPECT_EQ(0, utc_clock_find_step(&u));
}

static const struct step {
	const char *name;
	int64_t ns;
	bool is_step;
} steps[] = {
	{ "an_hour_forward", 3600 * (int64_t)S, true },
	{ "an_hour_back", -3600 * (int64_t)S, true },
	{ "a_little_more_than_a_slow_clock", 11 * 1000001, true },
	{ "a_slow_clock", 11 * 1000000, false },
	{ "a_fast_clock", -11 * 1000000, false },
};

TEST_EACH(utc_clock, takes_no_notice_of_a_clock_that_is_set, struct step, steps)
{
	struct utc_span span =
		make_span(0, BEGIN * 10, 10 * S, BEGIN * 10 + 10 * S + (uint64_t)row->ns);
	const struct utc_clock u = { &span, 1 };

	EXPECT_EQ(row->is_step ? row->ns : 0, utc_clock_find_step(&u));
	EXPECT_EQ(BEGIN * 10 + 5 * S + (row->is_step ? 0 : (uint64_t)(row->ns / 2)),
		  utc_clock_find(&u, 5 * S));
}

TEST(utc_clock, begins_and_ends_with_the_time_of_day)
{
	const struct run_clock c = run_clock_start();
	struct utc_clock u = { 0 };
	struct timespec before, after;
	uint64_t first, last;

	clock_gettime(CLOCK_REALTIME, &before);
	utc_clock_begin(&u, &c);
	first = utc_clock_find(&u, run_clock_to_ns(&c, clock_read()));
	utc_clock_begin(&u, &c);
	utc_clock_end(&u, &c);
	last = u.spans[1].end.utc_ns;
	clock_gettime(CLOCK_REALTIME, &after);
	EXPECT_EQ(2, u.n);
	EXPECT_LE((uint64_t)before.tv_sec * S + (uint64_t)before.tv_nsec, u.spans[0].begin.utc_ns);
	EXPECT_LE(u.spans[0].begin.utc_ns, first);
	EXPECT_LE(u.spans[0].begin.utc_ns, u.spans[1].begin.utc_ns);
	EXPECT_GE((uint64_t)after.tv_sec * S + (uint64_t)after.tv_nsec, last);
	utc_clock_free(&u);
	EXPECT_EQ(0, u.n);
	utc_clock_end(&u, &c); /* without a span, does nothing */
	EXPECT_EQ(7, utc_clock_find(&u, 7));
}

TEST(utc_format, writes_nanoseconds)
{
	char text[UTC_TEXT_BYTES];

	utc_format(0, text);
	EXPECT_STREQ("1970-01-01T00:00:00.000000000Z", text);
	utc_format(1795858200 * S + 1, text);
	EXPECT_STREQ("2026-11-28T09:30:00.000000001Z", text);
}
