/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/figures.h"

#include <ct.h>

/* Figures of two ports and a flow between them, which add up: 10 sent, 2 lost, 1 duplicated. */
struct sample {
	struct port port[2];
	struct figures_queue queue[2];
	struct figures_port ports[2];
	struct job_flow job_flow;
	struct figures_flow flow;
	struct figures figures;
};

static void make_sample(struct sample *s)
{
	*s = (struct sample){ .job_flow = { .name = "flow 0", .rx = 1 } };
	for (unsigned i = 0; i < 2; i++) {
		s->port[i].id = (uint16_t)i;
		s->ports[i] = (struct figures_port){ .port = &s->port[i],
						     .queues = &s->queue[i],
						     .n_queues = 1 };
	}
	s->queue[0].tx.packets = 10;
	s->ports[0].tx.packets = 10;
	s->ports[0].stats.opackets = 10;
	s->queue[1].rx.packets = 17;
	s->queue[1].expected = 9;
	s->queue[1].of_streams = 9;
	s->queue[1].unknown = 1;
	s->queue[1].other_run = 1;
	s->queue[1].requests = 1;
	s->queue[1].misdirected = 2;
	s->queue[1].unsent = 1;
	s->queue[1].fragments = 2;
	s->ports[1].rx.packets = 17;
	s->ports[1].stats.ipackets = 17;
	s->flow.flow = &s->job_flow;
	s->flow.tx.packets = 10;
	s->flow.rx.packets = 9;
	s->flow.account = (struct account){ .sent = 10, .received = 9, .lost = 2, .duplicated = 1 };
	s->figures = (struct figures){
		.is_final = true, .n_ports = 2, .n_flows = 1, .ports = s->ports, .flows = &s->flow
	};
	s->figures.tx.packets = 10;
	s->figures.rx.packets = 9;
}

TEST(figures_check, accepts_numbers_that_add_up)
{
	char text[FIGURES_TEXT_BYTES];
	struct sample s;

	make_sample(&s);
	EXPECT_EQ(SUM_NONE, figures_check(&s.figures, false, text));
	s.flow.account.untracked = 4;
	s.flow.account.duplicated = 0;
	s.flow.account.lost = 5;
	EXPECT_EQ(SUM_NONE, figures_check(&s.figures, false, text));
}

TEST(figures_check, names_the_sum_that_differs)
{
	char text[FIGURES_TEXT_BYTES];
	struct sample s;

	make_sample(&s);
	s.flow.account.lost = 3;
	EXPECT_EQ(SUM_FLOW, figures_check(&s.figures, false, text));
	EXPECT_STREQ("flow 0: received, and sent - lost + duplicated: 9 and 8", text);
	make_sample(&s);
	s.flow.rx.packets = 8;
	EXPECT_EQ(SUM_STREAMS, figures_check(&s.figures, false, text));
	EXPECT_STREQ("flow 0: received packets of the account, and of the receive queues: 9 and 8",
		     text);
	make_sample(&s);
	s.queue[1].of_streams = 10;
	EXPECT_EQ(SUM_STREAMS, figures_check(&s.figures, false, text));
	EXPECT_STREQ("port 1, receive queue 0: packets of flows, and the sum of the flows: "
		     "9 and 10",
		     text);
	make_sample(&s);
	s.queue[1].requests = 0;
	EXPECT_EQ(SUM_QUEUE, figures_check(&s.figures, false, text));
	make_sample(&s);
	s.queue[1].other_run = 0;
	EXPECT_EQ(SUM_QUEUE, figures_check(&s.figures, false, text));
	make_sample(&s);
	s.queue[1].unsent = 0;
	EXPECT_EQ(SUM_QUEUE, figures_check(&s.figures, false, text));
	make_sample(&s);
	s.queue[1].fragments = 0;
	EXPECT_EQ(SUM_QUEUE, figures_check(&s.figures, false, text));
	make_sample(&s);
	s.queue[1].misdirected = 3;
	EXPECT_EQ(SUM_QUEUE, figures_check(&s.figures, false, text));
	EXPECT_STREQ("port 1, receive queue 0: received packets, and those of flows + unknown + "
		     "requests + misdirected + other run + unsent + fragments: 17 and 18",
		     text);
	make_sample(&s);
	s.ports[0].tx.packets = 11;
	EXPECT_EQ(SUM_SENT, figures_check(&s.figures, false, text));
	make_sample(&s);
	s.ports[1].tx.packets = 2;
	EXPECT_EQ(SUM_SENT, figures_check(&s.figures, false, text));
	EXPECT_STREQ("all ports: packets of the flows, and of the send queues: 10 and 12", text);
}

TEST(figures_check, expects_no_account_of_a_run_that_receives_nothing)
{
	char text[FIGURES_TEXT_BYTES];
	struct sample s;

	make_sample(&s);
	s.flow.account = (struct account){ .sent = 10 };
	s.flow.rx.packets = 0;
	s.queue[1] = (struct figures_queue){ 0 };
	EXPECT_EQ(SUM_NONE, figures_check(&s.figures, true, text));
	EXPECT_EQ(SUM_FLOW, figures_check(&s.figures, false, text));
}

TEST(figures_get_clock, tells_p99_of_the_polls_or_the_error_of_the_device)
{
	struct port port = { .stamps.on = false };
	struct figures_port p = {
		.port = &port, .stamp_error_ns = 70, .unstamped = 3, .negative = 5
	};
	struct receive_clock clock;
	struct histogram polls;

	EXPECT_FALSE(figures_get_clock(&p, &clock));
	ASSERT_EQ(0, histogram_init(&polls, 2, 1000000));
	histogram_record_many(&polls, 100, 989);
	histogram_record_many(&polls, 120, 6);
	histogram_record_many(&polls, 90000, 5);
	p.polls.times = &polls;
	EXPECT_TRUE(figures_get_clock(&p, &clock));
	EXPECT_FALSE(clock.is_device);
	EXPECT_EQ(120u, clock.error_ns);
	EXPECT_EQ(0u, clock.unstamped);
	port.stamps.on = true;
	EXPECT_TRUE(figures_get_clock(&p, &clock));
	EXPECT_TRUE(clock.is_device);
	EXPECT_EQ(70u, clock.error_ns);
	EXPECT_EQ(3u, clock.unstamped);
	EXPECT_EQ(5u, clock.negative);
	histogram_free(&polls);
}

TEST(figures_compare_port, tells_both_counts)
{
	char text[FIGURES_TEXT_BYTES];
	struct sample s;

	make_sample(&s);
	EXPECT_TRUE(figures_compare_port(&s.ports[0], false, text));
	EXPECT_TRUE(figures_compare_port(&s.ports[1], false, text));
	s.ports[1].stats.ipackets = 20;
	EXPECT_TRUE(figures_compare_port(&s.ports[1], true, text));
	EXPECT_FALSE(figures_compare_port(&s.ports[1], false, text));
	EXPECT_STREQ("port 1: received packets, as the port counts them and as devx-pktgen does: "
		     "20 and 17",
		     text);
	s.ports[0].stats.opackets = 9;
	EXPECT_FALSE(figures_compare_port(&s.ports[0], true, text));
}
