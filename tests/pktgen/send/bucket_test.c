/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <stdlib.h>

#include "send/bucket.h"

enum { HZ = 1000003 }; /* a prime, so that every division has a remainder */

static uint64_t take_all(struct bucket *b, uint32_t bytes)
{
	uint64_t n = 0;

	while (bucket_take(b, bytes))
		n++;
	return n;
}

static const struct rate_case {
	const char *name;
	struct rate rate;
	uint32_t bytes;
	uint64_t per_s; /* frames of @bytes per second */
} cases[] = {
	{ "pps", { RATE_PACKETS, 12345ull * RATE_MICRO }, 64, 12345 },
	{ "slow_pps", { RATE_PACKETS, RATE_MICRO }, 64, 1 },
	{ "bits_of_frames", { RATE_BITS, 1000000ull * RATE_MICRO }, 125, 1000 },
	{ "percent_of_line",
	  { RATE_LINE, 50 * RATE_MICRO },
	  64,
	  7440476 }, /* half of the 14.88 Mpps of 10 Gb/s */
};

/* bucket_fill() keeps the fraction of a token: any sequence of intervals gives the same sum. */
TEST_EACH(bucket, gives_the_rate_exactly_over_a_long_time, struct rate_case, cases)
{
	struct bucket b;
	uint64_t now = 12345, start = now, n = 0;
	unsigned seed = 1;

	bucket_init(&b, &row->rate, 10000, row->bytes, HZ, now);
	while (now < start + 100ull * HZ) {
		now += 1 + (uint64_t)rand_r(&seed) % (HZ / 50);
		if (now > start + 100ull * HZ)
			now = start + 100ull * HZ;
		bucket_fill(&b, now);
		n += take_all(&b, row->bytes);
	}
	/* One more frame: a new bucket holds the tokens of one. */
	EXPECT_LE(100 * row->per_s, n);
	EXPECT_GE(100 * row->per_s + 100, n);
	if (row->rate.unit != RATE_LINE)
		EXPECT_EQ(100 * row->per_s + 1, n);
}

TEST(bucket, gives_a_rate_with_decimals_to_the_last_packet)
{
	static const struct rate rate = { RATE_PACKETS, 1666667 };
	struct bucket b;
	uint64_t n = 0;

	bucket_init(&b, &rate, 0, 64, HZ, 0);
	for (uint64_t s = 0; s <= 1000000; s++) {
		bucket_fill(&b, s * HZ);
		n += take_all(&b, 64);
	}
	EXPECT_EQ(1666667 + 1, n);
}

TEST(bucket, holds_a_twentieth_of_a_second_at_most)
{
	static const struct rate rate = { RATE_PACKETS, 100000ull * RATE_MICRO };
	struct bucket b;

	bucket_init(&b, &rate, 0, 64, HZ, 0);
	bucket_fill(&b, 3600ull * HZ);
	EXPECT_EQ(100000 / 20, take_all(&b, 64));
	bucket_fill(&b, 3600ull * HZ);
	EXPECT_EQ(0, take_all(&b, 64));
}

TEST(bucket, holds_a_burst_of_a_slow_rate)
{
	static const struct rate rate = { RATE_PACKETS, RATE_MICRO };
	struct bucket b;

	bucket_init(&b, &rate, 0, 64, HZ, 0);
	bucket_fill(&b, 3600ull * HZ);
	EXPECT_EQ(BUCKET_MIN_PACKETS, take_all(&b, 64));
}

TEST(bucket, does_not_overflow_at_the_largest_rates)
{
	static const struct rate rates[] = { { RATE_PACKETS, 10000000000ull * RATE_MICRO },
					     { RATE_BITS, 10000000000000ull * RATE_MICRO },
					     { RATE_LINE, 100 * RATE_MICRO } };
	struct bucket b;

	for (unsigned i = 0; i < 3; i++) {
		SCOPED_TRACE("rate %u", i);
		bucket_init(&b, &rates[i], 400000, 10000, 3000000000, 0);
		bucket_fill(&b, 1ull << 62);
		EXPECT_EQ(b.depth, b.tokens);
		EXPECT_TRUE(b.depth >= b.rate / 1000 * BUCKET_DEPTH_MS);
	}
}

TEST(bucket, without_a_rate_lets_every_frame_pass)
{
	static const struct rate rate = { RATE_MAX, 0 };
	struct bucket b;

	bucket_init(&b, &rate, 0, 64, HZ, 0);
	for (unsigned i = 0; i < 1000; i++)
		EXPECT_TRUE(bucket_take(&b, 10000));
}

TEST(bucket, charges_frames_by_size_when_it_counts_bits)
{
	static const struct rate rate = { RATE_BITS, 8000ull * RATE_MICRO };
	struct bucket b;

	bucket_init(&b, &rate, 0, 1000, HZ, 0);
	EXPECT_TRUE(bucket_take(&b, 600));
	EXPECT_TRUE(bucket_take(&b, 400));
	EXPECT_FALSE(bucket_take(&b, 64));
	bucket_fill(&b, HZ / 10 + 1); /* 100 bytes */
	EXPECT_TRUE(bucket_take(&b, 100));
	EXPECT_FALSE(bucket_take(&b, 64));
}

static const struct ramp_case {
	const char *name;
	uint64_t first, last; /* packets per second */
	unsigned ticks;       /* length of one step of the clock, at most */
} ramps[] = {
	{ "up", 1000, 100000, HZ / 30 },
	{ "down", 100000, 1000, HZ / 30 },
	{ "by_few_ticks", 10, 5000, 200 },
	{ "level", 5000, 5000, HZ / 50 },
};

/* The packets of a time are the integral of the rate, however the clock steps. */
TEST_EACH(bucket, a_ramp_gives_the_integral_of_the_rate, struct ramp_case, ramps)
{
	const struct rate first = { RATE_PACKETS, row->first * RATE_MICRO };
	const struct rate last = { RATE_PACKETS, row->last * RATE_MICRO };
	const uint64_t begin = 777, length = 4ull * HZ;
	struct bucket b;
	uint64_t now = begin, n = 0;
	unsigned seed = 3;

	bucket_init(&b, &last, 0, 64, HZ, begin);
	bucket_set_ramp(&b, &first, 0, 64, begin, length);
	while (now < begin + 6ull * HZ) {
		double s, in, gain = ((double)row->last - (double)row->first) / 4, want;

		now += 1 + (uint64_t)rand_r(&seed) % row->ticks;
		bucket_fill(&b, now);
		n += take_all(&b, 64);
		s = (double)(now - begin) / HZ;
		in = s < 4 ? s : 4;
		want = (double)row->first * in + gain * in * in / 2 + (double)row->last * (s - in);
		ASSERT_LE(want - 1 - want / 10000, (double)n);
		ASSERT_GE(want + 1 + want / 10000, (double)n);
		ASSERT_LE(bucket_compute_asked(&b, (double)(now - begin)) / RATE_MICRO - want,
			  1e-3);
		ASSERT_GE(bucket_compute_asked(&b, (double)(now - begin)) / RATE_MICRO - want,
			  -1e-3);
	}
}

/* The clock of a wait in front of the ramp may be a little behind its start. */
TEST(bucket, a_ramp_may_begin_after_the_last_fill)
{
	static const struct rate first = { RATE_PACKETS, 1000 },
				 last = { RATE_PACKETS, 1000 * RATE_MICRO };
	struct bucket b;

	bucket_init(&b, &last, 0, 64, HZ, 0);
	bucket_set_ramp(&b, &first, 0, 64, 1000, HZ);
	EXPECT_EQ(1, take_all(&b, 64));
	bucket_fill(&b, 1001);
	EXPECT_EQ(0, take_all(&b, 64));
}
