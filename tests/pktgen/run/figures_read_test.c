/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/clock.h"
#include "ct.h"
#include "port/ports.h"
#include "run/figures.h"

enum { HZ = 1000, START = 10000, END = 15000 }; /* a tick of the clock is 1 ms */

/* The counters of a stopped port: this program has none. */
struct rte_eth_stats ports_read_stats(const struct port *port)
{
	return (struct rte_eth_stats){ .opackets = port->id * 100ull };
}

static uint64_t read_end(void)
{
	return END;
}

/*
 * Ports 5 and 7. Flow 0 has stream 0 on send queue 0 of port 5 and stream 1 on its queue 1; flow 1
 * has stream 2 from port 7. Two receive queues of port 7 expect the first two, port 5 the last one.
 */
FIXTURE(figures_read)
{
	struct options o;
	struct job_flow flows[2];
	struct stream streams[3];
	const struct tx *tx[3];
	struct rx rx[3];
	struct responder responders[1];
	struct run r;
	struct figures f;
};

static void make_stream(struct ct_fix_figures_read *self, unsigned i, unsigned flow, unsigned port,
			uint16_t queue)
{
	struct stream *s = &self->streams[i];

	self->tx[i] = &s->tx;
	s->flow = flow;
	s->tx.id = (uint16_t)i;
	s->tx.port = self->r.ports.port[port].id;
	s->tx.queue = queue;
	/* Each number is another one in each stream. */
	s->tx.sent = 10 + i;
	s->tx.bytes = 1000 + 10 * i;
	s->tx.make_cycles = 300 + i;
	s->tx.send_cycles = 400 + i;
	s->tx.begin = START + 100;
	s->tx.end = START + 1100 + 1000 * i;
	s->tx.first = START + 110 - i;
	s->tx.last = START + 1000 + 1000 * i;
}

static void make_rx(struct ct_fix_figures_read *self, unsigned i, unsigned port, uint16_t queue,
		    const struct tx *const *expected, unsigned n)
{
	struct rx *rx = &self->rx[i];

	*rx = (struct rx){
		.port = self->r.ports.port[port].id, .queue = queue, .all = self->tx, .n_all = 3
	};
	ASSERT_EQ(0, rx_init(rx, expected, n));
	rx->packets = 100 + i;
	rx->bytes = 7000 + i;
	rx->arrived = 90 + i;
	rx->unknown = 20 + i;
	rx->requests = 30 + i;
	rx->misdirected = 40 + i;
	rx->other_run = 70 + i;
	rx->verify_cycles = 50 + i;
	rx->unstamped = 60 + i;
	rx->negative = 80 + i;
	rx->first = START + 200;
	rx->last = START + 1700 + 1000 * i;
	histogram_record(&rx->polls, 1 + i);
	for (unsigned s = 0; s < n; s++) {
		struct rx_stream *got = &rx->streams[s];

		got->arrived = 3 + i + 10 * s;
		got->bytes = 500 + i + 10 * s;
		got->first = START + 210 - 2 * i + s;
		got->last = START + 1600 + 1000 * i + s;
		/* Queue i receives packets 2 * i and 2 * i + 1, twice the first one. */
		track_add_arrival(&got->track, 2 * i, false, &got->order);
		track_add_arrival(&got->track, 2 * i, false, &got->order);
		track_add_arrival(&got->track, 2 * i + 1, false, &got->order);
		histogram_record(&got->latency.to->time, 1000 + 100 * i + s);
		histogram_record(&got->latency.to->jitter, 10 + i);
	}
}

FIXTURE_SETUP(figures_read)
{
	struct run *r = &self->r;

	*r = (struct run){ .o = &self->o,
			   .job = { .n_flows = 2, .flows = self->flows },
			   .clock = { START, HZ, (1000000000ull << 32) / HZ },
			   .n_streams = 3,
			   .streams = self->streams,
			   .tx = self->tx,
			   .n_rx = 3,
			   .rx = self->rx,
			   .n_responders = 1,
			   .responders = self->responders,
			   .end = END };
	r->ports.n = 2;
	r->ports.port[0] = (struct port){ .id = 5, .n_tx = 2, .n_rx = 1 };
	r->ports.port[1] = (struct port){ .id = 7, .n_tx = 1, .n_rx = 2 };
	self->responders[0].port = 7;
	self->responders[0].sent = 77;
	self->flows[1].tx = 1;
	for (unsigned i = 0; i < 2; i++) {
		self->flows[i].rate = (struct rate){ RATE_PACKETS, (i + 1) * 5ull * RATE_MICRO };
		size_set_fixed(&self->flows[i].size, 64);
	}
	make_stream(self, 0, 0, 0, 0);
	make_stream(self, 1, 0, 0, 1);
	make_stream(self, 2, 1, 1, 0);
	make_rx(self, 0, 1, 0, self->tx, 2);
	make_rx(self, 1, 1, 1, self->tx, 2);
	make_rx(self, 2, 0, 0, self->tx + 2, 1);
	ASSERT_EQ(0, figures_init(&self->f, r));
	static const struct clock_source source = { .hz = HZ, .read = read_end };

	pktgen_clock_source = &source;
}
FIXTURE_TEARDOWN(figures_read)
{
	pktgen_clock_source = NULL;
	figures_free(&self->f);
	EXPECT_EQ(NULL, self->f.ports);
	for (unsigned i = 0; i < 3; i++)
		rx_free(&self->rx[i]);
}

static void expect_side(struct figures_side want, struct figures_side got)
{
	EXPECT_EQ(want.packets, got.packets);
	EXPECT_EQ(want.bytes, got.bytes);
	EXPECT_EQ(want.first_ns, got.first_ns);
	EXPECT_EQ(want.last_ns, got.last_ns);
}

/* The times of packets that moved at these ticks after the start. */
#define TIMES(first, last) (first) * 1000000ull, (last)*1000000ull
#define SIDE(...) ((struct figures_side){ __VA_ARGS__ })

TEST_F(figures_read, queues_have_the_counters_of_senders_and_receivers)
{
	const struct figures_port *p = self->f.ports;
	const struct figures_queue *q;

	figures_read(&self->f, &self->r, true);
	EXPECT_EQ(2, p[0].n_queues);
	EXPECT_EQ(2, p[1].n_queues);
	expect_side(SIDE(10, 1000, TIMES(110, 1000)), p[0].queues[0].tx);
	expect_side(SIDE(11, 1010, TIMES(109, 2000)), p[0].queues[1].tx);
	expect_side(SIDE(12, 1020, TIMES(108, 3000)), p[1].queues[0].tx);
	expect_side(SIDE(0), p[1].queues[1].tx);
	expect_side(SIDE(100, 7000, TIMES(200, 1700)), p[1].queues[0].rx);
	expect_side(SIDE(101, 7001, TIMES(200, 2700)), p[1].queues[1].rx);
	expect_side(SIDE(102, 7002, TIMES(200, 3700)), p[0].queues[0].rx);
	q = &p[1].queues[1];
	EXPECT_EQ(91, q->expected);
	EXPECT_EQ(21, q->unknown);
	EXPECT_EQ(31, q->requests);
	EXPECT_EQ(41, q->misdirected);
	EXPECT_EQ(71, q->other_run);
	EXPECT_EQ(51, q->verify_cycles);
	EXPECT_EQ(4 + 14, q->of_streams);
	EXPECT_EQ(5, p[0].queues[0].of_streams);
}

TEST_F(figures_read, ports_and_flows_have_sums)
{
	const struct figures_port *p = self->f.ports;
	const struct figures_flow *flow = self->f.flows;

	/* A second reading replaces the first. */
	figures_read(&self->f, &self->r, true);
	figures_read(&self->f, &self->r, true);
	EXPECT_EQ(5000000000, self->f.ns);
	EXPECT_TRUE(self->f.is_final);
	expect_side(SIDE(21, 2010, TIMES(109, 2000)), p[0].tx);
	expect_side(SIDE(102, 7002, TIMES(200, 3700)), p[0].rx);
	expect_side(SIDE(12, 1020, TIMES(108, 3000)), p[1].tx);
	expect_side(SIDE(201, 14001, TIMES(200, 2700)), p[1].rx);
	EXPECT_EQ(500, p[0].stats.opackets);
	EXPECT_EQ(62, p[0].unstamped);
	EXPECT_EQ(82, p[0].negative);
	EXPECT_EQ(80 + 81, p[1].negative);
	EXPECT_EQ(60 + 61, p[1].unstamped);
	EXPECT_EQ(NULL, p[0].responder);
	EXPECT_EQ(0, p[0].answers);
	EXPECT_EQ(&self->responders[0], p[1].responder);
	EXPECT_EQ(77, p[1].answers);
	EXPECT_EQ(2, histogram_count(p[1].polls.times));
	EXPECT_EQ(3, p[0].polls.times->max_ns);
	expect_side(SIDE(21, 2010, TIMES(109, 2000)), flow[0].tx);
	expect_side(SIDE(3 + 13 + 4 + 14, 500 + 510 + 501 + 511, TIMES(208, 2601)), flow[0].rx);
	expect_side(SIDE(12, 1020, TIMES(108, 3000)), flow[1].tx);
	expect_side(SIDE(5, 502, TIMES(206, 3600)), flow[1].rx);
	EXPECT_EQ(&self->flows[1], flow[1].flow);
	EXPECT_EQ(601, flow[0].make_cycles);
	EXPECT_EQ(801, flow[0].send_cycles);
	EXPECT_EQ(402, flow[1].send_cycles);
	expect_side(SIDE(33, 3030, TIMES(108, 3000)), self->f.tx);
	expect_side(SIDE(39, 2524, TIMES(206, 3600)), self->f.rx);
}

/* A pause of 100 s after 2 s of the run: the time of day goes on, the time of the run does not. */
TEST_F(figures_read, times_of_day_have_the_pauses_of_the_run)
{
	enum { S = 1000000000 };
	struct utc_span spans[] = { { { 0, 10ull * S }, { 2ull * S, 12ull * S } },
				    { { 2ull * S, 112ull * S }, { 5ull * S, 115ull * S } } };
	const struct figures_flow *flow = self->f.flows;

	self->r.utc = (struct utc_clock){ spans, 2 };
	figures_read(&self->f, &self->r, true);
	EXPECT_EQ(10109000000, flow[0].tx.first_utc_ns);
	EXPECT_EQ(112000000000, flow[0].tx.last_utc_ns);
	EXPECT_EQ(10208000000, flow[0].rx.first_utc_ns);
	EXPECT_EQ(112601000000, flow[0].rx.last_utc_ns);
	EXPECT_EQ(10206000000, self->f.rx.first_utc_ns);
	EXPECT_EQ(113600000000, self->f.rx.last_utc_ns);
	EXPECT_EQ(0, self->f.step_ns);
	spans[1].end.utc_ns += 7ull * S;
	figures_read(&self->f, &self->r, true);
	EXPECT_EQ(7ll * S, self->f.step_ns);
	EXPECT_EQ(112000000000, flow[0].tx.last_utc_ns);
	figures_read(&self->f, &self->r, false);
	EXPECT_EQ(0, self->f.step_ns);
	EXPECT_EQ(0, flow[0].tx.last_utc_ns);
}

TEST_F(figures_read, a_stream_without_packets_has_no_times)
{
	self->streams[1].tx.sent = 0;
	self->streams[1].tx.bytes = 0;
	self->streams[1].tx.first = 0;
	self->streams[1].tx.last = 0;
	figures_read(&self->f, &self->r, true);
	expect_side(SIDE(10, 1000, TIMES(110, 1000)), self->f.flows[0].tx);
}

TEST_F(figures_read, flows_have_accounts_and_times_at_the_end)
{
	const struct figures_flow *flow = self->f.flows;

	figures_read(&self->f, &self->r, true);
	/* Each of two streams in two queues: 4 of its packets arrived, 2 of them twice. */
	EXPECT_EQ(21, flow[0].account.sent);
	EXPECT_EQ(12, flow[0].account.received);
	EXPECT_EQ(13, flow[0].account.lost);
	EXPECT_EQ(4, flow[0].account.duplicated);
	EXPECT_EQ(3, flow[1].account.received);
	EXPECT_EQ(33, self->f.account.sent);
	EXPECT_EQ(15, self->f.account.received);
	EXPECT_EQ(4, histogram_count(flow[0].latency.times));
	EXPECT_EQ(1000, flow[0].latency.times->min_ns);
	EXPECT_EQ(1101, flow[0].latency.times->max_ns);
	EXPECT_EQ(4, histogram_count(flow[0].jitter.times));
	EXPECT_EQ(11, flow[0].jitter.times->max_ns);
	EXPECT_EQ(1200, flow[1].latency.times->min_ns);
	EXPECT_EQ(12, flow[1].jitter.times->min_ns);
	EXPECT_EQ(NULL, flow[0].gaps.times);
	EXPECT_EQ(NULL, flow[0].late.times);
	EXPECT_EQ(5.0, flow[0].offered_rate);
	EXPECT_EQ(10.0, flow[1].offered_rate);
}

TEST_F(figures_read, all_flows_have_the_times_of_each_queue_once)
{
	/* The times of streams that share a histogram are not counted for each of them. */
	self->rx[0].streams[1].latency.to = self->rx[0].streams[0].latency.to;
	figures_read(&self->f, &self->r, true);
	figures_read(&self->f, &self->r, true);
	EXPECT_EQ(5, histogram_count(self->f.latency.times));
	EXPECT_EQ(5, histogram_count(self->f.jitter.times));
	EXPECT_EQ(1000, self->f.latency.times->min_ns);
	EXPECT_EQ(1200, self->f.latency.times->max_ns);
	EXPECT_EQ(12, self->f.jitter.times->max_ns);
	figures_read(&self->f, &self->r, false);
	EXPECT_EQ(NULL, self->f.latency.times);
	EXPECT_EQ(NULL, self->f.jitter.times);
}

/* Streams beyond LATENCY_MAX_PARTS share their times: a flow counts these once. */
TEST_F(figures_read, a_flow_counts_shared_times_once)
{
	struct rx *rx = &self->rx[0];

	rx->streams[1].latency.to = rx->streams[0].latency.to;
	figures_read(&self->f, &self->r, true);
	EXPECT_EQ(3, histogram_count(self->f.flows[0].latency.times));
	EXPECT_EQ(3, histogram_count(self->f.flows[0].jitter.times));
}

TEST_F(figures_read, a_port_has_the_gaps_of_all_its_queues)
{
	struct tx_queue queues[3] = { { .port = 5 }, { .port = 5, .queue = 1 }, { .port = 7 } };

	for (unsigned i = 0; i < 2; i++) {
		ASSERT_EQ(0, histogram_init(&queues[i].gaps.times, 2, 1000));
		histogram_record(&queues[i].gaps.times, 30 + i);
	}
	self->r.queues = queues;
	self->r.n_queues = 3;
	figures_read(&self->f, &self->r, false);
	EXPECT_EQ(NULL, self->f.ports[0].gaps.times);
	figures_read(&self->f, &self->r, true);
	figures_read(&self->f, &self->r, true);
	EXPECT_EQ(2, histogram_count(self->f.ports[0].gaps.times));
	EXPECT_EQ(31, self->f.ports[0].gaps.times->max_ns);
	EXPECT_EQ(NULL, self->f.ports[1].gaps.times);
	for (unsigned i = 0; i < 2; i++)
		histogram_free(&queues[i].gaps.times);
}

TEST_F(figures_read, a_run_in_progress_has_packets_and_bytes_only)
{
	const struct figures_flow *flow = self->f.flows;

	figures_read(&self->f, &self->r, true);
	figures_read(&self->f, &self->r, false);
	EXPECT_FALSE(self->f.is_final);
	expect_side(SIDE(21, 2010), flow[0].tx);
	expect_side(SIDE(34, 2022), flow[0].rx);
	expect_side(SIDE(201, 14001), self->f.ports[1].rx);
	EXPECT_EQ(91, self->f.ports[1].queues[1].expected);
	EXPECT_EQ(0, self->f.ports[1].queues[1].verify_cycles);
	EXPECT_EQ(0, self->f.ports[1].unstamped + self->f.ports[1].negative);
	EXPECT_EQ(NULL, self->f.ports[1].polls.times);
	EXPECT_EQ(0, flow[0].account.sent);
	EXPECT_EQ(0, flow[0].make_cycles);
	EXPECT_EQ(NULL, flow[0].latency.times);
}

TEST_F(figures_read, the_offered_rate_follows_a_ramp_after_a_delay)
{
	struct job_flow *flow = &self->flows[0];

	/* From 1 to 5 packets per second in 4 s, from second 2 on; the clock says 5 s. */
	flow->ramp_from = (struct rate){ RATE_PACKETS, RATE_MICRO };
	flow->ramp_ns = 4000000000;
	flow->delay_ns = 2000000000;
	figures_read(&self->f, &self->r, false);
	EXPECT_EQ(4.0, self->f.flows[0].offered_rate);
	figures_read(&self->f, &self->r, true);
	EXPECT_EQ(2.0, self->f.flows[0].offered_rate); /* mean of the 2 s that it was sent for */
	flow->burst_packets = 1;
	figures_read(&self->f, &self->r, true);
	EXPECT_EQ(0.0, self->f.flows[0].offered_rate);
}

TEST_F(figures_read, the_port_tells_its_pauses_links_and_clock)
{
	struct port *port = &self->r.ports.port[1];
	struct figures_port *p = &self->f.ports[1];

	port->base_pauses = 100;
	port->last_pauses = 130;
	port->stamps.clock.error = 5;
	port->events.at[0] = (struct port_event){ PORT_LINK_DOWN, END - 250, true };
	port->events.n = 1;
	figures_read(&self->f, &self->r, true);
	EXPECT_EQ(30, p->pauses);
	EXPECT_EQ(1, p->n_down);
	EXPECT_EQ(0.25, p->down_s);
	EXPECT_EQ(5000000, p->stamp_error_ns);
	port->last_pauses = 99; /* the port was removed */
	figures_read(&self->f, &self->r, true);
	EXPECT_EQ(0, p->pauses);
	port->last_pauses = 130;
	figures_read(&self->f, &self->r, false);
	EXPECT_EQ(0, p->pauses);
}

TEST_F(figures_read, a_queue_of_another_flow_gives_no_times)
{
	histogram_free(&self->rx[1].streams[0].latency.to->time);
	self->streams[2].tx.gaps = (struct histogram){ 0 };
	ASSERT_EQ(0, histogram_init(&self->streams[2].tx.gaps, 2, 1000));
	ASSERT_EQ(0, histogram_init(&self->streams[2].tx.late, 2, 1000));
	histogram_record(&self->streams[2].tx.gaps, 5);
	histogram_record(&self->streams[2].tx.late, 6);
	figures_read(&self->f, &self->r, true);
	EXPECT_EQ(3, histogram_count(self->f.flows[0].latency.times));
	EXPECT_EQ(5, self->f.flows[1].gaps.times->max_ns);
	EXPECT_EQ(6, self->f.flows[1].late.times->max_ns);
	EXPECT_EQ(NULL, self->f.flows[0].gaps.times);
	histogram_free(&self->streams[2].tx.gaps);
	histogram_free(&self->streams[2].tx.late);
}
