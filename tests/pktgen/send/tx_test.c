/* SPDX-License-Identifier: BSD-3-Clause */
#include "send/tx.h"

#include "base/clock.h"
#include "ct.h"
#include "send/tx_queue.h"

enum { HZ = 1000 }; /* a tick of the clock is 1 ms */

static uint64_t clock_now;   /* each read moves the clock by a tick */
static unsigned room, takes; /* frames that the sender can make, and that the port takes */
static unsigned n_makes, last_n;
static uint64_t last_first, last_now;

static uint64_t read_clock(void)
{
	return clock_now++;
}

static unsigned make_frames(struct tx *tx, unsigned n, uint64_t first, uint64_t now)
{
	(void)tx;
	n_makes++;
	last_n = n;
	last_first = first;
	last_now = now;
	return n < room ? n : room;
}

static unsigned send_frames(struct tx *tx)
{
	return tx->n_pending < takes ? tx->n_pending : takes;
}

static void finish_frames(struct tx *tx)
{
	EXPECT_EQ(44, tx->n_pending);
}

static const struct sender sender = { .make = make_frames,
				      .send = send_frames,
				      .finish = finish_frames };

/* A stream of 64-byte frames that begins at tick 100. */
FIXTURE(tx)
{
	struct size size;
	struct flow flow;
	struct run_clock clock;
	struct tx tx;
};
FIXTURE_SETUP(tx)
{
	static const struct clock_source source = { .hz = HZ, .read = read_clock };

	pktgen_clock_source = &source;
	clock_now = 100;
	room = takes = PKTGEN_BURST;
	n_makes = 0;
	size_set_fixed(&self->size, 64);
	self->flow = (struct flow){ .bytes = 60, .size = &self->size, .stride = 1 };
	self->clock = (struct run_clock){ 100, HZ, (1000000000ull << 32) / HZ };
	self->tx = (struct tx){ .sender = &sender,
				.flow = &self->flow,
				.clock = &self->clock,
				.count = 1000,
				.until = UINT64_MAX,
				.begin = 100 };
}
FIXTURE_TEARDOWN(tx)
{
	(void)self;
	pktgen_clock_source = NULL;
}

static void limit_rate(struct tx *tx, enum rate_unit unit, uint64_t per_s)
{
	const struct rate rate = { unit, per_s * RATE_MICRO };

	bucket_init(&tx->bucket, &rate, 0, 64, HZ, 100);
	tx->bucket.tokens = 0;
}

TEST_F(tx, sends_bursts_until_its_count)
{
	struct tx *tx = &self->tx;

	tx->count = 100;
	EXPECT_EQ(64, tx_poll(tx));
	EXPECT_EQ(64, last_n);
	EXPECT_EQ(0, last_first);
	EXPECT_EQ(100, last_now);
	EXPECT_EQ(64, tx->given);
	EXPECT_EQ(64, tx->sent);
	EXPECT_EQ(64 * 64, tx->bytes);
	EXPECT_EQ(1, tx->make_cycles);
	EXPECT_EQ(1, tx->send_cycles);
	EXPECT_EQ(36, tx_poll(tx));
	EXPECT_EQ(64, last_first);
	EXPECT_EQ(100, tx->sent);
	EXPECT_EQ(100 * 64, tx->bytes);
	EXPECT_EQ(2, tx->make_cycles);
	EXPECT_EQ(2, tx->send_cycles);
	EXPECT_FALSE(tx->done);
	EXPECT_EQ(0, tx_poll(tx));
	EXPECT_TRUE(tx->done);
	EXPECT_EQ(106, tx->end);
	EXPECT_EQ(0, tx_poll(tx));
	EXPECT_EQ(106, tx->end);
	EXPECT_EQ(2, n_makes);
}

TEST_F(tx, frames_that_the_port_did_not_take_come_first)
{
	struct tx *tx = &self->tx;

	takes = 10;
	EXPECT_EQ(10, tx_poll(tx));
	EXPECT_EQ(54, tx->n_pending);
	EXPECT_EQ(64, tx->given);
	EXPECT_TRUE(tx->blocked);
	EXPECT_EQ(10, tx_poll(tx));
	EXPECT_EQ(1, n_makes);
	EXPECT_EQ(20, tx->sent);
	EXPECT_EQ(20 * 64, tx->bytes);
	tx_finish(tx);
	EXPECT_EQ(0, tx->n_pending);
	tx->n_pending = 44;
	takes = 64;
	EXPECT_EQ(44, tx_poll(tx));
	EXPECT_FALSE(tx->blocked);
	EXPECT_EQ(64, tx_poll(tx));
	EXPECT_EQ(2, n_makes);
}

/* After an order to stop, frames that wait stay where they are. */
TEST_F(tx, an_order_to_stop_ends_sending)
{
	struct tx *tx = &self->tx;

	takes = 10;
	tx_poll(tx);
	tx->stop = true;
	clock_now = 500;
	EXPECT_EQ(0, tx_poll(tx));
	EXPECT_TRUE(tx->done);
	EXPECT_EQ(500, tx->end);
	EXPECT_EQ(10, tx->sent);
	EXPECT_EQ(54, tx->n_pending);
}

TEST_F(tx, an_order_to_stop_ends_a_sender_without_frames)
{
	self->tx.stop = true;
	EXPECT_EQ(0, tx_poll(&self->tx));
	EXPECT_TRUE(self->tx.done);
	EXPECT_EQ(0, n_makes);
}

TEST_F(tx, sends_until_its_time)
{
	struct tx *tx = &self->tx;

	tx->until = 200;
	clock_now = 199;
	EXPECT_EQ(64, tx_poll(tx));
	clock_now = 200;
	EXPECT_EQ(0, tx_poll(tx));
	EXPECT_TRUE(tx->done);
	EXPECT_EQ(200, tx->end);
}

TEST_F(tx, frames_that_found_no_room_stay_allowed)
{
	struct tx *tx = &self->tx;

	limit_rate(tx, RATE_PACKETS, 1000);
	clock_now = 110;
	room = 0;
	EXPECT_EQ(0, tx_poll(tx));
	EXPECT_EQ(10, last_n);
	EXPECT_TRUE(tx->blocked);
	EXPECT_EQ(0, tx->given);
	room = 4;
	EXPECT_EQ(4, tx_poll(tx));
	EXPECT_EQ(10, last_n);
	EXPECT_FALSE(tx->blocked);
	EXPECT_EQ(4, tx_poll(tx));
	EXPECT_EQ(6, last_n);
	EXPECT_EQ(4, last_first);
	room = 64;
	EXPECT_EQ(2, tx_poll(tx));
	/* The rate has allowed 1 packet for each of the 8 ticks since then. */
	clock_now = 118;
	EXPECT_EQ(8, tx_poll(tx));
	EXPECT_EQ(0, tx->n_allowed);
}

TEST_F(tx, a_rate_in_bits_pays_for_each_frame_by_its_size)
{
	struct tx *tx = &self->tx;

	ASSERT_EQ(NULL, size_parse(&self->size, "80,120"));
	self->flow.varies = true;
	self->flow.bytes = 116;
	limit_rate(tx, RATE_BITS, 8000); /* a byte per tick */
	clock_now = 100 + 79;
	EXPECT_EQ(0, tx_poll(tx));
	clock_now = 100 + 80;
	EXPECT_EQ(1, tx_poll(tx));
	EXPECT_EQ(80, tx->bytes);
	clock_now = 100 + 80 + 120 + 80;
	EXPECT_EQ(2, tx_poll(tx));
	EXPECT_EQ(280, tx->bytes);
	EXPECT_EQ(0, tx->bucket.tokens);
}

TEST_F(tx, a_capture_pays_and_counts_its_own_sizes)
{
	struct capture_frame frames[] = { { .n_bytes = 96 },
					  { .n_bytes = 196 },
					  { .n_bytes = 296 } };
	const struct capture capture = { .frames = frames, .n_frames = 3 };
	struct tx *tx = &self->tx;

	tx->capture = &capture;
	takes = 2;
	limit_rate(tx, RATE_BITS, 8000);
	tx->bucket.depth = UINT64_MAX / 2;
	clock_now = 100 + 100 + 200 + 300 + 100 + 199;
	EXPECT_EQ(2, tx_poll(tx));
	EXPECT_EQ(4, last_n);
	EXPECT_EQ(300, tx->bytes);
	EXPECT_EQ(2, tx_poll(tx));
	EXPECT_EQ(700, tx->bytes);
	EXPECT_EQ(1, tx->taken_cursor);
	EXPECT_EQ(0, tx->n_pending);
	EXPECT_EQ(199ull * 8 * RATE_MICRO, tx->bucket.tokens);
}

TEST_F(tx, a_burst_and_the_wait_after_it_limit_the_packets)
{
	struct tx *tx = &self->tx;

	tx->pace = (struct pace){ .packets = 70, .gap = 50 };
	pace_begin(&tx->pace, 120);
	limit_rate(tx, RATE_PACKETS, 10000);
	clock_now = 119;
	EXPECT_EQ(0, tx_poll(tx)); /* before the delay has passed */
	EXPECT_EQ(0, n_makes);
	clock_now = 121;
	EXPECT_EQ(10, tx_poll(tx)); /* those of a tick: the wait earned none */
	clock_now = 127;
	EXPECT_EQ(60, tx_poll(tx));
	clock_now = 150;
	EXPECT_EQ(0, tx_poll(tx));
	clock_now = 178;
	EXPECT_EQ(10, tx_poll(tx)); /* those since tick 177, when the wait ended */
	EXPECT_EQ(80, tx->sent);
}

TEST_F(tx, a_replay_with_its_own_times_notes_how_late_frames_are)
{
	struct capture_frame frames[] = { { .n_bytes = 60, .at_ns = 0 },
					  { .n_bytes = 60, .at_ns = 20000000 } };
	const struct capture capture = { .frames = frames, .n_frames = 2, .period_ns = 40000000 };
	struct tx *tx = &self->tx;

	tx->capture = &capture;
	tx->speed = 2;
	ASSERT_EQ(0, histogram_init(&tx->late, 2, 1ull << 30));
	EXPECT_EQ(1, tx_poll(tx));
	EXPECT_EQ(0, tx->late.max_ns);
	clock_now = 109;
	EXPECT_EQ(0, tx_poll(tx));
	clock_now = 123; /* due: 110 and 120 */
	EXPECT_EQ(2, tx_poll(tx));
	EXPECT_EQ(3, histogram_count(&tx->late));
	/* The number of ns per tick is rounded down. */
	EXPECT_LE(12999900, tx->late.max_ns);
	EXPECT_GE(13000000, tx->late.max_ns);
	EXPECT_LE(15999800, tx->late.sum_ns);
	EXPECT_GE(16000000, tx->late.sum_ns);
	histogram_free(&tx->late);
}

TEST_F(tx, gaps_are_between_the_packets_that_the_port_took)
{
	struct tx *tx = &self->tx;

	ASSERT_EQ(0, histogram_init(&tx->gaps, 2, 1ull << 30));
	takes = 3;
	tx_poll(tx);
	EXPECT_EQ(2, histogram_count(&tx->gaps)); /* inside of the burst */
	EXPECT_EQ(0, tx->gaps.max_ns);
	takes = 0;
	tx_poll(tx);
	EXPECT_EQ(2, histogram_count(&tx->gaps));
	EXPECT_EQ(101, tx->last); /* when the burst was made */
	takes = 1;
	clock_now = 150; /* a read after the start */
	tx_poll(tx);
	EXPECT_EQ(3, histogram_count(&tx->gaps));
	EXPECT_LE(49999900, tx->gaps.max_ns);
	EXPECT_GE(50000000, tx->gaps.max_ns);
	EXPECT_EQ(151, tx->last);
	EXPECT_EQ(101, tx->first);
	histogram_free(&tx->gaps);
}

/* Another queue of the port sends at tick 140, and once more later than the time of the poll. */
TEST_F(tx, gaps_of_a_port_are_between_the_packets_of_all_its_queues)
{
	struct last_burst last = { 0 };
	struct port_gaps gaps = { .last = &last };
	struct tx *tx = &self->tx;

	ASSERT_EQ(0, histogram_init(&tx->gaps, 2, 1ull << 30));
	ASSERT_EQ(0, histogram_init(&gaps.times, 2, 1ull << 30));
	tx->port_gaps = &gaps;
	takes = 3;
	tx_poll(tx);
	EXPECT_EQ(2, histogram_count(&gaps.times));
	EXPECT_EQ(0, gaps.times.max_ns);
	EXPECT_EQ(101, last.tsc);
	last.tsc = 140;
	takes = 1;
	clock_now = 149; /* a read before the burst */
	tx_poll(tx);
	EXPECT_EQ(3, histogram_count(&gaps.times));
	EXPECT_LE(9999900, gaps.times.max_ns);
	EXPECT_GE(10000000, gaps.times.max_ns);
	EXPECT_LE(48999900, tx->gaps.max_ns);
	last.tsc = 200;
	tx_poll(tx);
	EXPECT_EQ(4, histogram_count(&gaps.times));
	EXPECT_GE(10000000, gaps.times.max_ns);
	histogram_free(&gaps.times);
	histogram_free(&tx->gaps);
}

/* Three streams of one queue, by their id: which one sends next. */
TEST_F(tx, streams_of_a_queue_take_turns)
{
	struct tx streams[3], *order[] = { streams, streams + 1, streams + 2 };
	struct tx_queue q = { .tx = order, .n_tx = 3, .n_active = 3 };

	for (unsigned i = 0; i < 3; i++)
		streams[i] = self->tx;
	room = 5;
	EXPECT_EQ(5, tx_queue_poll(&q));
	EXPECT_EQ(5, tx_queue_poll(&q));
	EXPECT_EQ(5, streams[1].sent);
	/* A stream whose frames the port did not take keeps its turn. */
	takes = 2;
	EXPECT_EQ(2, tx_queue_poll(&q));
	EXPECT_EQ(2, tx_queue_poll(&q));
	EXPECT_EQ(4, streams[2].sent);
	EXPECT_EQ(1, tx_queue_poll(&q));
	EXPECT_EQ(5, streams[2].sent);
	takes = 0; /* the port takes nothing: no other stream makes frames */
	EXPECT_EQ(0, tx_queue_poll(&q));
	EXPECT_EQ(0, tx_queue_poll(&q));
	EXPECT_EQ(5, streams[0].n_pending);
	EXPECT_EQ(0, streams[1].n_pending);
	takes = 5;
	EXPECT_EQ(5, tx_queue_poll(&q));
	EXPECT_EQ(10, streams[0].sent);
	/* A stream that may not send now leaves its turn to the next one. */
	pace_begin(&streams[1].pace, UINT64_MAX);
	EXPECT_EQ(5, tx_queue_poll(&q));
	EXPECT_EQ(10, streams[2].sent);
	/* Finished streams go behind the others, and are still there. */
	streams[0].count = 10;
	pace_begin(&streams[1].pace, 0);
	EXPECT_EQ(5, tx_queue_poll(&q));
	EXPECT_EQ(2, q.n_active);
	EXPECT_EQ(&streams[0], order[2]);
	EXPECT_EQ(15, streams[2].sent);
	EXPECT_EQ(5, tx_queue_poll(&q));
	EXPECT_EQ(10, streams[1].sent);
	streams[1].stop = streams[2].stop = true;
	EXPECT_EQ(0, tx_queue_poll(&q));
	EXPECT_EQ(0, q.n_active);
	EXPECT_TRUE(streams[1].done && streams[2].done);
	EXPECT_EQ(0, tx_queue_poll(&q));
}
