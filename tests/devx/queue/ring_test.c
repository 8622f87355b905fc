/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "ct.h"
#include "devx/cq.h"
#include "devx/rq.h"
#include "devx/sq.h"
#include "devx/uar.h"

/* Functions of the data path (cq.h, sq.h, rq.h, uar.h) on plain memory, without a device. */

enum { LOG2_N = 3, N = 1 << LOG2_N, LAPS = 3 };

FIXTURE(ring)
{
	struct prm_cqe cqes[N];
	struct devx_wqebb wqebbs[N];
	struct prm_data_seg segs[N << 1];
	prm_be32 dbrec[2];
	uint64_t page[PRM_UAR_BYTES / 8];
	struct devx_uar uar;
	struct devx_cq cq;
	struct devx_sq sq;
	struct devx_rq rq;
};

FIXTURE_SETUP(ring)
{
	self->uar = (struct devx_uar){ .base = self->page, .reg = (char *)self->page + PRM_UAR_BF };
	self->cq = (struct devx_cq){ .cqes = self->cqes,
				     .dbrec = self->dbrec,
				     .log2_n = LOG2_N,
				     .cqn = 0x123456,
				     .uar = &self->uar };
	self->sq = (struct devx_sq){ .wqebbs = self->wqebbs,
				     .dbrec = self->dbrec,
				     .log2_n = LOG2_N,
				     .doorbell = self->uar.reg };
	self->rq = (struct devx_rq){
		.wqes = self->segs, .dbrec = self->dbrec, .log2_n = LOG2_N, .log2_segs = 1
	};
	for (int i = 0; i < N; i++)
		self->cqes[i].op_own = PRM_CQE_INIT_OP_OWN;
}

FIXTURE_TEARDOWN(ring) {}

TEST_F(ring, new_cq_is_empty)
{
	EXPECT_EQ(NULL, devx_cq_peek(&self->cq));
}

TEST_F(ring, owner_bit_flips_with_each_lap)
{
	for (unsigned n = 0; n < LAPS * N; n++) {
		struct prm_cqe *slot = &self->cqes[n % N];

		SCOPED_TRACE("completion %u", n);
		EXPECT_EQ(NULL, devx_cq_peek(&self->cq));
		slot->op_own = PRM_CQE_RESP_SEND << 4 | (n / N & 1);
		ASSERT_EQ(slot, devx_cq_peek(&self->cq));
		ASSERT_EQ(slot, devx_cq_peek(&self->cq));
		devx_cq_pop(&self->cq);
		EXPECT_EQ(n, prm_be32_get(self->dbrec[PRM_DBR_CQ_CI]));
		devx_cq_release(&self->cq);
		EXPECT_EQ(n + 1, prm_be32_get(self->dbrec[PRM_DBR_CQ_CI]));
	}
}

TEST_F(ring, consumer_record_has_24_bits)
{
	self->cq.ci = 0x1ffffff;
	devx_cq_release(&self->cq);
	EXPECT_EQ(0xffffff, prm_be32_get(self->dbrec[PRM_DBR_CQ_CI]));
	devx_cq_pop(&self->cq);
	devx_cq_release(&self->cq);
	EXPECT_EQ(0, prm_be32_get(self->dbrec[PRM_DBR_CQ_CI]));
}

/* Writes a WQE of @n blocks with a pattern at index @from. Return: its control segment */
static struct prm_ctrl_seg *post_pattern(struct ct_fix_ring *self, uint16_t from, uint16_t n)
{
	for (unsigned i = 0; i < sizeof(self->wqebbs); i++)
		((uint8_t *)self->wqebbs)[i] = (uint8_t)(i * 7 + 1);
	self->wqebbs[from % N].ctrl.opmod_idx_opcode = prm_ctrl_dw0(0, from, PRM_WQE_SEND);
	self->sq.pi = (uint16_t)(from + n);
	return &self->wqebbs[from % N].ctrl;
}

enum { BUFFER = 256 };

TEST_F(ring, whole_wqe_goes_to_the_blueflame_buffers_in_turn)
{
	const uint8_t *reg = self->uar.reg;

	self->sq.bf_bytes = BUFFER;
	for (uint16_t k = 0; k < 4; k++) {
		const uint16_t from =
			(uint16_t)(k * 3 + 65534); /* wraps the ring and the counter */
		const uint8_t *buffer = reg + k % 2 * BUFFER, *other = reg + (k + 1) % 2 * BUFFER;

		SCOPED_TRACE("WQE %u", k);
		memset(self->page, 0, sizeof(self->page));
		devx_sq_ring_wqe(&self->sq, post_pattern(self, from, 3));
		EXPECT_EQ((uint16_t)(from + 3), prm_be32_get(self->dbrec[PRM_DBR_SND]));
		for (uint16_t i = 0; i < 3; i++)
			EXPECT_MEMEQ(&self->wqebbs[(uint16_t)(from + i) % N],
				     buffer + i * PRM_WQEBB_BYTES, PRM_WQEBB_BYTES);
		EXPECT_EQ(0, buffer[3 * PRM_WQEBB_BYTES]);
		EXPECT_EQ(0, other[0]);
	}
}

static const struct no_copy {
	const char *name;
	uint16_t bf_bytes, n;
} no_copies[] = {
	{ "longer_than_the_buffer", BUFFER, BUFFER / PRM_WQEBB_BYTES + 1 },
	{ "register_without_buffers", 0, 1 },
};

TEST_F_EACH(ring, wqe_that_does_not_fit_gets_a_doorbell, struct no_copy, no_copies)
{
	const uint8_t *reg = self->uar.reg;
	struct prm_ctrl_seg *first = post_pattern(self, 0, row->n);

	memset(self->page, 0, sizeof(self->page));
	self->sq.bf_bytes = row->bf_bytes;
	devx_sq_ring_wqe(&self->sq, first);
	EXPECT_EQ(row->n, prm_be32_get(self->dbrec[PRM_DBR_SND]));
	EXPECT_MEMEQ(first, reg, 8);
	EXPECT_EQ(0, reg[8]);
}

TEST_F(ring, arm_writes_the_same_value_to_record_and_register)
{
	const prm_be32 *reg = (const prm_be32 *)((char *)self->page + PRM_UAR_CQ_ARM);

	self->cq.ci = 0xab000012;
	devx_cq_arm(&self->cq, 3);
	EXPECT_EQ(0x30000012, prm_be32_get(self->dbrec[PRM_DBR_CQ_ARM]));
	EXPECT_EQ(0x30000012, prm_be32_get(reg[0]));
	EXPECT_EQ(0x123456, prm_be32_get(reg[1]));
	EXPECT_EQ(0, prm_be32_get(self->dbrec[PRM_DBR_CQ_CI]));
}

TEST_F(ring, sq_ring_writes_the_first_8_bytes_of_the_last_wqe)
{
	struct prm_ctrl_seg *ctrl = &devx_sq_get_wqebb(&self->sq, 0xfffe)->ctrl;

	EXPECT_EQ(&self->wqebbs[N - 2].ctrl, ctrl);
	ctrl->opmod_idx_opcode = prm_ctrl_dw0(0, 0xfffe, PRM_WQE_NOP);
	ctrl->qpn_ds = prm_ctrl_dw1(0x654321, 1);
	self->sq.pi = 0xffff;
	devx_sq_ring(&self->sq, ctrl);
	EXPECT_EQ(0xffff, prm_be32_get(self->dbrec[PRM_DBR_SND]));
	EXPECT_EQ(0, prm_be32_get(self->dbrec[PRM_DBR_RCV]));
	EXPECT_MEMEQ(ctrl, (char *)self->page + PRM_UAR_BF, 8);
	EXPECT_EQ(0, self->page[PRM_UAR_BF / 8 + 1]);
}

TEST_F(ring, rq_post_writes_a_16_bit_record_and_no_register)
{
	static const uint64_t untouched[PRM_UAR_BYTES / 8];

	EXPECT_EQ(&self->segs[2], devx_rq_get_wqe(&self->rq, 0x10001));
	self->rq.pi = 0x10001;
	devx_rq_post(&self->rq);
	EXPECT_EQ(1, prm_be32_get(self->dbrec[PRM_DBR_RCV]));
	EXPECT_EQ(0, prm_be32_get(self->dbrec[PRM_DBR_SND]));
	EXPECT_MEMEQ(untouched, self->page, sizeof(untouched));
}
