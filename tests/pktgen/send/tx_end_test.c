/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"
#include "sender_fixture.h"

enum { HZ = 1000, BEGIN = 100, END = 120 }; /* a tick of the clock is 1 ms */

/* A stream of 64-byte frames that is sent from BEGIN to END, at a rate. */
FIXTURE(tx_end)
{
	struct size size;
	struct flow flow;
	struct run_clock clock;
	struct tx tx;
};
FIXTURE_SETUP(tx_end)
{
	static const struct clock_source source = { .hz = HZ, .read = read_clock };

	pktgen_clock_source = &source;
	clock_now = BEGIN;
	room = PKTGEN_BURST;
	size_set_fixed(&self->size, 64);
	self->flow = (struct flow){ .bytes = 60, .size = &self->size, .stride = 1 };
	self->clock = (struct run_clock){ BEGIN, HZ, (1000000000ull << 32) / HZ };
	self->tx = (struct tx){ .sender = &sender,
				.flow = &self->flow,
				.clock = &self->clock,
				.count = 1000,
				.until = END,
				.begin = BEGIN };
	pace_begin(&self->tx.pace, BEGIN);
}
FIXTURE_TEARDOWN(tx_end)
{
	(void)self;
	pktgen_clock_source = NULL;
}

static void limit_rate(struct tx *tx, uint64_t pps)
{
	const struct rate rate = { RATE_PACKETS, pps * RATE_MICRO };

	bucket_init(&tx->bucket, &rate, 0, 64, HZ, BEGIN);
}

static unsigned poll_at(struct tx *tx, uint64_t now)
{
	clock_now = now;
	return tx_poll(tx);
}

static void expect_end(struct tx *tx, uint64_t now, uint64_t sent)
{
	EXPECT_EQ(0, poll_at(tx, now));
	EXPECT_TRUE(tx->done);
	EXPECT_EQ(now, tx->end);
	EXPECT_EQ(sent, tx->sent);
}

TEST_F(tx_end, packets_that_were_due_before_the_end_leave_late)
{
	struct tx *tx = &self->tx;

	limit_rate(tx, 1000);
	EXPECT_EQ(6, poll_at(tx, 105));
	EXPECT_EQ(14, poll_at(tx, 150)); /* not the packet of tick 120 */
	EXPECT_FALSE(tx->done);
	expect_end(tx, 160, 20);
}

TEST_F(tx_end, a_worker_in_time_sends_nothing_afterwards)
{
	struct tx *tx = &self->tx;

	limit_rate(tx, 1000);
	EXPECT_EQ(20, poll_at(tx, END - 1));
	expect_end(tx, END, 20);
}

/* A tick is 0.1 us. A ramp may allow the packet of the end up to 1 us before the end. */
TEST_F(tx_end, what_is_due_in_the_last_microsecond_leaves_in_time_only)
{
	struct tx *tx = &self->tx, copy;

	self->clock.hz = 10000000;
	tx->until = BEGIN + 100;
	limit_rate(tx, 1000);
	tx->bucket.hz = 1000;
	copy = *tx;
	EXPECT_EQ(64, poll_at(tx, BEGIN + 70));
	EXPECT_EQ(19, poll_at(tx, 300)); /* those until tick 89 */
	expect_end(tx, 301, 83);
	EXPECT_EQ(64, poll_at(&copy, BEGIN + 95));
	expect_end(&copy, 300, 64);
}

/* The sender has room for a part of the burst. */
TEST_F(tx_end, one_burst_at_most_leaves_late)
{
	struct tx *tx = &self->tx;

	limit_rate(tx, 50000);
	room = 40;
	EXPECT_EQ(40, poll_at(tx, 130));
	EXPECT_EQ(24, poll_at(tx, 131));
	expect_end(tx, 132, 64);
}

TEST_F(tx_end, nothing_is_due_before_the_first_packet_or_without_a_rate)
{
	struct tx *tx = &self->tx, copy = *tx;

	limit_rate(tx, 1000);
	pace_begin(&tx->pace, END);
	expect_end(tx, 150, 0);
	expect_end(&copy, 150, 0);
}

TEST_F(tx_end, an_order_to_stop_or_the_count_leaves_nothing_due)
{
	struct tx *tx = &self->tx, copy;

	limit_rate(tx, 1000);
	copy = *tx;
	tx->stop = true;
	expect_end(tx, 150, 0);
	copy.count = 5;
	EXPECT_EQ(5, poll_at(&copy, 110));
	expect_end(&copy, 150, 5);
}

/* Frames are due at the ticks 100, 110 and 120. */
TEST_F(tx_end, frames_of_a_replay_leave_late_and_say_so)
{
	struct capture_frame frames[] = { { .n_bytes = 60, .at_ns = 0 },
					  { .n_bytes = 60, .at_ns = 10000000 } };
	const struct capture capture = { .frames = frames, .n_frames = 2, .period_ns = 20000000 };
	struct tx *tx = &self->tx;

	tx->capture = &capture;
	tx->speed = 1;
	ASSERT_EQ(0, histogram_init(&tx->late, 2, 1ull << 40));
	EXPECT_EQ(1, poll_at(tx, BEGIN));
	EXPECT_EQ(1, poll_at(tx, 130));
	EXPECT_LE(19999900, tx->late.max_ns);
	EXPECT_GE(20000000, tx->late.max_ns);
	expect_end(tx, 131, 2);
	histogram_free(&tx->late);
}
