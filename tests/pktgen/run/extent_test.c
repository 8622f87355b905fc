/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/extent.h"

#include "ct.h"

struct sample {
	struct job_flow flows[2];
	struct job job;
	struct ports ports;
};

/* Makes a job of @n flows of 64 bytes with one count, rate and duration, on a link of 10 Gb/s. */
static struct extent compute_sample(struct sample *s, unsigned n, uint64_t count, struct rate rate,
				    uint64_t duration_s)
{
	*s = (struct sample){ .job = { .n_flows = n, .flows = s->flows } };
	s->ports.port[0].link_mbps = 10000;
	for (unsigned i = 0; i < n; i++) {
		s->flows[i].count = count;
		s->flows[i].rate = rate;
		s->flows[i].duration_ns = duration_s * 1000000000;
		size_set_fixed(&s->flows[i].size, 64);
	}
	return extent_compute(&s->job, &s->ports);
}

TEST(extent, follows_from_count_rate_and_duration)
{
	const struct rate pps = { RATE_PACKETS, 1000 * 1000 }, bits = { RATE_BITS, 512 * 1000 };
	const struct rate line = { RATE_LINE, 50 * 1000 }, max = { RATE_MAX, 0 };
	struct sample s;
	struct extent e;

	e = compute_sample(&s, 1, 5000, pps, 0);
	EXPECT_EQ(5000, e.packets);
	EXPECT_EQ(5000, (int)(e.seconds * 1000 + 0.5));
	e = compute_sample(&s, 1, 5, bits, 0);
	EXPECT_EQ(5000, (int)(e.seconds * 1000 + 0.5));
	/* 64 bytes with preamble and gap are 84 bytes: 14.88 million a second fill 10 Gb/s. */
	e = compute_sample(&s, 1, 7440476, line, 0);
	EXPECT_EQ(1000, (int)(e.seconds * 1000 + 0.5));
	e = compute_sample(&s, 2, 5000, max, 0);
	EXPECT_EQ(10000, e.packets);
	EXPECT_EQ(0, (int)(e.seconds * 1000));
	e = compute_sample(&s, 2, 0, max, 10);
	EXPECT_EQ(0, e.packets);
	EXPECT_EQ(10000, (int)(e.seconds * 1000 + 0.5));
	/* Whichever comes first. */
	e = compute_sample(&s, 1, 5000, pps, 3);
	EXPECT_EQ(0, e.packets);
	EXPECT_EQ(3000, (int)(e.seconds * 1000 + 0.5));
	EXPECT_FALSE(e.is_endless);
	e = compute_sample(&s, 1, 0, pps, 0);
	EXPECT_TRUE(e.is_endless);
	EXPECT_EQ(0, e.packets);
	EXPECT_EQ(0, (int)(e.seconds * 1000));
}

TEST(extent, gives_share_and_time_left)
{
	const struct extent counted = { .packets = 1000, .seconds = 1 }, timed = { .seconds = 10 };
	const struct extent none = { 0 };
	double left = -5;

	/* At half of the requested rate, the rest takes as long as its part did. */
	EXPECT_EQ(25, (int)(extent_compute_share(&counted, 500, 250, &left) * 100 + 0.5));
	EXPECT_EQ(1500, (int)(left * 1000 + 0.5));
	EXPECT_EQ(25, (int)(extent_compute_share(&timed, 2500, 7, &left) * 100 + 0.5));
	EXPECT_EQ(7500, (int)(left * 1000 + 0.5));
	EXPECT_EQ(100, (int)(extent_compute_share(&timed, 11000, 7, &left) * 100 + 0.5));
	EXPECT_EQ(0, (int)(left * 1000 + 0.5));
	left = -5;
	EXPECT_TRUE(extent_compute_share(&none, 500, 7, &left) < 0);
	EXPECT_TRUE(extent_compute_share(&counted, 500, 0, &left) < 0);
	EXPECT_EQ(-5, (int)left);
}
