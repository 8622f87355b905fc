/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "ct.h"
#include "devx/cmd.h"
#include "devx_rig.h"
#include "needs_emu.h"
#include "prm/prm.h"

/* States of work queues (wq.c): ready, reset and query_state, on an SQ and on an RQ. */

FIXTURE(wq)
{
	struct devx_rig rig;
	struct devx_sq sq; /* new queues in RST; the queues of the rig are in RDY */
	struct devx_rq rq;
};

FIXTURE_SETUP(wq)
{
	struct devx_rig *rig = &self->rig;

	ASSERT_EQ(0, devx_rig_up(rig));
	ASSERT_EQ(0, devx_sq_create(&self->sq, &rig->dev,
				    &(struct devx_sq_attr){ .log2_n = 3,
							    .cq = &rig->send_cq,
							    .tis = &rig->tis,
							    .uar = &rig->uar }));
	ASSERT_EQ(0, devx_rq_create(&self->rq, &rig->dev,
				    &(struct devx_rq_attr){
					    .log2_n = 3, .cq = &rig->recv_cq, .keep_vlan = true }));
}

FIXTURE_TEARDOWN(wq)
{
	devx_rq_destroy(&self->rq);
	devx_sq_destroy(&self->sq);
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_rig_down(&self->rig);
}

struct kind {
	const char *name;
	int (*ready)(struct ct_fix_wq *f);
	int (*reset)(struct ct_fix_wq *f);
	int (*query_state)(const struct ct_fix_wq *f, enum prm_wq_state *state);
	void (*set_counters)(struct ct_fix_wq *f, uint16_t pi);
	void (*expect_counters)(const struct ct_fix_wq *f, uint16_t pi);
	uint16_t modify_op;
	enum devx_emu_inject error;
};

static int ready_sq(struct ct_fix_wq *f)
{
	return devx_sq_ready(&f->sq);
}

static int ready_rq(struct ct_fix_wq *f)
{
	return devx_rq_ready(&f->rq);
}

static int reset_sq(struct ct_fix_wq *f)
{
	return devx_sq_reset(&f->sq);
}

static int reset_rq(struct ct_fix_wq *f)
{
	return devx_rq_reset(&f->rq);
}

static int query_sq(const struct ct_fix_wq *f, enum prm_wq_state *state)
{
	return devx_sq_query_state(&f->sq, state);
}

static int query_rq(const struct ct_fix_wq *f, enum prm_wq_state *state)
{
	return devx_rq_query_state(&f->rq, state);
}

/* Sets pi and doorbell record as after posts; without a doorbell the device reads neither. */
static void set_sq_counters(struct ct_fix_wq *f, uint16_t pi)
{
	f->sq.pi = pi;
	f->sq.dbrec[PRM_DBR_SND] = prm_be32_of(pi);
}

static void set_rq_counters(struct ct_fix_wq *f, uint16_t pi)
{
	f->rq.pi = pi;
	f->rq.dbrec[PRM_DBR_RCV] = prm_be32_of(pi);
}

static void expect_sq_counters(const struct ct_fix_wq *f, uint16_t pi)
{
	EXPECT_EQ(pi, f->sq.pi);
	EXPECT_EQ(pi, prm_be32_get(f->sq.dbrec[PRM_DBR_SND]));
}

static void expect_rq_counters(const struct ct_fix_wq *f, uint16_t pi)
{
	EXPECT_EQ(pi, f->rq.pi);
	EXPECT_EQ(pi, prm_be32_get(f->rq.dbrec[PRM_DBR_RCV]));
}

static const struct kind kinds[] = {
	{ "sq", ready_sq, reset_sq, query_sq, set_sq_counters, expect_sq_counters, PRM_OP_modify_sq,
	  DEVX_EMU_INJECT_SQ_ERROR },
	{ "rq", ready_rq, reset_rq, query_rq, set_rq_counters, expect_rq_counters, PRM_OP_modify_rq,
	  DEVX_EMU_INJECT_RQ_ERROR },
};

static void expect_state(const struct ct_fix_wq *f, const struct kind *kind, enum prm_wq_state want)
{
	enum prm_wq_state state = (enum prm_wq_state) - 1;

	EXPECT_EQ(0, kind->query_state(f, &state));
	EXPECT_EQ(want, state);
}

TEST_F_EACH(wq, a_new_queue_is_in_rst, struct kind, kinds)
{
	expect_state(self, row, PRM_WQ_STATE_RST);
	row->expect_counters(self, 0);
}

TEST_F_EACH(wq, ready_changes_rst_to_rdy, struct kind, kinds)
{
	ASSERT_EQ(0, row->ready(self));
	expect_state(self, row, PRM_WQ_STATE_RDY);
}

TEST_F_EACH(wq, ready_twice_is_refused_and_changes_nothing, struct kind, kinds)
{
	const struct devx_refusal *refusal = &self->rig.dev.refusal;

	ASSERT_EQ(0, row->ready(self));
	row->set_counters(self, 3);
	EXPECT_EQ(-EREMOTEIO, row->ready(self));
	EXPECT_EQ(row->modify_op, refusal->opcode);
	EXPECT_EQ(PRM_STATUS_BAD_RES_STATE, refusal->status);
	expect_state(self, row, PRM_WQ_STATE_RDY);
	row->expect_counters(self, 3);
}

TEST_F_EACH(wq, reset_of_a_new_queue_does_nothing, struct kind, kinds)
{
	EXPECT_EQ(0, row->reset(self));
	expect_state(self, row, PRM_WQ_STATE_RST);
	ASSERT_EQ(0, row->ready(self));
	expect_state(self, row, PRM_WQ_STATE_RDY);
}

TEST_F_EACH(wq, reset_stops_a_ready_queue_and_clears_its_counters, struct kind, kinds)
{
	ASSERT_EQ(0, row->ready(self));
	row->set_counters(self, 3);
	EXPECT_EQ(0, row->reset(self));
	expect_state(self, row, PRM_WQ_STATE_RST);
	row->expect_counters(self, 0);
	EXPECT_EQ(0, row->ready(self));
}

TEST_F_EACH(wq, a_queue_in_err_needs_a_reset_before_ready, struct kind, kinds)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	const uint32_t number =
		row->error == DEVX_EMU_INJECT_SQ_ERROR ? self->sq.sqn : self->rq.rqn;

	NEEDS_EMU("to put a queue into ERR");
	ASSERT_EQ(0, row->ready(self));
	ASSERT_EQ(0, emu->inject(0, row->error, number));
	expect_state(self, row, PRM_WQ_STATE_ERR);
	EXPECT_EQ(-EREMOTEIO, row->ready(self));
	expect_state(self, row, PRM_WQ_STATE_ERR);
	EXPECT_EQ(0, row->reset(self));
	expect_state(self, row, PRM_WQ_STATE_RST);
	EXPECT_EQ(0, row->ready(self));
	expect_state(self, row, PRM_WQ_STATE_RDY);
}

TEST_F_EACH(wq, failed_ready_can_be_repeated, struct kind, kinds)
{
	const struct devx_emu_ctl *emu = emu_if_any();

	NEEDS_EMU("to make a command fail");
	emu->fail(DEVX_EMU_FAIL_COMMAND, 0, 0);
	EXPECT_EQ(-EREMOTEIO, row->ready(self));
	expect_state(self, row, PRM_WQ_STATE_RST);
	EXPECT_EQ(0, row->ready(self));
	expect_state(self, row, PRM_WQ_STATE_RDY);
}

/* A queue may change its state between query and modify, so reset tries both once more. */
TEST_F_EACH(wq, reset_retries_after_one_refusal, struct kind, kinds)
{
	const struct devx_emu_ctl *emu = emu_if_any();

	NEEDS_EMU("to make a command fail");
	for (int k = 0; k < 2; k++) {
		SCOPED_TRACE("command %d fails", k);
		ASSERT_EQ(0, row->ready(self));
		emu->fail(DEVX_EMU_FAIL_COMMAND, k, 0);
		EXPECT_EQ(0, row->reset(self));
		EXPECT_GT(0, emu->fail_pending(DEVX_EMU_FAIL_COMMAND));
		expect_state(self, row, PRM_WQ_STATE_RST);
	}
}

TEST_F_EACH(wq, failed_reset_keeps_the_counters, struct kind, kinds)
{
	const struct devx_emu_ctl *emu = emu_if_any();

	NEEDS_EMU("to make an ioctl fail");
	ASSERT_EQ(0, row->ready(self));
	row->set_counters(self, 3);
	for (int k = 0; k < 2; k++) {
		SCOPED_TRACE("ioctl %d fails", k);
		emu->fail(DEVX_EMU_FAIL_IOCTL, k, EIO);
		EXPECT_EQ(-EIO, row->reset(self));
		row->expect_counters(self, 3);
		expect_state(self, row, PRM_WQ_STATE_RDY);
	}
	EXPECT_EQ(0, row->reset(self));
}

/* Reads the setting from the context of the RQ, not from struct devx_rq. */
static bool keeps_vlan(const struct devx_rq *rq)
{
	struct prm_query_rq_in in = { 0 };
	struct prm_query_rq_out out = { 0 };

	prm_set(&in, opcode, PRM_OP_query_rq);
	prm_set(&in, rqn, rq->rqn);
	EXPECT_EQ(0, devx_cmd_query(rq->dev, rq->obj, &in, sizeof(in), &out, sizeof(out)));
	return prm_get(prm_sub(&out, rq_context), vsd);
}

TEST_F(wq, set_keep_vlan_changes_an_rq_in_rdy_only)
{
	struct devx_rq *rq = &self->rq;

	EXPECT_TRUE(keeps_vlan(rq));
	EXPECT_EQ(-EREMOTEIO, devx_rq_set_keep_vlan(rq, false));
	EXPECT_TRUE(keeps_vlan(rq));
	ASSERT_EQ(0, devx_rq_ready(rq));
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, devx_rq_set_keep_vlan(rq, false));
		EXPECT_FALSE(keeps_vlan(rq));
		ASSERT_EQ(0, devx_rq_set_keep_vlan(rq, true));
		EXPECT_TRUE(keeps_vlan(rq));
	}
	ASSERT_EQ(0, devx_rq_set_keep_vlan(rq, false));
	ASSERT_EQ(0, devx_rq_reset(rq));
	ASSERT_EQ(0, devx_rq_ready(rq));
	EXPECT_FALSE(keeps_vlan(rq));
}

TEST_F_EACH(wq, failed_query_does_not_write_the_state, struct kind, kinds)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	enum prm_wq_state state = PRM_WQ_STATE_ERR;

	NEEDS_EMU("to make a command fail");
	emu->fail(DEVX_EMU_FAIL_COMMAND, 0, 0);
	EXPECT_EQ(-EREMOTEIO, row->query_state(self, &state));
	EXPECT_EQ(PRM_WQ_STATE_ERR, state);
}

static void send_to_self(struct devx_rig *rig, uint32_t seq)
{
	uint8_t *slot = devx_rig_get_send_slot(rig, seq);

	devx_rig_write_frame(rig, slot, seq, 64);
	devx_sq_ring(&rig->sq, devx_rig_post_send(rig, slot, 64, rig->mr.lkey));
	ASSERT_TRUE(devx_rig_wait_cqe(&rig->send_cq));
	devx_rig_drop_cqe(&rig->send_cq);
}

/* mistake_test.c tests the same on an SQ, where a doorbell before ready is a mistake. */
TEST_F(wq, a_buffer_posted_before_ready_receives_nothing)
{
	struct devx_rig *rig = &self->rig;

	ASSERT_EQ(0, devx_rq_reset(&rig->rq));
	devx_rig_post_recv(rig, 1);
	send_to_self(rig, 7);
	EXPECT_EQ(NULL, devx_cq_peek(&rig->recv_cq));
	EXPECT_EQ(UINT32_MAX, devx_rig_read_seq(rig, devx_rig_get_recv_slot(rig, 0), 64));

	ASSERT_EQ(0, devx_rq_reset(&rig->rq));
	ASSERT_EQ(0, devx_rq_ready(&rig->rq));
	devx_rig_post_recv(rig, 1);
	send_to_self(rig, 8);
	ASSERT_TRUE(devx_rig_wait_cqe(&rig->recv_cq));
	EXPECT_EQ(8, devx_rig_read_seq(rig, devx_rig_get_recv_slot(rig, 0), 64));
}

TEST_F(wq, end_lkey_of_an_rq_is_known_unless_the_device_has_its_own)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_dev *dev = &self->rig.dev;
	uint32_t lkey = 0;

	NEEDS_EMU("to change a capability");
	EXPECT_EQ(0, devx_rq_query_end_lkey(dev, &lkey));
	EXPECT_EQ(PRM_LKEY_INVALID, lkey);
	EXPECT_EQ(0, emu->option("terminate_mkey", 1));
	devx_rig_expect_error(dev, -ENOTSUP, "terminate_scatter_list_mkey",
			      devx_rq_query_end_lkey(dev, &lkey));
	EXPECT_EQ(1, emu->option("terminate_mkey", 0));
}

TEST_F(wq, smallest_and_largest_queues_are_created)
{
	const struct devx_caps *caps = &self->rig.dev.caps;
	struct devx_cq small = { 0 }, large = { 0 };
	struct devx_sq sq = { 0 };
	struct devx_rq rq = { 0 };
	const uint8_t wq = caps->log_max_wq_sz < 15 ? caps->log_max_wq_sz : 15;
	const uint8_t most = caps->log_max_cq_sz < 16 ? caps->log_max_cq_sz : 16;

	EXPECT_EQ(0, devx_cq_create(&small, &self->rig.dev,
				    &(struct devx_cq_attr){ .uar = &self->rig.uar }));
	EXPECT_EQ(0,
		  devx_cq_create(&large, &self->rig.dev,
				 &(struct devx_cq_attr){ .log2_n = most, .uar = &self->rig.uar }));
	EXPECT_EQ(0, devx_sq_create(&sq, &self->rig.dev,
				    &(struct devx_sq_attr){ .log2_n = wq,
							    .cq = &large,
							    .tis = &self->rig.tis,
							    .uar = &self->rig.uar }));
	EXPECT_EQ(0, devx_rq_create(&rq, &self->rig.dev,
				    &(struct devx_rq_attr){ .log2_n = wq,
							    .log2_segs = 2,
							    .cq = &large,
							    .keep_vlan = true }));
	devx_rq_destroy(&rq);
	devx_sq_destroy(&sq);
	devx_cq_destroy(&large);
	devx_cq_destroy(&small);
}

static const struct inlining {
	const char *name;
	uint8_t cap, asked, want; /* @want: inline mode; the smallest one with VPORT_CONTEXT */
} inlinings[] = {
	{ "not_required", PRM_ETH_CAP_WQE_INLINE_MODE_NOT_REQUIRED, 0, 0 },
	{ "requested", PRM_ETH_CAP_WQE_INLINE_MODE_NOT_REQUIRED, 2, 2 },
	{ "l2_required", PRM_ETH_CAP_WQE_INLINE_MODE_L2, 0, 1 },
	{ "more_requested_than_required", PRM_ETH_CAP_WQE_INLINE_MODE_L2, 3, 3 },
	{ "from_the_vport", PRM_ETH_CAP_WQE_INLINE_MODE_VPORT_CONTEXT, 0, 0 },
};

TEST_F_EACH(wq, sq_create_raises_the_inline_mode_to_the_minimum, struct inlining, inlinings)
{
	struct devx_sq sq = { 0 };

	self->rig.dev.caps.wqe_inline_mode = row->cap;
	ASSERT_EQ(0, devx_sq_create(&sq, &self->rig.dev,
				    &(struct devx_sq_attr){ .log2_n = 3,
							    .cq = &self->rig.send_cq,
							    .tis = &self->rig.tis,
							    .uar = &self->rig.uar,
							    .inline_mode = row->asked }));
	EXPECT_LE(row->want, sq.inline_mode);
	if (row->cap != PRM_ETH_CAP_WQE_INLINE_MODE_VPORT_CONTEXT)
		EXPECT_EQ(row->want, sq.inline_mode);
	devx_sq_destroy(&sq);
}
