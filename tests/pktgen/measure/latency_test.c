/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <stdlib.h>

#include "measure/latency.h"

/* Histograms of a row, and those of the same times counted one by one. */
FIXTURE(latency)
{
	struct latency rows, singles;
	struct latency_row row;
};
FIXTURE_SETUP(latency)
{
	ASSERT_EQ(0, latency_init(&self->rows));
	ASSERT_EQ(0, latency_init(&self->singles));
	self->row = latency_row_begin(&self->rows);
}
FIXTURE_TEARDOWN(latency)
{
	latency_free(&self->rows);
	latency_free(&self->singles);
}

static void expect_same(const struct histogram *want, const struct histogram *got)
{
	EXPECT_EQ(histogram_count(want), histogram_count(got));
	EXPECT_EQ(want->min_ns, got->min_ns);
	EXPECT_EQ(want->max_ns, got->max_ns);
	EXPECT_EQ(want->sum_ns, got->sum_ns);
	EXPECT_EQ(want->n_above, got->n_above);
	for (unsigned i = 0; i < want->n_slots; i++)
		EXPECT_EQ(histogram_get_count(want, i), histogram_get_count(got, i));
}

/* Bursts of frames with one latency each, as a receiver sees them. */
TEST_F(latency, a_row_counts_as_its_frames_do_one_by_one)
{
	uint64_t last = 0;
	unsigned state = 7, n = 0;

	for (unsigned burst = 0; burst < 1000; burst++) {
		const uint64_t ns = (uint64_t)(rand_r(&state) % 2000) << rand_r(&state) % 24;

		for (int frames = 1 + rand_r(&state) % 64; frames; frames--, n++) {
			latency_row_record(&self->row, ns);
			histogram_record(&self->singles.time, ns);
			if (n)
				histogram_record(&self->singles.jitter,
						 ns > last ? ns - last : last - ns);
			last = ns;
		}
	}
	latency_row_end(&self->row);
	latency_row_end(&self->row);
	EXPECT_EQ(n, histogram_count(&self->rows.time));
	EXPECT_EQ(n - 1, histogram_count(&self->rows.jitter));
	expect_same(&self->singles.time, &self->rows.time);
	expect_same(&self->singles.jitter, &self->rows.jitter);
}

TEST_F(latency, one_frame_has_no_jitter)
{
	latency_row_record(&self->row, 77);
	latency_row_end(&self->row);
	EXPECT_EQ(1, histogram_count(&self->rows.time));
	EXPECT_EQ(0, histogram_count(&self->rows.jitter));
}

TEST_F(latency, both_histograms_reach_18_minutes)
{
	const struct histogram *both[] = { &self->rows.time, &self->rows.jitter };

	for (unsigned i = 0; i < 2; i++) {
		EXPECT_EQ(2, both[i]->digits);
		EXPECT_EQ((1ull << 40) - 1, both[i]->limit_ns);
	}
	EXPECT_EQ(sizeof(struct latency) +
			  2 * histogram_get_bytes(LATENCY_DIGITS, LATENCY_HIGHEST_NS),
		  latency_get_bytes());
	latency_free(&self->rows);
	EXPECT_EQ(NULL, self->rows.time.blocks);
	EXPECT_EQ(NULL, self->rows.jitter.blocks);
}

/* 100,000 times of 1 ns to 200 ns, in which each percentile has a time of its own. */
TEST_F(latency, each_percentile_has_its_name)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} rows[] = {
		{ "p50", 100 }, { "p90", 110 }, { "p99", 120 }, { "p99.9", 130 }, { "p99.99", 140 }
	};

	ASSERT_EQ(LATENCY_N_PERCENTILES, sizeof(rows) / sizeof(rows[0]));
	histogram_record_many(&self->rows.time, 100, 50000);
	histogram_record_many(&self->rows.time, 110, 40000);
	histogram_record_many(&self->rows.time, 120, 9000);
	histogram_record_many(&self->rows.time, 130, 900);
	histogram_record_many(&self->rows.time, 140, 90);
	histogram_record_many(&self->rows.time, 200, 10);
	for (unsigned i = 0; i < LATENCY_N_PERCENTILES; i++) {
		EXPECT_STREQ(rows[i].name, latency_names[i]);
		EXPECT_EQ(rows[i].ns,
			  histogram_find_percentile(&self->rows.time, latency_percentiles[i]));
	}
}
