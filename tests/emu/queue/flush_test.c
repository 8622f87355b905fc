/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Flush CQEs that the device writes some time after a queue entered ERR (option late_flush_us).
 */
#include "core_rig_post.h"
#include "core_rig_queue.h"
#include "emu/queue/flush.h"
#include "prm/cqe.h"
#include "prm/wqe.h"

enum { LATE_US = 50, N_WQES = 3, FRAME = 64, LOG_N = 4 };

FIXTURE(flush)
{
	struct core_rig r;
	struct core_rig_cq cq;
	struct core_rig_sq sq;
	uint8_t *mem;
	uint32_t lkey;
};

FIXTURE_SETUP(flush)
{
	core_rig_open(&self->r, &(struct core_rig_config){ .wire = "loop" });
	emu_set_clock(self->r.adapter, EMU_CLOCK_HELD, 0);
	EXPECT_EQ(0, emu_set_option(self->r.adapter, "late_flush_us", LATE_US));
	self->cq = core_rig_make_cq(&self->r, 5);
	self->sq = core_rig_make_sq(&self->r, LOG_N, self->cq.cqn);
	self->mem = core_rig_alloc(&self->r, FRAME << LOG_N);
	self->lkey = core_rig_make_mkey(&self->r, self->mem, FRAME << LOG_N, true);
}

FIXTURE_TEARDOWN(flush)
{
	core_rig_close(&self->r);
}

/* Moves the clock to 1 ns before the CQEs, and expects none. Then moves it to their time. */
static void pass_late_time(struct ct_fix_flush *self)
{
	emu_set_clock(self->r.adapter, EMU_CLOCK_HELD, 1000 * LATE_US - 1);
	emu_poll(self->r.emu, 16);
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
	emu_set_clock(self->r.adapter, EMU_CLOCK_HELD, 1);
	emu_poll(self->r.emu, 16);
}

static void expect_flushed(struct ct_fix_flush *self, enum prm_cqe_opcode op, unsigned from,
			   unsigned n)
{
	for (unsigned i = from; i < n; i++) {
		const struct prm_err_cqe *err =
			(const struct prm_err_cqe *)core_rig_take_cqe(&self->cq);

		SCOPED_TRACE("WQE %u", i);
		ASSERT_NE(NULL, err);
		EXPECT_EQ(op, prm_cqe_opcode(err->op_own));
		EXPECT_EQ(PRM_SYND_WR_FLUSH, err->syndrome);
		EXPECT_EQ(i, prm_be16_get(err->wqe_counter));
	}
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
}

static void post_sends(struct ct_fix_flush *self, uint32_t lkey)
{
	for (unsigned i = 0; i < N_WQES; i++)
		core_rig_post_send(&self->r, &self->sq, i ? self->lkey : lkey, self->mem, FRAME);
}

TEST_F(flush, late_cqes_of_an_sq_come_after_its_reset)
{
	const struct prm_err_cqe *err;

	post_sends(self, self->lkey ^ 1);
	emu_poll(self->r.emu, 16);
	err = (const struct prm_err_cqe *)core_rig_take_cqe(&self->cq);
	ASSERT_NE(NULL, err);
	EXPECT_EQ(PRM_SYND_LOCAL_PROT, err->syndrome);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_sq(&self->r, self->sq.sqn, PRM_WQ_STATE_ERR, PRM_WQ_STATE_RST));
	pass_late_time(self);
	expect_flushed(self, PRM_CQE_REQ_ERR, 1, N_WQES);
}

TEST_F(flush, late_cqes_of_an_rq_come_after_its_reset)
{
	struct core_rig_rq rq = core_rig_make_rq(&self->r, LOG_N, 0, self->cq.cqn);

	core_rig_post_rq(&rq, self->lkey, self->mem, FRAME, N_WQES);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_rq(&self->r, rq.rqn, PRM_WQ_STATE_RDY, PRM_WQ_STATE_ERR));
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_rq(&self->r, rq.rqn, PRM_WQ_STATE_ERR, PRM_WQ_STATE_RST));
	pass_late_time(self);
	expect_flushed(self, PRM_CQE_RESP_ERR, 0, N_WQES);
}

TEST_F(flush, wqes_posted_to_an_rq_in_err_are_flushed)
{
	struct core_rig_rq rq = core_rig_make_rq(&self->r, LOG_N, 0, self->cq.cqn);

	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_rq(&self->r, rq.rqn, PRM_WQ_STATE_RDY, PRM_WQ_STATE_ERR));
	emu_poll(self->r.emu, 16);
	core_rig_post_rq(&rq, self->lkey, self->mem, FRAME, N_WQES);
	emu_poll(self->r.emu, 16);
	pass_late_time(self);
	expect_flushed(self, PRM_CQE_RESP_ERR, 0, N_WQES);
}

TEST_F(flush, time_of_late_cqes_is_an_event_for_the_clock)
{
	post_sends(self, self->lkey);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_sq(&self->r, self->sq.sqn, PRM_WQ_STATE_RDY, PRM_WQ_STATE_ERR));
	emu_poll(self->r.emu, 16);
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
	EXPECT_EQ(emu_read_clock(self->r.emu) + 1000 * LATE_US,
		  emu_flush_find_due(self->r.emu, UINT64_MAX));
}

TEST_F(flush, a_destroyed_sq_gets_no_late_cqe)
{
	struct prm_destroy_sq_in in = { 0 };
	struct prm_destroy_sq_out out;

	post_sends(self, self->lkey);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_sq(&self->r, self->sq.sqn, PRM_WQ_STATE_RDY, PRM_WQ_STATE_ERR));
	emu_poll(self->r.emu, 16);
	prm_set(&in, uid, self->r.uid);
	prm_set(&in, sqn, self->sq.sqn);
	CORE_RIG_OK(&self->r, destroy_sq, &in, &out);
	pass_late_time(self);
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
}

/* The late CQEs of other queues stay, before and behind those of the destroyed one. */
TEST_F(flush, late_cqes_of_other_queues_outlive_a_destroyed_sq)
{
	struct core_rig_sq sqs[3] = { self->sq };
	struct prm_destroy_sq_in in = { 0 };
	struct prm_destroy_sq_out out;

	for (unsigned i = 1; i < 3; i++)
		sqs[i] = core_rig_make_sq(&self->r, LOG_N, self->cq.cqn);
	for (unsigned i = 0; i < 3; i++) {
		core_rig_post_send(&self->r, &sqs[i], self->lkey, self->mem, FRAME);
		EXPECT_EQ(PRM_STATUS_OK, core_rig_modify_sq(&self->r, sqs[i].sqn, PRM_WQ_STATE_RDY,
							    PRM_WQ_STATE_ERR));
	}
	emu_poll(self->r.emu, 16);
	prm_set(&in, uid, self->r.uid);
	prm_set(&in, sqn, sqs[2].sqn); /* the last of the list, and then one inside of it */
	CORE_RIG_OK(&self->r, destroy_sq, &in, &out);
	core_rig_post_send(&self->r, &sqs[0], self->lkey, self->mem, FRAME);
	emu_poll(self->r.emu, 16);
	prm_set(&in, sqn, sqs[1].sqn);
	CORE_RIG_OK(&self->r, destroy_sq, &in, &out);
	pass_late_time(self);
	for (unsigned i = 0; i < 2; i++) {
		const struct prm_err_cqe *err =
			(const struct prm_err_cqe *)core_rig_take_cqe(&self->cq);

		ASSERT_NE(NULL, err);
		EXPECT_EQ(PRM_SYND_WR_FLUSH, err->syndrome);
		EXPECT_EQ(sqs[0].sqn, prm_be32_get(err->s_wqe_opcode_qpn) & 0xffffff);
		EXPECT_EQ(i, prm_be16_get(err->wqe_counter));
	}
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
}
