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
	const struct rate pps = { RATE_PACKETS, 1000 * RATE_MICRO },
			  bits = { RATE_BITS, 512 * RATE_MICRO };
	const struct rate line = { RATE_LINE, 50 * RATE_MICRO }, max = { RATE_MAX, 0 };
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

/* Expects @n packets in the first @seconds, if the rates are kept. */
static void expect_planned(const struct extent *e, double seconds, int n)
{
	EXPECT_EQ(1000 * n, (int)(extent_count_planned(e, seconds) * 1000 + 0.5));
}

/* Expects a share and the time left, in thousandths, after @ms with @sent packets. */
static void expect_left(const struct extent *e, uint64_t ms, uint64_t sent, int share, int left_ms)
{
	double left = -5;

	SCOPED_TRACE("after %u ms", (unsigned)ms);
	EXPECT_EQ(share, (int)(extent_compute_share(e, ms, sent, &left) * 1000 + 0.5));
	EXPECT_EQ(left_ms, (int)(left * 1000 + 0.5));
}

TEST(extent, gives_share_and_time_left)
{
	const struct rate pps = { RATE_PACKETS, 1000 * RATE_MICRO }, max = { RATE_MAX, 0 };
	const struct extent none = { 0 };
	struct sample s;
	struct extent e = compute_sample(&s, 1, 1000, pps, 0);
	double left = -5;

	expect_left(&e, 250, 250, 250, 750);
	expect_left(&e, 250, 251, 250, 750);
	/* At half of the requested rate, the rest takes as long as its part did. */
	expect_left(&e, 500, 250, 250, 1500);
	expect_left(&e, 1500, 750, 750, 500);
	expect_left(&e, 2000, 1000, 1000, 0);
	EXPECT_TRUE(extent_compute_share(&e, 500, 0, &left) < 0);
	EXPECT_TRUE(extent_compute_share(&e, 0, 0, &left) < 0);

	e = compute_sample(&s, 1, 0, max, 10);
	expect_left(&e, 0, 0, 0, 10000);
	expect_left(&e, 2500, 7, 250, 7500);
	expect_left(&e, 11000, 7, 1000, 0);

	e = compute_sample(&s, 1, 1000, max, 0);
	expect_left(&e, 500, 250, 250, 1500);
	EXPECT_TRUE(extent_compute_share(&e, 500, 0, &left) < 0);
	EXPECT_TRUE(extent_compute_share(&none, 500, 7, &left) < 0);
	EXPECT_EQ(-5, (int)left);
}

static const struct rate_case {
	const char *name;
	struct rate rate;
	double pps;
} rates[] = {
	{ "packets", { RATE_PACKETS, 1500000 }, 1.5 },
	{ "bits_of_frames", { RATE_BITS, 800 * RATE_MICRO }, 1 },
	{ "bits_of_the_line", { RATE_LINE_BITS, 960 * RATE_MICRO }, 1 },
	{ "percent_of_10_mbps", { RATE_LINE, 96 * RATE_MICRO }, 10000 },
	{ "no_limit", { RATE_MAX, 0 }, 0 },
};

/* Frames of 80 and 120 bytes in turn. */
TEST_EACH(extent, computes_packets_per_second_of, struct rate_case, rates)
{
	const struct port from = { .link_mbps = 10 };
	struct job_flow f = { .rate = row->rate };

	ASSERT_EQ(NULL, size_parse(&f.size, "80,120"));
	EXPECT_EQ(row->pps, extent_compute_rate(&f, &from));
}

/* A ramp of 4 s. */
static struct job_flow make_ramp(uint64_t first_pps, uint64_t last_pps)
{
	struct job_flow f = { .rate = { RATE_PACKETS, last_pps * RATE_MICRO },
			      .ramp_from = { RATE_PACKETS, first_pps * RATE_MICRO },
			      .ramp_ns = 4000000000 };

	size_set_fixed(&f.size, 64);
	return f;
}

TEST(extent, a_ramp_has_a_rate_now_and_a_mean_rate)
{
	const struct job_flow f = make_ramp(100, 300);
	struct job_flow level = make_ramp(0, 300);
	const struct port from = { 0 };

	EXPECT_EQ(100.0, extent_compute_rate_at(&f, &from, -1));
	EXPECT_EQ(100.0, extent_compute_rate_at(&f, &from, 0));
	EXPECT_EQ(150.0, extent_compute_rate_at(&f, &from, 1));
	EXPECT_EQ(300.0, extent_compute_rate_at(&f, &from, 4));
	EXPECT_EQ(300.0, extent_compute_rate_at(&f, &from, 9));
	EXPECT_EQ(300.0, extent_compute_mean_rate(&f, &from, 0));
	EXPECT_EQ(150.0, extent_compute_mean_rate(&f, &from, 2));
	EXPECT_EQ(200.0, extent_compute_mean_rate(&f, &from, 4));
	EXPECT_EQ(250.0, extent_compute_mean_rate(&f, &from, 8));
	level.ramp_ns = 0;
	EXPECT_EQ(300.0, extent_compute_rate_at(&level, &from, 0));
	EXPECT_EQ(300.0, extent_compute_mean_rate(&level, &from, 2));
}

static const struct ramp_case {
	const char *name;
	uint64_t first, last, count; /* packets per second; packets */
	int ms;
} ramp_cases[] = {
	{ "inside_an_upward_ramp", 100, 300, 150, 1162 }, /* sqrt(10) - 2 */
	{ "at_its_end", 100, 300, 800, 4000 },
	{ "behind_it", 100, 300, 1100, 5000 },
	{ "inside_a_downward_ramp", 300, 100, 275, 1000 },
	{ "behind_a_downward_ramp", 300, 100, 900, 5000 },
	{ "inside_a_level_ramp", 300, 300, 300, 1000 },
};

TEST_EACH(extent, a_count_ends, struct ramp_case, ramp_cases)
{
	struct job_flow f = make_ramp(row->first, row->last);
	const struct job j = { .n_flows = 1, .flows = &f };
	static const struct ports ports;

	f.count = row->count;
	EXPECT_EQ(row->ms, (int)(extent_compute(&j, &ports).seconds * 1000 + 0.5));
}

TEST(extent, a_delay_and_the_gaps_of_bursts_take_time)
{
	const struct rate pps = { RATE_PACKETS, 1000 * RATE_MICRO };
	struct sample s;

	compute_sample(&s, 1, 1000, pps, 0);
	s.flows[0].delay_ns = 2000000000;
	EXPECT_EQ(3.0, extent_compute(&s.job, &s.ports).seconds);
	s.flows[0].burst_packets = 100;
	s.flows[0].burst_gap_ns = 500000000;
	EXPECT_EQ(2 + 1 + 9 * 0.5, extent_compute(&s.job, &s.ports).seconds);
	s.flows[0].duration_ns = 5500000000;
	EXPECT_EQ(2 + 1 + 9 * 0.5, extent_compute(&s.job, &s.ports).seconds);
	s.flows[0].duration_ns = 5000000000;
	EXPECT_EQ(7.0, extent_compute(&s.job, &s.ports).seconds);
	s.flows[0].duration_ns = 0;
	s.flows[0].rate.unit = RATE_MAX;
	EXPECT_EQ(0.0, extent_compute(&s.job, &s.ports).seconds);
}

TEST(extent, time_left_follows_a_ramp)
{
	struct job_flow f = make_ramp(100, 300);
	const struct job j = { .n_flows = 1, .flows = &f };
	static const struct ports ports;
	struct extent e;

	f.count = 1100;
	e = extent_compute(&j, &ports);
	expect_planned(&e, 2, 300);
	expect_planned(&e, 6, 1100);
	expect_left(&e, 2000, 300, 400, 3000);
	/* At half of the rates. */
	expect_left(&e, 2000, 150, 200, 8000);
}

TEST(extent, time_left_follows_delay_and_bursts)
{
	const struct rate pps = { RATE_PACKETS, 1000 * RATE_MICRO };
	struct sample s;
	struct extent e;

	compute_sample(&s, 1, 1000, pps, 0);
	s.flows[0].delay_ns = 2000000000;
	s.flows[0].burst_packets = 100;
	s.flows[0].burst_gap_ns = 500000000;
	e = extent_compute(&s.job, &s.ports);
	EXPECT_EQ(7.5, e.seconds);
	expect_left(&e, 1500, 0, 200, 6000);
	expect_planned(&e, 2.05, 50);
	expect_planned(&e, 2.5, 100);
	expect_planned(&e, 2.6, 100);
	expect_planned(&e, 9, 1000);
	expect_left(&e, 2500, 100, 333, 5000);
	expect_left(&e, 3750, 300, 500, 3750);
}

/* The last packet of a replay ends it: here the first one of the second pass. */
TEST(extent, a_replay_with_its_own_times_ends_with_its_last_packet)
{
	struct capture_frame frames[2] = { { .at_ns = 1000000000 }, { .at_ns = 1500000000 } };
	const struct capture capture = { .frames = frames, .n_frames = 2, .period_ns = 3000000000 };
	const struct rate max = { RATE_MAX, 0 };
	struct sample s;

	compute_sample(&s, 1, 3, max, 0);
	s.flows[0].capture = &capture;
	s.flows[0].speed = 2;
	EXPECT_EQ(2.0, extent_compute(&s.job, &s.ports).seconds);
}

/* Passes of 6 s: packets at 0 s, 1 s and 5 s, at twice the speed. */
TEST(extent, time_left_follows_the_times_of_a_replay)
{
	struct capture_frame frames[3] = { { 0 },
					   { .at_ns = 1000000000 },
					   { .at_ns = 5000000000 } };
	const struct capture capture = { .frames = frames, .n_frames = 3, .period_ns = 6000000000 };
	const struct capture single = { .frames = frames, .n_frames = 1 };
	struct sample s;
	struct extent e;

	compute_sample(&s, 1, 6, (struct rate){ RATE_MAX, 0 }, 0);
	s.flows[0].capture = &capture;
	s.flows[0].speed = 2;
	e = extent_compute(&s.job, &s.ports);
	EXPECT_EQ(5.5, e.seconds);
	expect_planned(&e, 0.4, 1);
	expect_planned(&e, 0.5, 2);
	expect_planned(&e, 2.4, 2);
	expect_planned(&e, 2.9, 3);
	expect_planned(&e, 3, 4);
	expect_planned(&e, 20, 6);
	expect_left(&e, 1100, 2, 200, 4400);
	s.flows[0].capture = &single;
	expect_planned(&e, 1, 6);
}

TEST(extent, of_two_flows_the_longer_one_counts)
{
	const struct rate line = { RATE_LINE,
				   84 * 8 * RATE_MICRO }; /* 10,000 packets/s of 1 Mb/s */
	struct sample s;
	struct extent e;

	compute_sample(&s, 2, 0, line, 0);
	s.ports.port[0].link_mbps = 1;
	s.ports.port[1].link_mbps = 2;
	s.flows[0].count = 50000;
	s.flows[1].count = 20000;
	s.flows[1].tx = 1;
	e = extent_compute(&s.job, &s.ports);
	EXPECT_EQ(70000, e.packets);
	EXPECT_EQ(5.0, e.seconds);
	s.flows[1].count = 200000;
	EXPECT_EQ(10.0, extent_compute(&s.job, &s.ports).seconds);
	s.flows[0].duration_ns = 1000000000;
	EXPECT_EQ(0, extent_compute(&s.job, &s.ports).packets);
	s.flows[0].duration_ns = 0;
	s.flows[0].count = 0; /* endless */
	e = extent_compute(&s.job, &s.ports);
	EXPECT_TRUE(e.is_endless);
	EXPECT_EQ(0, e.packets);
	EXPECT_EQ(0.0, e.seconds);
}
