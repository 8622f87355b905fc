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
	EXPECT_MEMEQ(want->counts, got->counts, want->n_slots * sizeof(*want->counts));
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
