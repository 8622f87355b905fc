/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "ct.h"
#include "devx_rig.h"
#include "needs_emu.h"

/* Packets sent and received with lib/devx alone; needs a wire that returns every frame. */
FIXTURE(traffic)
{
	struct devx_rig rig;
};

FIXTURE_SETUP(traffic)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
	devx_rig_post_recv(&self->rig, 1 << DEVX_RIG_LOG2_RQ);
}

FIXTURE_TEARDOWN(traffic)
{
	devx_rig_down(&self->rig);
}

/* Sends frame @seq and waits for the completion of its WQE. */
static void send_one(struct devx_rig *rig, uint32_t seq, unsigned bytes)
{
	const uint16_t index = rig->sq.pi;
	uint8_t *slot = devx_rig_get_send_slot(rig, seq);
	const struct prm_cqe *cqe;

	devx_rig_write_frame(rig, slot, seq, bytes);
	devx_sq_ring(&rig->sq, devx_rig_post_send(rig, slot, bytes, rig->mr.lkey));
	cqe = devx_rig_wait_cqe(&rig->send_cq);
	ASSERT_TRUE(cqe);
	EXPECT_EQ(PRM_CQE_REQ, prm_cqe_opcode(cqe->op_own));
	EXPECT_EQ(index, prm_be16_get(cqe->wqe_counter));
	devx_rig_drop_cqe(&rig->send_cq);
}

/* Waits for frame @seq in receive WQE @turn, and posts one more buffer. */
static void recv_one(struct devx_rig *rig, uint32_t turn, uint32_t seq, unsigned bytes)
{
	const struct prm_cqe *cqe = devx_rig_wait_cqe(&rig->recv_cq);

	ASSERT_TRUE(cqe);
	EXPECT_EQ(PRM_CQE_RESP_SEND, prm_cqe_opcode(cqe->op_own));
	EXPECT_EQ((uint16_t)turn, prm_be16_get(cqe->wqe_counter));
	EXPECT_EQ(bytes, prm_be32_get(cqe->byte_cnt));
	EXPECT_EQ(seq, devx_rig_read_seq(rig, devx_rig_get_recv_slot(rig, turn),
					 prm_be32_get(cqe->byte_cnt)));
	devx_rig_drop_cqe(&rig->recv_cq);
	devx_rig_post_recv(rig, rig->rq.pi + 1);
}

TEST_F(traffic, a_sent_packet_is_received)
{
	send_one(&self->rig, 7, 64);
	recv_one(&self->rig, 0, 7, 64);
	EXPECT_EQ(NULL, devx_cq_peek(&self->rig.recv_cq));
	EXPECT_EQ(NULL, devx_cq_peek(&self->rig.send_cq));
}

static const struct size {
	const char *name;
	unsigned bytes;
} sizes[] = {
	{ "60", 60 },
	{ "65", 65 },
	{ "1514", 1514 },
};

TEST_F_EACH(traffic, every_byte_arrives, struct size, sizes)
{
	send_one(&self->rig, 0x1234, row->bytes);
	recv_one(&self->rig, 0, 0x1234, row->bytes);
}

TEST_F(traffic, queues_wrap_three_times)
{
	for (uint32_t n = 0; n < 3u << DEVX_RIG_LOG2_CQ; n++) {
		SCOPED_TRACE("packet %u", n);
		send_one(&self->rig, n, 64 + n);
		recv_one(&self->rig, n, n, 64 + n);
	}
	EXPECT_EQ(3u << DEVX_RIG_LOG2_CQ, self->rig.send_cq.ci);
}

/* Sends one frame per receive buffer with a single doorbell, and waits for all of them. */
static void exchange_burst(struct devx_rig *rig, uint32_t seq)
{
	enum { BURST = 1 << DEVX_RIG_LOG2_RQ };
	struct prm_ctrl_seg *last = NULL;

	for (uint32_t n = seq; n < seq + BURST; n++) {
		devx_rig_write_frame(rig, devx_rig_get_send_slot(rig, n), n, 100);
		last = devx_rig_post_send(rig, devx_rig_get_send_slot(rig, n), 100, rig->mr.lkey);
	}
	devx_sq_ring(&rig->sq, last);
	for (uint32_t n = seq; n < seq + BURST; n++) {
		SCOPED_TRACE("packet %u", n);
		ASSERT_TRUE(devx_rig_wait_cqe(&rig->send_cq));
		devx_rig_drop_cqe(&rig->send_cq);
		recv_one(rig, n, n, 100);
	}
}

TEST_F(traffic, one_doorbell_sends_many_frames)
{
	exchange_burst(&self->rig, 0);
}

TEST_F(traffic, counters_run_past_16_bits)
{
	enum { PACKETS = 0x10000 + (1 << DEVX_RIG_LOG2_RQ) };

	for (uint32_t n = 0; n < PACKETS && self->rig.send_cq.ci == n; n += 1 << DEVX_RIG_LOG2_RQ)
		exchange_burst(&self->rig, n);
	EXPECT_EQ(PACKETS, self->rig.send_cq.ci);
	EXPECT_EQ(1 << DEVX_RIG_LOG2_RQ, self->rig.sq.pi);
}

TEST_F(traffic, packets_without_a_buffer_are_counted)
{
	enum { LOST = 5, BUFFERS = 1 << DEVX_RIG_LOG2_RQ };
	uint32_t out_of_buffer = 0;

	NEEDS_COUNTER(&self->rig);
	for (uint32_t n = 0; n < BUFFERS + LOST; n++)
		send_one(&self->rig, n, 64);
	for (uint32_t n = 0; n < BUFFERS; n++) {
		ASSERT_TRUE(devx_rig_wait_cqe(&self->rig.recv_cq));
		devx_rig_drop_cqe(&self->rig.recv_cq);
	}
	EXPECT_EQ(NULL, devx_cq_peek(&self->rig.recv_cq));
	ASSERT_EQ(0, devx_counter_read(&self->rig.counter, &out_of_buffer));
	EXPECT_EQ(LOST, out_of_buffer);
	devx_rig_post_recv(&self->rig, self->rig.rq.pi + 1);
	send_one(&self->rig, 99, 64);
	recv_one(&self->rig, BUFFERS, 99, 64);
}

TEST_F(traffic, port_counts_packets_and_bytes)
{
	struct devx_port_counters before, after;

	ASSERT_EQ(0, devx_port_read_counters(&self->rig.dev, &before));
	send_one(&self->rig, 1, 100);
	recv_one(&self->rig, 0, 1, 100);
	ASSERT_EQ(0, devx_port_read_counters(&self->rig.dev, &after));
	EXPECT_EQ(before.tx_unicast.packets + 1, after.tx_unicast.packets);
	EXPECT_EQ(before.tx_unicast.bytes + 100, after.tx_unicast.bytes);
	EXPECT_EQ(before.rx_unicast.packets + 1, after.rx_unicast.packets);
	EXPECT_EQ(before.rx_unicast.bytes + 100, after.rx_unicast.bytes);
}

/* Resets SQ and RQ without an error before: RDY -> RST -> RDY. */
TEST_F(traffic, packets_flow_after_a_reset_of_both_queues)
{
	struct devx_rig *rig = &self->rig;

	for (uint32_t n = 0; n < 5; n++) {
		send_one(rig, n, 64);
		recv_one(rig, n, n, 64);
	}
	ASSERT_EQ(0, devx_sq_reset(&rig->sq));
	EXPECT_EQ(0, rig->sq.pi);
	EXPECT_EQ(0, prm_be32_get(rig->sq.dbrec[PRM_DBR_SND]));
	ASSERT_EQ(0, devx_rq_reset(&rig->rq));
	EXPECT_EQ(0, rig->rq.pi);
	EXPECT_EQ(0, prm_be32_get(rig->rq.dbrec[PRM_DBR_RCV]));
	ASSERT_EQ(0, devx_sq_ready(&rig->sq));
	ASSERT_EQ(0, devx_rq_ready(&rig->rq));
	devx_rig_post_recv(rig, 1 << DEVX_RIG_LOG2_RQ);
	for (uint32_t n = 0; n < 40; n++) {
		SCOPED_TRACE("packet %u after the reset", n);
		send_one(rig, n, 64);
		recv_one(rig, n, n, 64);
	}
}

/* After a reset the caller owns the buffers, so the device must not write to them. */
TEST_F(traffic, buffers_posted_before_a_reset_receive_nothing)
{
	struct devx_rig *rig = &self->rig;
	uint32_t out_of_buffer = 0;

	NEEDS_COUNTER(rig);
	ASSERT_EQ(0, devx_rq_reset(&rig->rq));
	ASSERT_EQ(0, devx_rq_ready(&rig->rq));
	send_one(rig, 3, 64);
	ASSERT_EQ(0, devx_counter_read(&rig->counter, &out_of_buffer));
	EXPECT_EQ(1, out_of_buffer);
	EXPECT_EQ(NULL, devx_cq_peek(&rig->recv_cq));
	EXPECT_EQ(UINT32_MAX, devx_rig_read_seq(rig, devx_rig_get_recv_slot(rig, 0), 64));
}

/* emu puts SQ and RQ into ERR; after a reset they transfer packets again. */
TEST_F(traffic, queues_in_error_are_recovered)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_rig *rig = &self->rig;
	enum prm_wq_state state = PRM_WQ_STATE_RDY;

	NEEDS_EMU("to put queues into ERR");
	ASSERT_EQ(0, emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, rig->sq.sqn));
	ASSERT_EQ(0, emu->inject(0, DEVX_EMU_INJECT_RQ_ERROR, rig->rq.rqn));
	ASSERT_EQ(0, devx_sq_query_state(&rig->sq, &state));
	EXPECT_EQ(PRM_WQ_STATE_ERR, state);
	ASSERT_EQ(0, devx_rq_query_state(&rig->rq, &state));
	EXPECT_EQ(PRM_WQ_STATE_ERR, state);
	ASSERT_EQ(0, devx_sq_reset(&rig->sq));
	ASSERT_EQ(0, devx_rq_reset(&rig->rq));
	while (devx_cq_peek(&rig->recv_cq))
		devx_rig_drop_cqe(&rig->recv_cq); /* flushed WQEs */
	while (devx_cq_peek(&rig->send_cq))
		devx_rig_drop_cqe(&rig->send_cq);
	ASSERT_EQ(0, devx_sq_ready(&rig->sq));
	ASSERT_EQ(0, devx_rq_ready(&rig->rq));
	devx_rig_post_recv(rig, 1 << DEVX_RIG_LOG2_RQ);
	for (uint32_t n = 0; n < 40; n++) {
		SCOPED_TRACE("packet %u after the error", n);
		send_one(rig, n, 64);
		recv_one(rig, n, n, 64);
	}
}
