/* SPDX-License-Identifier: BSD-3-Clause */
#include "rx_fixture.h"

#include <pthread.h>

bool is_request;

bool responder_take_frame(struct responder *d, const uint8_t *frame, unsigned n_bytes)
{
	(void)d;
	(void)frame;
	(void)n_bytes;
	return is_request;
}

TEST_F(rx, counts_the_frames_of_each_stream)
{
	const struct rx *rx = &self->rx;

	put_frame(self, 0, 0, 0);
	put_frame(self, 0, 1, 0);
	put_frame(self, 1, 0, 0);
	put_frame(self, 0, 1, 0);
	put_frame(self, 1, 5, 0);
	clock_now = START + 10;
	EXPECT_EQ(5, rx_poll(&self->rx));
	EXPECT_EQ(5, rx->packets);
	EXPECT_EQ(5 * 64, rx->bytes);
	EXPECT_EQ(5, rx->arrived);
	EXPECT_EQ(4, rx->distinct);
	EXPECT_EQ(3, rx->streams[0].arrived);
	EXPECT_EQ(3 * 64, rx->streams[0].bytes);
	EXPECT_EQ(1, rx->streams[0].track.duplicated);
	EXPECT_EQ(2, rx->streams[1].arrived);
	EXPECT_EQ(2, rx->streams[1].track.seen);
	EXPECT_EQ(START + 10, rx->first);
	EXPECT_EQ(START + 10, rx->last);
	EXPECT_EQ(1, rx->verify_cycles);
	EXPECT_EQ(0, rx->unknown + rx->misdirected + rx->requests);
	/* Each mbuf is back. */
	for (unsigned i = 0; i < 5; i++)
		EXPECT_EQ(1, mbufs[i].refcnt);
	put_frame(self, 0, 2, 0);
	clock_now = START + 50;
	EXPECT_EQ(1, rx_poll(&self->rx));
	EXPECT_EQ(START + 10, rx->first);
	EXPECT_EQ(START + 50, rx->last);
	EXPECT_EQ(START + 10, rx->streams[0].first);
	EXPECT_EQ(START + 50, rx->streams[0].last);
	EXPECT_EQ(START + 10, rx->streams[1].first);
	EXPECT_EQ(START + 10, rx->streams[1].last);
	EXPECT_EQ(2, rx->verify_cycles);
	EXPECT_EQ(6, rx->packets);
}

static const struct waiting {
	const char *name;
	unsigned frames, taken; /* by one poll */
	uint64_t reads;         /* the clock is read for each burst, and after one with frames */
	bool is_empty;          /* a poll saw the end of the queue */
} waiting[] = {
	{ "nothing", 0, 0, 1, true },
	{ "less_than_half_a_burst", 31, 31, 2, true },
	{ "half_a_burst", 32, 32, 3, true },
	{ "a_burst", 64, 64, 3, true },
	{ "a_burst_and_a_frame", 65, 65, 4, true },
	{ "eight_bursts", 512, 512, 16, false },
	{ "more_than_eight_bursts", 600, 512, 16, false },
};

TEST_EACH(rx_poll, takes_its_part_of, struct waiting, waiting)
{
	struct ct_fix_rx self = { 0 };

	ct_setup_rx(&self);
	for (unsigned i = 0; i < row->frames; i++)
		put_frame(&self, 0, i, 0);
	EXPECT_EQ(row->taken, rx_poll(&self.rx));
	EXPECT_EQ(START + row->reads, clock_now);
	EXPECT_EQ(row->is_empty, self.rx.polled != 0);
	EXPECT_EQ(row->taken, self.rx.distinct);
	ct_teardown_rx(&self);
}

TEST_F(rx, notes_the_time_since_the_last_poll_that_emptied_the_queue)
{
	rx_poll(&self->rx); /* at START: empty */
	EXPECT_TRUE(histogram_is_empty(&self->rx.polls));
	for (unsigned i = 0; i < 65; i++)
		put_frame(self, 0, i, 0);
	clock_now = START + 20;
	rx_poll(&self->rx);
	/* Two bursts: 20 us and, two reads later, 22 us after the empty queue. */
	EXPECT_EQ(2, histogram_count(&self->rx.polls));
	EXPECT_LE(19990, self->rx.polls.min_ns);
	EXPECT_GE(20000, self->rx.polls.min_ns);
	EXPECT_LE(21990, self->rx.polls.max_ns);
	EXPECT_GE(22000, self->rx.polls.max_ns);
	EXPECT_EQ(START + 22, self->rx.polled);
}

TEST_F(rx, latency_is_the_time_since_the_frame_was_made)
{
	const struct latency *l = self->rx.streams[0].latency.to;

	put_frame(self, 0, 0, 30000);
	put_frame(self, 0, 1, 70000);
	put_frame(self, 0, 2, 100000 + (1 << 24)); /* in the future, by the error of a clock */
	clock_now = START + 100;
	rx_poll(&self->rx);
	rx_finish(&self->rx);
	EXPECT_EQ(3, histogram_count(&l->time));
	EXPECT_EQ(1, self->rx.negative);
	EXPECT_EQ(0, l->time.min_ns);
	EXPECT_EQ(70000, l->time.max_ns);
	EXPECT_EQ(70000ull + 30000, l->time.sum_ns);
	EXPECT_EQ(2, histogram_count(&l->jitter));
	EXPECT_EQ(30000, l->jitter.min_ns);
}

/* Frames 0, 1, ... are made at the same moment of consecutive epochs, which last 4.29 s. */
static const struct age {
	const char *name;
	uint64_t seq, latency_ns, untimed;
} ages[] = {
	{ "of_this_epoch", 149, 20000, 0 },
	{ "of_the_last_epoch", 148, 20000 + (1ull << 32), 0 },
	{ "five_epochs_ago", 144, 20000 + (5ull << 32), 0 },
	{ "ten_minutes_ago", 9, 20000 + (140ull << 32), 0 },
	{ "of_the_first_epoch", 0, 20000 + (149ull << 32), 0 },
};

TEST_EACH(rx_age, is_known_for_frames, struct age, ages)
{
	struct ct_fix_rx self = { 0 };
	const uint64_t made = 1000000000;

	ct_setup_rx(&self);
	for (uint64_t epoch = 0; epoch < 150; epoch++)
		epochs_update(&self.epochs[0], &self.clock, epoch,
			      run_clock_to_tsc(&self.clock, made + (epoch << 32)) + 1);
	put_frame(&self, 0, row->seq, (uint32_t)made);
	clock_now = run_clock_to_tsc(&self.clock, made + (149ull << 32) + 20000) + 1;
	rx_poll(&self.rx);
	rx_finish(&self.rx);
	EXPECT_EQ(row->untimed, self.rx.streams[0].untimed);
	/* The clock of the test has ticks of 1 us. */
	EXPECT_LE(row->latency_ns - 1000, self.rx.streams[0].latency.to->time.max_ns);
	EXPECT_GE(row->latency_ns + 1000, self.rx.streams[0].latency.to->time.max_ns);
	ct_teardown_rx(&self);
}

TEST_F(rx, a_frame_of_a_forgotten_epoch_has_no_latency)
{
	for (uint64_t epoch = 0; epoch < 200; epoch++)
		epochs_update(&self->epochs[0], &self->clock, epoch,
			      run_clock_to_tsc(&self->clock, epoch << 32) + 1);
	for (uint64_t seq = 0; seq < 200; seq++)
		put_frame(self, 0, seq, 0);
	clock_now = run_clock_to_tsc(&self->clock, 199ull << 32) + 50;
	while (rx_poll(&self->rx))
		;
	rx_finish(&self->rx);
	EXPECT_EQ(200, self->rx.streams[0].track.seen);
	EXPECT_EQ(200 - EPOCHS_KEPT, self->rx.streams[0].untimed);
	EXPECT_EQ(EPOCHS_KEPT, histogram_count(&self->rx.streams[0].latency.to->time));
}

TEST(epochs, a_sender_that_pauses_begins_all_epochs_of_the_pause)
{
	const struct run_clock clock = { START, HZ, (1000000000ull << 32) / HZ };
	struct epochs e = { 0 };
	uint64_t made;

	EXPECT_EQ(0, epochs_load_first(&e, 0));
	EXPECT_EQ(UINT64_MAX, epochs_load_first(&e, 1));
	epochs_update(&e, &clock, 0, START);
	epochs_update(&e, &clock, 70, run_clock_to_tsc(&clock, 3ull << 32) + 1);
	for (uint64_t epoch = 1; epoch <= 3; epoch++)
		EXPECT_EQ(70, epochs_load_first(&e, epoch));
	ASSERT_TRUE(epochs_find_time(&e, 69, 5, &made));
	EXPECT_EQ(5, made);
	ASSERT_TRUE(epochs_find_time(&e, 70, 5, &made));
	EXPECT_EQ((3ull << 32) + 5, made);
	/* A very long pause makes the oldest epochs forgotten; the newest are right. */
	epochs_update(&e, &clock, 80, run_clock_to_tsc(&clock, 1000ull << 32) + 1);
	EXPECT_FALSE(epochs_find_time(&e, 79, 5, &made));
	ASSERT_TRUE(epochs_find_time(&e, 80, 5, &made));
	EXPECT_EQ((1000ull << 32) + 5, made);
	EXPECT_LE(run_clock_to_tsc(&clock, 1001ull << 32), e.next);
}

enum { PAUSES = 50000, PAUSE = EPOCHS_KEPT + 43, TRIES = 100 };

/* A sender that pauses for PAUSE epochs before each frame, and the receiver of the frames. */
struct pauses {
	struct epochs epochs;
	_Atomic uint64_t given;
	unsigned wrong;
};

static void *find_times(void *arg)
{
	struct pauses *p = arg;
	uint64_t given, made;

	do {
		given = atomic_load_explicit(&p->given, memory_order_acquire);
		for (unsigned i = 0; i < TRIES && given; i++)
			p->wrong += epochs_find_time(&p->epochs, given - 1, 0, &made) &&
				    made != given * PAUSE << EPOCHS_NS_BITS;
	} while (given < PAUSES);
	return NULL;
}

/* A time that is found is right; it is unknown if the epoch has been forgotten meanwhile. */
TEST(epochs, a_receiver_finds_no_wrong_time_while_a_long_pause_ends)
{
	const struct run_clock clock = { 0, 1000000000, 1ull << 32 };
	struct pauses p = { 0 };
	pthread_t receiver;

	ASSERT_EQ(0, pthread_create(&receiver, NULL, find_times, &p));
	for (uint64_t n = 1; n <= PAUSES; n++) {
		epochs_update(&p.epochs, &clock, n - 1, n * PAUSE << EPOCHS_NS_BITS);
		atomic_store_explicit(&p.given, n, memory_order_release);
	}
	pthread_join(receiver, NULL);
	EXPECT_EQ(0, p.wrong);
}

TEST_F(rx, other_frames_are_misdirected_requests_or_unknown)
{
	uint8_t other[60] = { 2, 0, 0, 0, 0, 2 };
	struct rx *rx = &self->rx;

	put_frame(self, 2, 7, 0);
	put_bytes(other, 60);
	rx_poll(rx);
	EXPECT_EQ(1, rx->misdirected);
	EXPECT_EQ(2, rx->misdirected_id);
	EXPECT_EQ(1, rx->unknown);
	EXPECT_EQ(0, rx->requests + rx->arrived);
	is_request = true;
	rx->responder = &self->responder;
	put_bytes(other, 60);
	rx_poll(rx);
	EXPECT_EQ(1, rx->requests);
	is_request = false;
	put_bytes(other, 60);
	rx_poll(rx);
	EXPECT_EQ(2, rx->unknown);
	EXPECT_EQ(4, rx->packets);
}

/* Equal headers do not make it a damaged frame of this run, even if only one stream is expected. */
TEST_F(rx, frames_of_another_run_are_counted_apart)
{
	struct rx *rx = &self->rx;
	struct flow other;
	uint8_t frame[128];

	for (unsigned i = 0; i < 4; i++) {
		ASSERT_EQ(0,
			  flow_init(&other, RUN + 1 + i, i % 2, &self->stack, &self->size, 0, 1));
		flow_write_frame(&other, 5, 60, 0, frame);
		flow_free(&other);
		rx->only = i == 3 ? &rx->streams[0] : NULL;
		put_bytes(frame, 60);
		rx_poll(rx);
		EXPECT_EQ(i + 1, rx->other_run);
		EXPECT_EQ(RUN + 1 + i, rx->other_run_number);
	}
	is_request = true; /* a signed ping is a request */
	rx->responder = &self->responder;
	put_bytes(frame, 60);
	rx_poll(rx);
	EXPECT_EQ(4, rx->other_run);
	EXPECT_EQ(1, rx->requests);
	EXPECT_EQ(0, rx->unknown + rx->misdirected + rx->arrived);
	EXPECT_EQ(0, rx->streams[0].track.corrupted + rx->streams[1].track.corrupted);
}

TEST_F(rx, a_damaged_frame_belongs_to_the_stream_that_it_is_most_like)
{
	struct rx *rx = &self->rx;
	struct rte_mbuf *m = put_frame(self, 1, 3, 0);

	((uint8_t *)m->buf_addr)[50] ^= 1; /* in the signature */
	m = put_frame(self, 1, 4, 0);
	((uint8_t *)m->buf_addr)[20] ^= 1; /* in the headers */
	rx_poll(rx);
	EXPECT_EQ(2, rx->arrived);
	EXPECT_EQ(2, rx->distinct);
	EXPECT_EQ(0, rx->unknown);
	EXPECT_EQ(2, rx->streams[0].track.corrupted + rx->streams[1].track.corrupted);
	EXPECT_EQ(0, rx->streams[0].latency.n_same + rx->streams[1].latency.n_same);
}

TEST_F(rx, a_frame_of_several_buffers_is_read_as_one)
{
	struct rte_mbuf *head = put_frame(self, 0, 9, 0), tail;

	tail = (struct rte_mbuf){
		.buf_addr = bytes[0], .data_off = 40, .data_len = 20, .nb_segs = 1, .refcnt = 2
	};
	head->data_len = 40;
	head->nb_segs = 2;
	head->next = &tail;
	rx_poll(&self->rx);
	EXPECT_EQ(1, self->rx.streams[0].track.seen);
	EXPECT_EQ(0, self->rx.streams[0].track.corrupted);
	EXPECT_EQ(64, self->rx.bytes);
}

/* Lets the port write timestamps: its clock has a cycle in each tick, and began at tick 0. */
static void begin_stamps(struct ct_fix_rx *self)
{
	struct clock_reading r = { 100, 100, 0 };

	self->stamps = (struct port_stamps){ .on = true,
					     .offset = RTE_ALIGN_CEIL(
						     offsetof(struct rte_mbuf, dynfield1), 8),
					     .flag = STAMP_FLAG };
	device_clock_add(&self->stamps.clock, &r);
	r = (struct clock_reading){ 900, 900, 0 };
	device_clock_add(&self->stamps.clock, &r);
}

static void put_stamped(struct ct_fix_rx *self, uint64_t seq, uint64_t stamp, bool has_flag)
{
	struct rte_mbuf *m = put_frame(self, 0, seq, 0);

	m->ol_flags = has_flag ? STAMP_FLAG : 0;
	*RTE_MBUF_DYNFIELD(m, self->stamps.offset, rte_mbuf_timestamp_t *) = stamp;
}

static const struct stamp_case {
	const char *name;
	uint64_t stamp, resumed;
	bool has_flag;
	uint64_t ns, unstamped; /* latency, and frames without a timestamp that can be right */
} stamps[] = {
	{ "before_the_poll", START + 70, 0, true, 70000, 0 },
	{ "at_the_poll", START + 100, 0, true, 100000, 0 },
	{ "a_little_behind_the_poll", START + 110, 0, true, 100000, 0 },
	{ "far_behind_the_poll", START + 100000, 0, true, 100000, 1 },
	{ "without_the_flag", START + 70, 0, false, 100000, 1 },
	{ "before_the_end_of_a_pause", START + 70, START + 71, true, 100000, 1 },
	{ "before_the_run", START - 5, 0, true, 0, 0 },
	{ "at_the_end_of_a_pause", START + 70, START + 70, true, 70000, 0 },
};

TEST_EACH(rx_time, is_that_of_a_timestamp, struct stamp_case, stamps)
{
	struct ct_fix_rx self = { 0 };

	ct_setup_rx(&self);
	begin_stamps(&self);
	put_stamped(&self, 0, row->stamp, row->has_flag);
	self.rx.resumed = row->resumed;
	clock_now = START + 100;
	rx_poll(&self.rx);
	rx_finish(&self.rx);
	/* The number of ns per tick is rounded down. */
	EXPECT_LE(row->ns, self.rx.streams[0].latency.to->time.sum_ns);
	EXPECT_GE(row->ns + 1, self.rx.streams[0].latency.to->time.sum_ns);
	EXPECT_EQ(row->unstamped, self.rx.unstamped);
	ct_teardown_rx(&self);
}

TEST(rx_init, each_stream_has_its_times)
{
	static struct tx tx[2];
	const struct tx *all[2];
	struct rx rx = { .n_all = 2 };

	for (unsigned i = 0; i < 2; i++) {
		tx[i].id = (uint16_t)i;
		all[i] = &tx[i];
	}
	ASSERT_EQ(0, rx_init(&rx, all, 2));
	EXPECT_EQ(2, rx.n_latencies);
	EXPECT_EQ(&rx.latencies[0], rx.streams[0].latency.to);
	EXPECT_EQ(&rx.latencies[1], rx.streams[1].latency.to);
	EXPECT_EQ(NULL, rx.only);
	rx_free(&rx);
	rx = (struct rx){ .n_all = 1 };
	ASSERT_EQ(0, rx_init(&rx, all, 1));
	EXPECT_EQ(&rx.streams[0], rx.only);
	EXPECT_EQ(&rx.streams[0], rx_find_stream(&rx, &tx[0]));
	rx_free(&rx);
}
