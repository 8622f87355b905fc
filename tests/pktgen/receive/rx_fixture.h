/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PKTGEN_RX_FIXTURE_H
#define TESTS_PKTGEN_RX_FIXTURE_H

#include <string.h>

#include <rte_ethdev.h>

#include "base/clock.h"
#include "receive/rx.h"

#include "ct.h"

/* A tick of the clock is 1 us. The clock of the run began at START. */
enum { HZ = 1000000, START = 1000, N_MBUFS = 700, STAMP_FLAG = 8, RUN = 77 };

static uint64_t clock_now; /* each read moves the clock by a tick */

static inline uint64_t read_clock(void)
{
	return clock_now++;
}

/* A receive queue of ethdev that gives the waiting frames, in bursts. */
struct wire {
	struct rte_mbuf *frames[N_MBUFS];
	unsigned n, given;
};

static struct rte_mbuf mbufs[N_MBUFS];
static uint8_t bytes[N_MBUFS][128];
static struct wire wire;

static inline uint16_t give_burst(void *queue, struct rte_mbuf **burst, uint16_t n)
{
	struct wire *w = queue;
	uint16_t given = 0;

	while (given < n && w->given < w->n)
		burst[given++] = w->frames[w->given++];
	return given;
}

extern bool is_request; /* whether the responder takes frames */

/* Two ports' queues: streams 0 and 1 go to this one, and stream 2 to another port. */
FIXTURE(rx)
{
	struct stack stack;
	struct size size;
	struct flow flows[3];
	struct tx tx[3];
	struct epochs epochs[3];
	const struct tx *all[3];
	struct run_clock clock;
	struct port_stamps stamps;
	struct responder responder;
	struct rx rx;
};
FIXTURE_SETUP(rx)
{
	static const uint8_t src[6] = { 2, 0, 0, 0, 0, 1 }, dst[6] = { 2, 0, 0, 0, 0, 2 };
	static const struct clock_source source = { .hz = HZ, .read = read_clock };
	static void *queues[] = { &wire }, *callbacks[] = { NULL };

	rte_eth_fp_ops[0].rx_pkt_burst = give_burst;
	rte_eth_fp_ops[0].rxq.data = queues;
	rte_eth_fp_ops[0].rxq.clbk = callbacks;
	pktgen_clock_source = &source;
	clock_now = START;
	wire.n = wire.given = 0;
	is_request = false;
	size_set_fixed(&self->size, 64);
	ASSERT_EQ(NULL, stack_parse(&self->stack, PKTGEN_DEFAULT_PACKET));
	stack_set_macs(&self->stack, src, dst);
	for (unsigned i = 0; i < 3; i++) {
		ASSERT_EQ(0, flow_init(&self->flows[i], RUN, i, &self->stack, &self->size, 0, 1));
		self->tx[i] = (struct tx){
			.id = i, .flow = &self->flows[i], .epochs = &self->epochs[i], .given = 1000
		};
		self->all[i] = &self->tx[i];
	}
	self->clock = (struct run_clock){ START, HZ, (1000000000ull << 32) / HZ };
	self->rx = (struct rx){ .clock = &self->clock,
				.stamps = &self->stamps,
				.all = self->all,
				.n_all = 3,
				.run = RUN };
	ASSERT_EQ(0, rx_init(&self->rx, self->all, 2));
}
FIXTURE_TEARDOWN(rx)
{
	pktgen_clock_source = NULL;
	rx_free(&self->rx);
	for (unsigned i = 0; i < 3; i++)
		flow_free(&self->flows[i]);
	stack_free(&self->stack);
}

/* Puts a frame on the wire. Two references: its free does not need a pool. */
static inline struct rte_mbuf *put_bytes(const uint8_t *frame, unsigned n_bytes)
{
	struct rte_mbuf *m = &mbufs[wire.n];

	memcpy(bytes[wire.n], frame, n_bytes);
	*m = (struct rte_mbuf){ .buf_addr = bytes[wire.n],
				.nb_segs = 1,
				.refcnt = 2,
				.pkt_len = n_bytes,
				.data_len = (uint16_t)n_bytes };
	wire.frames[wire.n++] = m;
	return m;
}

/* Puts frame @seq of a stream, made at @made_ns, on the wire. */
static inline struct rte_mbuf *put_frame(struct ct_fix_rx *self, unsigned stream, uint64_t seq,
					 uint32_t made_ns)
{
	uint8_t frame[128];

	flow_write_frame(&self->flows[stream], seq, 60, made_ns, frame);
	return put_bytes(frame, 60);
}

#endif
