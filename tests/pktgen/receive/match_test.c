/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <stdlib.h>
#include <string.h>

#include "pcap_file.h"
#include "receive/match.h"

enum { N = 200, BYTES = 80 };

/* A replayed capture of N different frames, and its receiver. */
FIXTURE(match)
{
	struct capture c;
	struct match m;
	struct track t;
	uint64_t foreign;
};

static const struct rewrite no_rewrite;

/* Frame i is of conversation i mod @n_conversations, and has the content i mod @n_different. */
static void make_capture(struct capture *c, unsigned n_different, unsigned n_conversations)
{
	struct pcap_file file;
	uint8_t bytes[BYTES] = { 0 };
	char why[256];

	pcap_file_open(&file, ETHERNET, 262144);
	for (unsigned i = 0; i < N; i++) {
		const unsigned x = (i % n_different) * 2654435761u;

		bytes[5] = (uint8_t)(i % n_conversations);
		/* As in the frames of one connection, only a few bytes differ. */
		memcpy(bytes + 20, &x, sizeof(x));
		pcap_file_add(&file, bytes, BYTES, BYTES);
	}
	pcap_file_close(&file, 0);
	EXPECT_EQ(0, capture_read(c, file.path, NULL, &no_rewrite, why, sizeof(why)));
	pcap_file_remove(&file);
}

FIXTURE_SETUP(match)
{
	make_capture(&self->c, N, 1);
	self->t = (struct track){ 0 };
	EXPECT_EQ(0, match_init(&self->m, &self->c));
}
FIXTURE_TEARDOWN(match)
{
	static const struct match zero;

	track_free(&self->t);
	match_free(&self->m);
	EXPECT_MEMEQ(&zero, &self->m, sizeof(zero));
	capture_free(&self->c);
}

/* Returns whether the frame has a number. */
static bool deliver_bytes(struct ct_fix_match *self, uint64_t limit, const uint8_t *bytes,
			  uint32_t n_bytes)
{
	uint64_t seq = UINT64_MAX;
	const bool is_intact = match_intact_frame(&self->m, &self->t, limit, bytes, n_bytes, &seq);

	if (!is_intact && !match_damaged_frame(&self->m, &self->t, limit, bytes, n_bytes, &seq)) {
		self->foreign++;
		return false;
	}
	track_add_arrival(&self->t, seq, !is_intact, match_find_order(&self->m, seq));
	return true;
}

static void deliver_frame(struct ct_fix_match *self, uint64_t limit, uint64_t seq, bool damaged,
			  unsigned *seed)
{
	uint8_t bytes[BYTES];

	memcpy(bytes, self->c.frames[seq % N].bytes, BYTES);
	if (damaged) /* flips one bit, as a wire of emu does */
		bytes[14 + (unsigned)rand_r(seed) % (BYTES - 14)] ^=
			(uint8_t)(1u << (unsigned)rand_r(seed) % 8);
	deliver_bytes(self, limit, bytes, BYTES);
}

TEST_F(match, a_replay_without_faults_counts_no_fault)
{
	for (uint64_t i = 0; i < 10 * N; i++)
		deliver_frame(self, 10 * N, i, false, NULL);
	EXPECT_EQ(10 * N, self->t.seen);
	EXPECT_EQ(0, self->t.duplicated + self->t.reordered + self->t.corrupted + self->foreign);
}

TEST_F(match, a_frame_that_arrives_after_all_frames_is_a_duplicate)
{
	for (uint64_t i = 0; i < N; i++)
		deliver_frame(self, N, i, false, NULL);
	deliver_frame(self, N, 0, false, NULL);
	deliver_frame(self, N, N - 1, false, NULL);
	EXPECT_EQ(N, self->t.seen);
	EXPECT_EQ(2, self->t.duplicated);
}

TEST_F(match, a_frame_with_the_bytes_of_no_captured_frame_is_foreign)
{
	uint8_t other[BYTES];

	memset(other, 0xee, sizeof(other));
	EXPECT_FALSE(deliver_bytes(self, N, other, BYTES));
	EXPECT_FALSE(deliver_bytes(self, N, self->c.frames[0].bytes, BYTES - 1));
	EXPECT_TRUE(deliver_bytes(self, N, self->c.frames[0].bytes, BYTES));
}

TEST_F(match, almost_half_a_capture_lost_in_a_row_is_counted_exactly)
{
	for (uint64_t i = 0; i < 5 * N; i++) {
		if (i < 2 * N || i >= 2 * N + N / 2 - 1)
			deliver_frame(self, 5 * N, i, false, NULL);
	}
	EXPECT_EQ(N / 2 - 1, 5 * N - self->t.seen);
	EXPECT_EQ(0, self->t.duplicated + self->t.reordered);
}

/*
 * A wire may hold a frame back until the next frame of the same conversation. In a conversation of
 * two frames that may be the first frame of the next pass.
 */
TEST_F(match, a_frame_held_until_the_next_pass_is_reordered_and_not_lost)
{
	match_free(&self->m);
	capture_free(&self->c);
	make_capture(&self->c, N, N / 2);
	EXPECT_EQ(0, match_init(&self->m, &self->c));
	for (uint64_t i = 0; i < 5 * N; i++) {
		if (i != 2 * N - 3)
			deliver_frame(self, 5 * N, i, false, NULL);
		if (i == 2 * N + N / 2 - 3)
			deliver_frame(self, 5 * N, 2 * N - 3, false, NULL);
	}
	EXPECT_EQ(0, 5 * N - self->t.seen);
	EXPECT_EQ(0, self->t.duplicated);
	EXPECT_EQ(1, self->t.reordered);
}

TEST_F(match, a_frame_late_by_most_of_a_pass_is_reordered_and_not_lost)
{
	for (uint64_t i = 0; i < 5 * N; i++) {
		if (i != N + 7)
			deliver_frame(self, 5 * N, i, false, NULL);
		if (i == 2 * N - 13)
			deliver_frame(self, 5 * N, N + 7, false, NULL);
	}
	EXPECT_EQ(0, 5 * N - self->t.seen);
	EXPECT_EQ(0, self->t.duplicated);
	EXPECT_EQ(1, self->t.reordered);
}

TEST_F(match, a_frame_lost_in_one_pass_and_duplicated_in_the_next_is_not_late)
{
	for (uint64_t i = 0; i < 5 * N; i++) {
		if (i != N + 7)
			deliver_frame(self, 5 * N, i, false, NULL);
		if (i == 2 * N + 7)
			deliver_frame(self, 5 * N, i, false, NULL);
	}
	EXPECT_EQ(1, 5 * N - self->t.seen);
	EXPECT_EQ(1, self->t.duplicated);
	EXPECT_EQ(0, self->t.reordered);
}

TEST_F(match, losses_minus_duplicates_are_exact_for_frames_with_the_same_bytes)
{
	unsigned seed = 9;
	uint64_t lost = 0, more = 0;

	match_free(&self->m);
	capture_free(&self->c);
	make_capture(&self->c, 3, 1);
	EXPECT_EQ(0, match_init(&self->m, &self->c));
	for (uint64_t i = 0; i < 20 * N; i++) {
		const unsigned fault = (unsigned)rand_r(&seed) % 100;

		lost += fault == 0;
		more += fault == 1;
		for (unsigned k = fault == 1 ? 2 : fault != 0; k; k--)
			deliver_frame(self, 20 * N, i, false, NULL);
	}
	EXPECT_EQ(lost - more, 20 * N - self->t.seen - self->t.duplicated);
	EXPECT_EQ(20 * N - lost + more, track_count_received(&self->t));
}

/* Random captures with equal frames, some with few frames, on wires with every fault. */
TEST(match_random, received_frames_are_sent_minus_lost_plus_duplicated)
{
	for (unsigned round = 0; round < 40; round++) {
		struct ct_fix_match self = { 0 };
		unsigned seed = round + 1;
		const unsigned n_different = 1 + (unsigned)rand_r(&seed) % N;
		const uint64_t n = 50 * N;
		uint64_t received = 0, dropped = 0, duplicated = 0, held = UINT64_MAX;

		SCOPED_TRACE("round %u, %u different frames", round, n_different);
		make_capture(&self.c, n_different, 1 + (unsigned)rand_r(&seed) % N);
		self.t = (struct track){ 0 };
		EXPECT_EQ(0, match_init(&self.m, &self.c));
		for (uint64_t i = 0; i < n; i++) {
			const unsigned fault = (unsigned)rand_r(&seed) % 30;

			if (fault == 1 && held == UINT64_MAX) {
				held = i;
				continue;
			}
			dropped += fault == 0;
			duplicated += fault == 2;
			for (unsigned k = fault == 2 ? 2 : fault != 0; k; k--, received++)
				deliver_frame(&self, n, i, fault == 3, &seed);
			if (held != UINT64_MAX && fault > 9) {
				deliver_frame(&self, n, held, false, &seed);
				received++;
				held = UINT64_MAX;
			}
		}
		dropped += held != UINT64_MAX;
		EXPECT_EQ(0, self.foreign);
		EXPECT_EQ(received, track_count_received(&self.t));
		EXPECT_EQ(dropped - duplicated, n - self.t.seen - self.t.duplicated);
		ct_teardown_match(&self);
	}
}

static const struct mix {
	const char *name;
	unsigned drop, dup, reorder, harm, passes;
} mixes[] = {
	{ "drops", 50, 0, 0, 0, 50 },
	{ "duplicates", 0, 50, 0, 0, 50 },
	{ "reorder", 0, 0, 50, 0, 50 },
	{ "corrupt", 0, 0, 0, 50, 50 },
	{ "all_in_one_pass", 10, 10, 10, 10, 1 },
	{ "all_but_drops_in_many", 0, 30, 30, 30, 50 },
	{ "drops_and_duplicates_in_many", 30, 30, 0, 0, 50 },
	{ "drops_duplicates_and_reorder_in_many", 50, 50, 50, 0, 50 },
	{ "all_in_many", 100, 100, 100, 100, 50 },
};

/* Makes at most one fault per frame, as a wire of emu does. */
TEST_EACH(match_property, every_fault_is_counted_exactly, struct mix, mixes)
{
	for (unsigned round = 0; round < 20; round++) {
		struct ct_fix_match self = { 0 };
		uint64_t dropped = 0, duplicated = 0, reordered = 0, corrupted = 0,
			 held = UINT64_MAX;
		const uint64_t n = (uint64_t)row->passes * N;
		unsigned seed = round + 1;

		SCOPED_TRACE("round %u", round);
		ct_setup_match(&self);
		for (uint64_t i = 0; i < n; i++) {
			const bool drop = row->drop && (unsigned)rand_r(&seed) % row->drop == 0;
			const bool dup = row->dup && (unsigned)rand_r(&seed) % row->dup == 0;
			const bool late =
				row->reorder && (unsigned)rand_r(&seed) % row->reorder == 0;
			const bool harm = row->harm && (unsigned)rand_r(&seed) % row->harm == 0;

			if (drop) {
				dropped++;
				continue;
			}
			if (late && !harm && !dup && held == UINT64_MAX && i + 1 < n) {
				held = i;
				continue;
			}
			deliver_frame(&self, n, i, harm, &seed);
			corrupted += harm;
			if (dup && !harm)
				deliver_frame(&self, n, i, false, &seed);
			duplicated += dup && !harm;
			if (held != UINT64_MAX && !harm) {
				deliver_frame(&self, n, held, false, &seed);
				held = UINT64_MAX;
				reordered++;
			}
		}
		/* No intact frame came after the held one, so that it was never delivered. */
		if (held != UINT64_MAX)
			dropped++;
		EXPECT_EQ(dropped, n - self.t.seen);
		EXPECT_EQ(duplicated, self.t.duplicated);
		EXPECT_EQ(reordered, self.t.reordered);
		EXPECT_EQ(corrupted, self.t.corrupted);
		EXPECT_EQ(0, self.foreign);
		ct_teardown_match(&self);
	}
}
