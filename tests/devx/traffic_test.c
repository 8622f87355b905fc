/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "ct.h"
#include "needs_emu.h"
#include "devx_rig.h"

/* Packets through raw lib/devx: needs a wire that brings back what we send to ourselves. */
FIXTURE(traffic) {
	struct stack s;
};

FIXTURE_SETUP(traffic)
{
	ASSERT_EQ(0, stack_up(&self->s));
	stack_post_recv(&self->s, 1 << STACK_LOG2_RQ);
}

FIXTURE_TEARDOWN(traffic)
{
	stack_down(&self->s);
}

/* Send frame @seq and wait for the completion of its WQE. */
static void send_one(struct stack *s, uint32_t seq, unsigned bytes)
{
	const uint16_t index = s->sq.pi;
	uint8_t *slot = stack_send_slot(s, seq);
	const struct prm_cqe *cqe;

	stack_frame(s, slot, seq, bytes);
	devx_sq_ring(&s->sq, stack_post_send(s, slot, bytes, s->mr.lkey));
	cqe = stack_wait(&s->send_cq);
	ASSERT_TRUE(cqe);
	EXPECT_EQ(PRM_CQE_REQ, prm_cqe_opcode(cqe->op_own));
	EXPECT_EQ(index, prm_be16_get(cqe->wqe_counter));
	stack_drop(&s->send_cq);
}

/* Wait for frame @seq, in the WQE whose turn it is, and give the buffer back. */
static void recv_one(struct stack *s, uint32_t turn, uint32_t seq, unsigned bytes)
{
	const struct prm_cqe *cqe = stack_wait(&s->recv_cq);

	ASSERT_TRUE(cqe);
	EXPECT_EQ(PRM_CQE_RESP_SEND, prm_cqe_opcode(cqe->op_own));
	EXPECT_EQ((uint16_t)turn, prm_be16_get(cqe->wqe_counter));
	EXPECT_EQ(bytes, prm_be32_get(cqe->byte_cnt));
	EXPECT_EQ(seq, stack_frame_seq(s, stack_recv_slot(s, turn), prm_be32_get(cqe->byte_cnt)));
	stack_drop(&s->recv_cq);
	stack_post_recv(s, s->rq.pi + 1);
}

TEST_F(traffic, packet_sent_is_packet_received)
{
	send_one(&self->s, 7, 64);
	recv_one(&self->s, 0, 7, 64);
	EXPECT_EQ(NULL, devx_cq_peek(&self->s.recv_cq));
	EXPECT_EQ(NULL, devx_cq_peek(&self->s.send_cq));
}

static const struct size { const char *name; unsigned bytes; } sizes[] = {
	{ "60", 60 }, { "65", 65 }, { "1514", 1514 },
};

TEST_F_EACH(traffic, every_byte_arrives, struct size, sizes)
{
	send_one(&self->s, 0x1234, row->bytes);
	recv_one(&self->s, 0, 0x1234, row->bytes);
}

TEST_F(traffic, three_laps_of_every_queue)
{
	for (uint32_t n = 0; n < 3u << STACK_LOG2_CQ; n++) {
		SCOPED_TRACE("packet %u", n);
		send_one(&self->s, n, 64 + n);
		recv_one(&self->s, n, n, 64 + n);
	}
	EXPECT_EQ(3u << STACK_LOG2_CQ, self->s.send_cq.ci);
}

/* Send as many frames as there are buffers with one doorbell, and wait for all. */
static void burst(struct stack *s, uint32_t seq)
{
	enum { BURST = 1 << STACK_LOG2_RQ };
	struct prm_ctrl_seg *last = NULL;

	for (uint32_t n = seq; n < seq + BURST; n++) {
		stack_frame(s, stack_send_slot(s, n), n, 100);
		last = stack_post_send(s, stack_send_slot(s, n), 100, s->mr.lkey);
	}
	devx_sq_ring(&s->sq, last);
	for (uint32_t n = seq; n < seq + BURST; n++) {
		SCOPED_TRACE("packet %u", n);
		ASSERT_TRUE(stack_wait(&s->send_cq));
		stack_drop(&s->send_cq);
		recv_one(s, n, n, 100);
	}
}

TEST_F(traffic, one_doorbell_for_many)
{
	burst(&self->s, 0);
}

TEST_F(traffic, counters_run_past_16_bits)
{
	enum { PACKETS = 0x10000 + (1 << STACK_LOG2_RQ) };

	for (uint32_t n = 0; n < PACKETS && self->s.send_cq.ci == n; n += 1 << STACK_LOG2_RQ)
		burst(&self->s, n);
	EXPECT_EQ(PACKETS, self->s.send_cq.ci);
	EXPECT_EQ(1 << STACK_LOG2_RQ, self->s.sq.pi);
}

TEST_F(traffic, without_a_buffer_packets_are_counted_as_lost)
{
	enum { LOST = 5, BUFFERS = 1 << STACK_LOG2_RQ };
	uint32_t out_of_buffer = 0;

	for (uint32_t n = 0; n < BUFFERS + LOST; n++)
		send_one(&self->s, n, 64);
	for (uint32_t n = 0; n < BUFFERS; n++) {
		ASSERT_TRUE(stack_wait(&self->s.recv_cq));
		stack_drop(&self->s.recv_cq);
	}
	EXPECT_EQ(NULL, devx_cq_peek(&self->s.recv_cq));
	ASSERT_EQ(0, devx_counter_read(&self->s.counter, &out_of_buffer));
	EXPECT_EQ(LOST, out_of_buffer);
	stack_post_recv(&self->s, self->s.rq.pi + 1);
	send_one(&self->s, 99, 64);
	recv_one(&self->s, BUFFERS, 99, 64);
}

TEST_F(traffic, port_counts_what_passes)
{
	struct devx_port_counters before, after;

	ASSERT_EQ(0, devx_port_read_counters(&self->s.dev, &before));
	send_one(&self->s, 1, 100);
	recv_one(&self->s, 0, 1, 100);
	ASSERT_EQ(0, devx_port_read_counters(&self->s.dev, &after));
	EXPECT_EQ(before.tx_unicast.packets + 1, after.tx_unicast.packets);
	EXPECT_EQ(before.tx_unicast.bytes + 100, after.tx_unicast.bytes);
	EXPECT_EQ(before.rx_unicast.packets + 1, after.rx_unicast.packets);
	EXPECT_EQ(before.rx_unicast.bytes + 100, after.rx_unicast.bytes);
}

/* Both directions of recovery, without an error before: state RDY -> RST -> RDY. */
TEST_F(traffic, goes_on_after_a_reset_of_both_queues)
{
	struct stack *s = &self->s;

	for (uint32_t n = 0; n < 5; n++) {
		send_one(s, n, 64);
		recv_one(s, n, n, 64);
	}
	ASSERT_EQ(0, devx_sq_reset(&s->sq));
	EXPECT_EQ(0, s->sq.pi);
	EXPECT_EQ(0, prm_be32_get(s->sq.dbrec[PRM_DBR_SND]));
	ASSERT_EQ(0, devx_rq_reset(&s->rq));
	EXPECT_EQ(0, s->rq.pi);
	EXPECT_EQ(0, prm_be32_get(s->rq.dbrec[PRM_DBR_RCV]));
	ASSERT_EQ(0, devx_sq_ready(&s->sq));
	ASSERT_EQ(0, devx_rq_ready(&s->rq));
	stack_post_recv(s, 1 << STACK_LOG2_RQ);
	for (uint32_t n = 0; n < 40; n++) {
		SCOPED_TRACE("packet %u after the reset", n);
		send_one(s, n, 64);
		recv_one(s, n, n, 64);
	}
}

/* Buffers of before the reset are the driver's again: the device may not write there. */
TEST_F(traffic, buffers_posted_before_a_reset_are_forgotten)
{
	struct stack *s = &self->s;
	uint32_t out_of_buffer = 0;

	ASSERT_EQ(0, devx_rq_reset(&s->rq));
	ASSERT_EQ(0, devx_rq_ready(&s->rq));
	send_one(s, 3, 64);
	ASSERT_EQ(0, devx_counter_read(&s->counter, &out_of_buffer));
	EXPECT_EQ(1, out_of_buffer);
	EXPECT_EQ(NULL, devx_cq_peek(&s->recv_cq));
	EXPECT_EQ(UINT32_MAX, stack_frame_seq(s, stack_recv_slot(s, 0), 64));
}

/* The device has an error by itself: flushed, in ERR, and ready again after a reset. */
TEST_F(traffic, queues_in_error_are_recovered)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct stack *s = &self->s;
	enum devx_wq_state state = DEVX_WQ_RDY;

	NEEDS_EMU("to break queues");
	ASSERT_EQ(0, emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, s->sq.sqn));
	ASSERT_EQ(0, emu->inject(0, DEVX_EMU_INJECT_RQ_ERROR, s->rq.rqn));
	ASSERT_EQ(0, devx_sq_query_state(&s->sq, &state));
	EXPECT_EQ(DEVX_WQ_ERR, state);
	ASSERT_EQ(0, devx_rq_query_state(&s->rq, &state));
	EXPECT_EQ(DEVX_WQ_ERR, state);
	ASSERT_EQ(0, devx_sq_reset(&s->sq));
	ASSERT_EQ(0, devx_rq_reset(&s->rq));
	while (devx_cq_peek(&s->recv_cq))
		stack_drop(&s->recv_cq); /* what was posted came back flushed */
	while (devx_cq_peek(&s->send_cq))
		stack_drop(&s->send_cq);
	ASSERT_EQ(0, devx_sq_ready(&s->sq));
	ASSERT_EQ(0, devx_rq_ready(&s->rq));
	stack_post_recv(s, 1 << STACK_LOG2_RQ);
	for (uint32_t n = 0; n < 40; n++) {
		SCOPED_TRACE("packet %u after the error", n);
		send_one(s, n, 64);
		recv_one(s, n, n, 64);
	}
}
