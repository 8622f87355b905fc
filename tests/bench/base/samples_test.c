/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include "base/clock.h"
#include "base/samples.h"

static volatile sig_atomic_t stopped;

static struct bench_run make_run(double time_limit_s)
{
	stopped = 0;
	return (struct bench_run){ .time_limit_s = time_limit_s,
				   .width = 0.02,
				   .stopped = &stopped };
}

TEST(samples, end_when_the_interval_is_narrow)
{
	const struct bench_run run = make_run(60);
	struct bench_row row = { 0 };
	struct bench_samples s;
	unsigned n = 0;

	ASSERT_EQ(0, bench_samples_begin(&s, &run));
	/* the windows of the warm-up are slow, and must not count */
	for (; bench_samples_want(&s) && n < BENCH_MAX_SAMPLES; n++)
		bench_samples_add(&s, n < BENCH_WARM_UP_WINDOWS ? 1000 : 100 + n % 2);
	EXPECT_EQ(BENCH_WARM_UP_WINDOWS + BENCH_MIN_SAMPLES, n);
	bench_samples_finish(&s, &row, "m", "cycles/packet");
	ASSERT_EQ(1, row.n_values);
	EXPECT_EQ(BENCH_MIN_SAMPLES, row.value[0].n_samples);
	EXPECT_GE(row.value[0].low, 100.0);
	EXPECT_LE(row.value[0].high, 101.0);
	EXPECT_STREQ("m", row.value[0].metric);
}

TEST(samples, end_at_the_time_limit_if_the_interval_stays_wide)
{
	const struct bench_run run = make_run(0.02);
	struct bench_row row = { 0 };
	struct bench_samples s;
	const uint64_t begin_ns = bench_clock_ns();

	ASSERT_EQ(0, bench_samples_begin(&s, &run));
	for (unsigned n = 0; bench_samples_want(&s); n++)
		if (s.n < BENCH_MIN_SAMPLES)
			bench_samples_add(&s, n % 2 ? 1 : 100);
	EXPECT_GE(bench_clock_ns() - begin_ns, 19 * 1000 * 1000);
	bench_samples_finish(&s, &row, "m", "cycles/packet");
	EXPECT_EQ(BENCH_MIN_SAMPLES, row.value[0].n_samples);
	EXPECT_EQ(1.0, row.value[0].low);
	EXPECT_EQ(100.0, row.value[0].high);
}

TEST(samples, end_after_a_signal_and_keep_what_they_have)
{
	const struct bench_run run = make_run(60);
	struct bench_row row = { 0 };
	struct bench_samples s;

	ASSERT_EQ(0, bench_samples_begin(&s, &run));
	for (unsigned n = 0; n < BENCH_WARM_UP_WINDOWS + 1; n++)
		bench_samples_add(&s, 7);
	bench_samples_reject(&s);
	stopped = 2;
	EXPECT_FALSE(bench_samples_want(&s));
	bench_samples_finish(&s, &row, "m", "cycles/packet");
	ASSERT_EQ(1, row.n_values);
	EXPECT_EQ(7.0, row.value[0].median);
	EXPECT_EQ(1, row.value[0].n_samples);
	EXPECT_EQ(1, row.value[0].n_rejected);
}

TEST(samples, make_no_value_without_a_window)
{
	const struct bench_run run = make_run(60);
	struct bench_row row = { 0 };
	struct bench_samples s;

	ASSERT_EQ(0, bench_samples_begin(&s, &run));
	bench_samples_reject(&s);
	bench_samples_finish(&s, &row, "m", "cycles/packet");
	EXPECT_EQ(0, row.n_values);
}
