/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/spread.h"

#include <stdlib.h>

#include "ct.h"
#include "run/extent.h"
#include "run/start.h"
#include "send/sender_fixture.h"

enum { MICRO_PER_MILLI = RATE_MICRO / 1000 };

enum { HZ = 1000000 }; /* a tick of the clock is 1 us */
enum { STEP = 250, SLOT = 10000, N_SLOTS = 200, MAX_FLOWS = 1000, MAX_QUEUES = 4 };

/* A run with the streams of a job on a port with several queues. */
struct sample {
	struct run r;
	struct job_flow flows[MAX_FLOWS];
	struct stream streams[MAX_FLOWS];
	struct tx *order[MAX_QUEUES][MAX_FLOWS];
	struct tx_queue queues[MAX_QUEUES];
	unsigned n_queues;
};

static struct sample *make_sample(unsigned n_queues)
{
	static const struct clock_source source = { .hz = HZ, .read = read_clock };
	struct sample *s = calloc(1, sizeof(*s));

	pktgen_clock_source = &source;
	clock_now = 12345;
	s->n_queues = n_queues;
	s->r.streams = s->streams;
	s->r.job.flows = s->flows;
	for (unsigned i = 0; i < n_queues; i++)
		s->queues[i].tx = s->order[i];
	return s;
}

static void free_sample(struct sample *s)
{
	pktgen_clock_source = NULL;
	utc_clock_free(&s->r.utc);
	free(s);
}

/* Adds part @part of @n_parts of a flow, on the next queue. */
static struct stream *add_stream(struct sample *s, unsigned flow, unsigned part, unsigned n_parts)
{
	struct run *r = &s->r;
	const unsigned id = r->n_streams++;
	struct stream *stream = &s->streams[id];
	struct tx_queue *q = &s->queues[id % s->n_queues];

	stream->flow = flow;
	stream->part = part;
	stream->n_parts = n_parts;
	stream->from = &r->ports.port[0];
	stream->frames = (struct flow){ .bytes = 60, .size = &s->flows[flow].size, .stride = 1 };
	stream->tx = (struct tx){ .id = id,
				  .sender = &sender,
				  .flow = &stream->frames,
				  .clock = &r->clock,
				  .count = UINT64_MAX,
				  .until = UINT64_MAX };
	stream->tx.pace.packets = s->flows[flow].burst_packets;
	q->tx[q->n_tx++] = &stream->tx;
	q->n_active = q->n_tx;
	return stream;
}

/* Adds a flow of so many thousandths of a packet per second, or of a bit. */
static struct job_flow *add_flow(struct sample *s, enum rate_unit unit, uint64_t milli)
{
	struct job_flow *f = &s->flows[s->r.job.n_flows++];

	f->rate = (struct rate){ unit, milli * MICRO_PER_MILLI };
	size_set_fixed(&f->size, 64);
	return f;
}

static unsigned poll_queues(struct sample *s)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < s->n_queues; i++) {
		for (unsigned n; (n = tx_queue_poll(&s->queues[i]));)
			sum += n;
	}
	return sum;
}

static void start_sample(struct sample *s)
{
	ASSERT_EQ(0, spread_streams(&s->r));
	start_streams(&s->r);
}

/* Returns the packets of the next 10 ms. */
static unsigned send_slot(struct sample *s)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < SLOT / STEP; i++) {
		sum += poll_queues(s);
		clock_now += STEP;
	}
	return sum;
}

static const struct spread_case {
	const char *name;
	enum rate_unit unit;
	uint64_t milli[5]; /* rates of the flows, in turn */
	unsigned n_rates, n_queues;
	bool is_sorted;      /* all flows of one rate come first */
	uint64_t ramp_from;  /* in thousandths; 0: no ramp */
	uint64_t port_milli; /* devx_rate of the port, in thousandths; 0: none */
} cases[] = {
	{ "one_rate", RATE_PACKETS, { 2000 }, 1, 1 },
	{ "one_rate_on_4_queues", RATE_PACKETS, { 2000 }, 1, 4 },
	{ "a_slow_rate", RATE_PACKETS, { 100 }, 1, 1 },
	{ "bits", RATE_BITS, { 1024 * 1000 }, 1, 1 },
	{ "bits_of_the_line", RATE_LINE_BITS, { 1344 * 1000 }, 1, 2 },
	{ "two_rates", RATE_PACKETS, { 2000, 3000 }, 2, 1, true },
	{ "five_rates", RATE_PACKETS, { 1000, 2000, 3000, 5000, 7001 }, 5, 1 },
	{ "five_rates_in_order", RATE_PACKETS, { 1000, 2000, 3000, 5000, 7001 }, 5, 3, true },
	{ "a_ramp_up", RATE_PACKETS, { 4000 }, 1, 1, .ramp_from = 1000 },
	{ "a_ramp_down", RATE_PACKETS, { 1000 }, 1, 1, .ramp_from = 4000 },
	{ "the_rate_of_a_port", RATE_PACKETS, { 0 }, 1, 2, .port_milli = 2000500 },
};

/* Starts 1,000 flows. */
static void start_case(struct sample *s, const struct spread_case *row)
{
	for (unsigned i = 0; i < MAX_FLOWS; i++) {
		const unsigned rate =
			row->is_sorted ? i * row->n_rates / MAX_FLOWS : i % row->n_rates;
		struct job_flow *f = add_flow(s, row->unit, row->milli[rate]);

		f->ramp_from = (struct rate){ row->unit, row->ramp_from * MICRO_PER_MILLI };
		f->ramp_ns = row->ramp_from ? 1000000000 : 0;
		add_stream(s, i, 0, 1);
	}
	s->r.job.ports[0].rate = (struct rate){ row->port_milli ? row->unit : RATE_MAX,
						row->port_milli * MICRO_PER_MILLI };
	EXPECT_TRUE(job_share_port_rates(&s->r.job));
	start_sample(s);
}

/* Returns the packets that all flows ask for in the 10 ms from @second on. */
static double compute_mean(const struct sample *s, double second)
{
	double sum = 0;

	for (unsigned i = 0; i < MAX_FLOWS; i++)
		sum += extent_compute_rate_at(&s->flows[i], &s->r.ports.port[0], second + 0.005);
	return sum / 100;
}

TEST_EACH(spread, no_slot_of_10_ms_has_3_packets_more_or_fewer, struct spread_case, cases)
{
	struct sample *s = make_sample(row->n_queues);
	const double seconds = N_SLOTS / 100.0;

	start_case(s, row);
	for (unsigned i = 0; i < N_SLOTS && !ct_has_failed(); i++) {
		const double mean = compute_mean(s, i / 100.0);
		const unsigned n = send_slot(s);

		SCOPED_TRACE("slot %u: %u packets of %.1f", i, n, mean);
		EXPECT_LE(mean - 3, n);
		EXPECT_GE(mean + 3, n);
	}
	for (unsigned i = 0; i < MAX_FLOWS && !ct_has_failed(); i++) {
		const struct job_flow *f = &s->flows[i];
		const double want =
			extent_compute_mean_rate(f, &s->r.ports.port[0], seconds) * seconds;

		SCOPED_TRACE("flow %u", i);
		EXPECT_LE(want - 1, s->streams[i].tx.sent);
		EXPECT_GE(want + 1, s->streams[i].tx.sent);
	}
	free_sample(s);
}

/* After a stop of the CPU, flows catch up, and then leave as evenly as before. */
TEST(spread, flows_stay_apart_after_a_stop_of_the_cpu)
{
	struct sample *s = make_sample(1);

	for (unsigned i = 0; i < MAX_FLOWS; i++) {
		add_flow(s, RATE_PACKETS, 2000);
		add_stream(s, i, 0, 1);
	}
	start_sample(s);
	send_slot(s);
	clock_now += 123 * 1000;
	send_slot(s);
	for (unsigned i = 0; i < N_SLOTS && !ct_has_failed(); i++) {
		const unsigned n = send_slot(s);

		EXPECT_LE(17, n);
		EXPECT_GE(23, n);
	}
	free_sample(s);
}

/* The parts of two flows, on four queues: each flow is sent evenly, and so is the sum. */
TEST(spread, parts_of_a_flow_take_turns_with_those_of_others)
{
	static const uint64_t want[] = { 0, 1000, 2000, 3000, 500, 1500, 2500, 3500 };
	struct sample *s = make_sample(4);

	for (unsigned flow = 0; flow < 2; flow++) {
		add_flow(s, RATE_PACKETS, 1000 * 1000);
		for (unsigned part = 0; part < 4; part++)
			add_stream(s, flow, part, 4);
	}
	start_sample(s);
	for (unsigned i = 0; i < 8; i++) {
		SCOPED_TRACE("stream %u", i);
		EXPECT_EQ(want[i] * 1000, s->streams[i].spread_ns);
		EXPECT_EQ(12345 + want[i], s->streams[i].tx.pace.next);
		EXPECT_EQ(12345, s->streams[i].tx.begin);
	}
	free_sample(s);
}

TEST(spread, flows_without_company_begin_at_once)
{
	struct sample *s = make_sample(1);

	add_flow(s, RATE_PACKETS, 1000);
	add_flow(s, RATE_PACKETS, 7000)->delay_ns = 5000000;
	add_flow(s, RATE_PACKETS, 7000)->delay_ns = 6000000;
	add_flow(s, RATE_PACKETS, 100 * 1000);
	add_flow(s, RATE_MAX, 0);
	add_flow(s, RATE_MAX, 0);
	for (unsigned i = 0; i < 2; i++) {
		struct job_flow *f = add_flow(s, RATE_PACKETS, 1000);

		f->burst_packets = 10;
		f->burst_gap_ns = 1000000;
	}
	for (unsigned i = 0; i < s->r.job.n_flows; i++)
		add_stream(s, i, 0, 1);
	add_flow(s, RATE_PACKETS, 1000)->tx = 1;
	add_stream(s, s->r.job.n_flows - 1, 0, 1)->tx.port = 1;
	start_sample(s);
	for (unsigned i = 0; i < s->r.n_streams; i++) {
		SCOPED_TRACE("stream %u", i);
		EXPECT_EQ(0, s->streams[i].spread_ns);
		EXPECT_EQ(12345 + s->flows[i].delay_ns / 1000, s->streams[i].tx.pace.next);
	}
	free_sample(s);
}

static const struct end_case {
	const char *name;
	uint64_t stop; /* time before the end in which the worker has no CPU */
} ends[] = { { "in_time", 0 }, { "too_late", 100 * 1000 } };

/* Each stream sends as many packets in whole periods as it would if it had begun at once. */
TEST_EACH(spread, a_duration_of_whole_periods_has_its_packets, struct end_case, ends)
{
	struct sample *s = make_sample(1);

	for (unsigned i = 0; i < MAX_FLOWS; i++) {
		add_flow(s, RATE_PACKETS, 2000 + i % 3 * 1000)->duration_ns = 3000000000;
		add_stream(s, i, 0, 1);
	}
	start_sample(s);
	while (clock_now < 12345 + 3000000 - row->stop)
		send_slot(s);
	clock_now += 2 * row->stop;
	send_slot(s);
	for (unsigned i = 0; i < MAX_FLOWS && !ct_has_failed(); i++) {
		SCOPED_TRACE("flow %u", i);
		EXPECT_TRUE(s->streams[i].tx.done);
		EXPECT_EQ(12345 + 3000000 + row->stop, s->streams[i].tx.end);
		EXPECT_EQ(6 + i % 3 * 3, s->streams[i].tx.sent);
	}
	free_sample(s);
}

TEST(spread, a_pause_moves_the_packets_that_wait)
{
	struct sample *s = make_sample(1);
	struct last_burst last = { 12400 };

	for (unsigned i = 0; i < 2; i++) {
		add_flow(s, RATE_PACKETS, 1000);
		add_stream(s, i, 0, 1);
	}
	start_sample(s);
	s->r.ports.n = 1;
	s->r.last_bursts = &last;
	start_shift(&s->r, 777);
	EXPECT_EQ(12345 + 777, s->streams[1].tx.begin);
	EXPECT_EQ(12345 + 500000 + 777, s->streams[1].tx.pace.next);
	EXPECT_EQ(12345 + 500000 + 777, s->streams[1].tx.bucket.last);
	EXPECT_EQ(12400 + 777, last.tsc);
	last.tsc = 0; /* nothing was sent yet */
	start_shift(&s->r, 777);
	EXPECT_EQ(0, last.tsc);
	free_sample(s);
}
