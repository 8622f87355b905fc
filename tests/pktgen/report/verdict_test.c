/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/verdict.h"

#include "ct.h"

enum { HZ = 1000 }; /* a tick of the clock is 1 ms */

/* Two ports; three streams of two flows with 100 packets each, which are sent and arrive. */
FIXTURE(verdict)
{
	struct options o;
	struct job_flow job_flows[2];
	struct stream streams[3];
	struct run r;
	struct figures_queue queues[2];
	struct figures_port ports[2];
	struct figures_flow flows[2];
	struct figures f;
};
FIXTURE_SETUP(verdict)
{
	self->r = (struct run){ .o = &self->o,
				.streams = self->streams,
				.n_streams = 3,
				.clock.hz = HZ,
				.job = { .n_flows = 2, .flows = self->job_flows } };
	self->f = (struct figures){ .is_final = true,
				    .n_ports = 2,
				    .n_flows = 2,
				    .ports = self->ports,
				    .flows = self->flows };
	for (unsigned i = 0; i < 2; i++) {
		self->job_flows[i].count = 100;
		self->ports[i] = (struct figures_port){ .port = &self->r.ports.port[i],
							.queues = &self->queues[i],
							.n_queues = 1 };
		self->flows[i] = (struct figures_flow){ .flow = &self->job_flows[i],
							.rx.packets = 100,
							.account = { 100, 100, 0, 0, 0, 0, 0, 0 } };
	}
	self->ports[0].tx.packets = 200;
	self->queues[1] =
		(struct figures_queue){ .rx.packets = 200, .expected = 200, .of_streams = 200 };
	self->f.tx.packets = 200;
	self->f.account = (struct account){ .sent = 200, .received = 200 };
	for (unsigned i = 0; i < 3; i++)
		self->streams[i].from = &self->r.ports.port[0];
}

FIXTURE_TEARDOWN(verdict)
{
	(void)self;
}

/* Lets stream @i send 64-byte frames for @ms, from TSC 5000 on, at a rate of 1000 @unit. */
static void send_stream(struct ct_fix_verdict *self, unsigned i, enum rate_unit unit, uint64_t sent,
			uint64_t ms)
{
	const struct rate rate = { unit, 1000ull * RATE_MICRO };
	struct tx *tx = &self->streams[i].tx;

	bucket_init(&tx->bucket, &rate, 10, 64, HZ, 0);
	tx->begin = 5000;
	pace_begin(&tx->pace, 5000);
	tx->end = 5000 + ms;
	tx->sent = sent;
	tx->bytes = sent * 64;
}

static void expect_failure(struct ct_fix_verdict *self, const char *reason)
{
	const struct verdict v = verdict_make(&self->r, &self->f);

	EXPECT_FALSE(v.passed);
	EXPECT_EQ(PKTGEN_NOT_MET, v.status);
	EXPECT_STREQ(reason, v.reason);
}

static void expect_success(struct ct_fix_verdict *self)
{
	const struct verdict v = verdict_make(&self->r, &self->f);

	EXPECT_TRUE(v.passed);
	EXPECT_EQ(PKTGEN_MET, v.status);
	EXPECT_STREQ("", v.reason);
	EXPECT_EQ(100.0, v.rate_percent);
}

TEST_F(verdict, a_run_without_faults_passes)
{
	expect_success(self);
}

TEST_F(verdict, each_fault_of_the_account_fails_without_words)
{
	uint64_t *const faults[] = { &self->f.account.lost, &self->f.account.duplicated,
				     &self->f.account.reordered, &self->f.account.corrupted };

	for (unsigned i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		SCOPED_TRACE("fault %u", i);
		*faults[i] = 1;
		expect_failure(self, "");
		*faults[i] = 0;
	}
	expect_success(self);
}

/* Each reason hides those after it, so this adds them from the last to the first. */
TEST_F(verdict, the_first_of_several_reasons_counts)
{
	struct verdict v;

	self->f.account.lost = 1;
	send_stream(self, 1, RATE_PACKETS, 98, 100);
	expect_failure(self, "the rate was 98.0% of the requested rate (valid: at least 99%); the "
			     "CPU is too slow: the port had room for frames");
	self->f.account.sent = 0;
	self->job_flows[0].count = self->job_flows[1].count = 0;
	expect_failure(self, "no packet was sent");
	self->f.account.sent = 7;
	self->job_flows[0].count = 2000;
	self->job_flows[1].count = 3;
	expect_failure(self, "only 7 of 2,003 packets were sent");
	self->f.account.untracked = 1;
	expect_failure(self, "the counters are incomplete: no memory to track every packet");
	self->r.trouble = "the device of port 1 was removed";
	expect_failure(self, "the device of port 1 was removed");
	self->r.interrupted = true;
	v = verdict_make(&self->r, &self->f);
	EXPECT_FALSE(v.passed);
	EXPECT_EQ(PKTGEN_INTERRUPTED, v.status);
	EXPECT_STREQ("interrupted", v.reason);
	self->r.interrupted = false;
	self->ports[0].tx.packets = 201;
	expect_failure(self, "the numbers do not add up: all ports: packets of the flows, and of "
			     "the send queues: 200 and 201");
}

TEST_F(verdict, incomplete_counters_show_no_reason_of_a_loss)
{
	struct verdict v;

	self->flows[0].account.lost = 1;
	v = verdict_make(&self->r, &self->f);
	EXPECT_EQ(LOSS_NETWORK, v.loss_reason);
	self->f.account.untracked = self->flows[0].account.untracked = 1;
	v = verdict_make(&self->r, &self->f);
	EXPECT_EQ(LOSS_NONE, v.loss_reason);
	EXPECT_STREQ("the counters are incomplete: no memory to track every packet", v.reason);
}

TEST_F(verdict, a_flow_that_ends_by_its_time_has_no_number_to_reach)
{
	self->job_flows[0].count = 5000;
	self->job_flows[1].duration_ns = 1;
	expect_success(self);
	self->job_flows[1].duration_ns = 0;
	expect_failure(self, "only 200 of 5,100 packets were sent");
}

static const struct unit_case {
	const char *name;
	enum rate_unit unit;
	uint64_t sent, ms; /* exactly the rate */
} units[] = {
	{ "packets", RATE_PACKETS, 600, 600 },
	{ "bits_of_frames", RATE_BITS, 125, 64000 },
	{ "bits_of_the_line", RATE_LINE_BITS, 125, 84000 },
	{ "percent_of_10_mbps", RATE_LINE, 15625, 105 }, /* 1000 % */
};

TEST_EACH(verdict_rate, counts_100_percent_of, struct unit_case, units)
{
	struct ct_fix_verdict self = { 0 };
	struct verdict v;

	ct_setup_verdict(&self);
	send_stream(&self, 2, row->unit, row->sent, row->ms);
	EXPECT_TRUE(verdict_make(&self.r, &self.f).passed);
	send_stream(&self, 2, row->unit, row->sent / 5 * 4, row->ms);
	v = verdict_make(&self.r, &self.f);
	EXPECT_FALSE(v.passed);
	EXPECT_LE(79.999, v.rate_percent);
	EXPECT_GE(80.001, v.rate_percent);
}

TEST_F(verdict, the_slowest_stream_counts_and_its_port_tells_why)
{
	struct verdict v;

	self->streams[1].from = &self->r.ports.port[1];
	self->ports[1].pauses = 1234;
	self->ports[0].pauses = 5;
	self->r.n_samples = 100;
	self->r.n_blocked = 80;
	send_stream(self, 0, RATE_PACKETS, 900, 1000);
	send_stream(self, 1, RATE_PACKETS, 700, 1000);
	send_stream(self, 2, RATE_PACKETS, 800, 1000);
	v = verdict_make(&self->r, &self->f);
	EXPECT_EQ(70.0, v.rate_percent);
	EXPECT_EQ(RATE_REASON_PAUSE, v.rate_reason);
	EXPECT_STREQ("the rate was 70.0% of the requested rate (valid: at least 99%); the other "
		     "side is too slow: the port received 1,234 pause frames, and its ring was "
		     "full 80% of the time",
		     v.reason);
	send_stream(self, 0, RATE_PACKETS, 990, 1000);
	send_stream(self, 1, RATE_PACKETS, 1000, 1000);
	send_stream(self, 2, RATE_PACKETS, 991, 1000);
	v = verdict_make(&self->r, &self->f);
	EXPECT_TRUE(v.passed);
	EXPECT_EQ(99.0, v.rate_percent);
}

/* A stream that began after 300 of 1000 ms. */
TEST_F(verdict, a_rate_is_judged_from_the_first_packet_on)
{
	struct tx *tx = &self->streams[0].tx;

	send_stream(self, 0, RATE_PACKETS, 700, 1000);
	pace_begin(&tx->pace, 5300);
	expect_success(self);
	tx->sent = 350;
	EXPECT_EQ(50.0, verdict_make(&self->r, &self->f).rate_percent);
	/* It ended before its first packet. */
	tx->sent = 0;
	pace_begin(&tx->pace, 6000);
	expect_success(self);
	pace_begin(&tx->pace, 6001);
	expect_success(self);
	pace_begin(&tx->pace, 5999);
	EXPECT_EQ(0.0, verdict_make(&self->r, &self->f).rate_percent);
}

TEST_F(verdict, a_rate_is_judged_from_100_ms_on_and_without_bursts)
{
	struct tx *tx = &self->streams[0].tx;

	send_stream(self, 0, RATE_PACKETS, 1, 99);
	EXPECT_FALSE(verdict_is_rate_judged(&self->r, tx));
	EXPECT_EQ(0.099, verdict_compute_seconds(&self->r, tx));
	expect_success(self);
	tx->end++;
	EXPECT_TRUE(verdict_is_rate_judged(&self->r, tx));
	EXPECT_FALSE(verdict_make(&self->r, &self->f).passed);
	tx->pace.packets = 1;
	EXPECT_FALSE(verdict_is_rate_judged(&self->r, tx));
	expect_success(self);
	send_stream(self, 0, RATE_MAX, 1, 1000);
	tx->pace.packets = 0;
	EXPECT_FALSE(verdict_is_rate_judged(&self->r, tx));
	tx->end = 0; /* it never ended */
	EXPECT_EQ(0.0, verdict_compute_seconds(&self->r, tx));
}
