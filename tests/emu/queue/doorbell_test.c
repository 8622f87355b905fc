/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "emu/base/dev.h"
#include "emu/queue/cq_ring.h"
#include "core_rig_post.h"
#include "prm/cqe.h"
#include "prm/wqe.h"

FIXTURE(doorbell)
{
	struct core_rig r;
	struct core_rig_cq cq;
	struct core_rig_sq sq;
};

FIXTURE_SETUP(doorbell)
{
	core_rig_open(&self->r, &(struct core_rig_config){ .wire = "sink" });
	self->cq = core_rig_make_cq(&self->r, 6);
	self->sq = core_rig_make_sq(&self->r, 4, self->cq.cqn);
}

FIXTURE_TEARDOWN(doorbell)
{
	core_rig_close(&self->r);
}

/* Posts a NOP: writes the WQE and the doorbell record, but does not ring the doorbell. */
static const struct prm_ctrl_seg *post_nop(struct ct_fix_doorbell *self, struct core_rig_sq *sq)
{
	struct core_rig_wqe p = core_rig_begin_wqe(sq, PRM_WQE_NOP, PRM_CE_ALWAYS);

	core_rig_end_wqe(&self->r, &p, false);
	sq->dbr[PRM_DBR_SND] = prm_be32_of(sq->pi);
	return p.ctrl;
}

static void write_at(struct ct_fix_doorbell *self, unsigned offset, const void *from, size_t bytes)
{
	memcpy((uint8_t *)self->r.uar_page + offset, from, bytes);
}

TEST_F(doorbell, every_register_of_the_page_rings)
{
	for (unsigned offset = 0x800; offset <= 0xf00; offset += 0x100) {
		SCOPED_TRACE("register 0x%x", offset);
		write_at(self, offset, post_nop(self, &self->sq), 8);
		EXPECT_EQ(1, emu_poll(self->r.emu, 16));
		EXPECT_NE(NULL, core_rig_take_cqe(&self->cq));
	}
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

/* A BlueFlame doorbell copies the whole WQE. The engine executes the WQE once, from the ring. */
TEST_F(doorbell, a_copied_wqe_is_executed_once)
{
	for (unsigned k = 0; k < 20; k++) {
		write_at(self, k & 1 ? 0x900 : 0x800, post_nop(self, &self->sq), PRM_WQEBB_BYTES);
		EXPECT_EQ(1, emu_poll(self->r.emu, 16));
		EXPECT_NE(NULL, core_rig_take_cqe(&self->cq));
		EXPECT_EQ(0, emu_poll(self->r.emu, 16));
		EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
	}
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

/*
 * Linux' test of write combining, with a slow engine: a WQE asks for a CQE only in the copy that
 * the driver writes to the BlueFlame register.
 */
TEST_F(doorbell, first_copied_wqe_counts_when_others_follow)
{
	for (unsigned k = 0; k < 2; k++) {
		const uint16_t first = self->sq.pi;
		const struct prm_cqe *cqe;

		for (unsigned i = 0; i < 3; i++) {
			struct core_rig_wqe p =
				core_rig_begin_wqe(&self->sq, PRM_WQE_NOP, PRM_CE_ERROR);
			struct prm_ctrl_seg copy[PRM_WQEBB_BYTES / PRM_DS_BYTES] = { 0 };

			core_rig_end_wqe(&self->r, &p, false);
			self->sq.dbr[PRM_DBR_SND] = prm_be32_of(self->sq.pi);
			copy[0] = *p.ctrl;
			copy[0].fm_ce_se |= PRM_CE_ALWAYS << PRM_CE_SHIFT;
			emu_blueflame(self->r.emu, self->r.uar, PRM_UAR_BF, copy);
		}
		EXPECT_EQ(3, emu_poll(self->r.emu, 16));
		cqe = core_rig_take_cqe(&self->cq);
		ASSERT_NE(NULL, cqe);
		EXPECT_EQ(first, prm_be16_get(cqe->wqe_counter));
		EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
	}
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

/* The adapter sends what the register got, even if the WQE in memory names other bytes. */
TEST_F(doorbell, copied_wqe_is_executed_from_the_register)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_NOP, PRM_CE_ALWAYS);
	prm_be32 copy[PRM_WQEBB_BYTES / sizeof(prm_be32)] = { { 0 } };

	core_rig_end_wqe(&self->r, &p, false);
	self->sq.dbr[PRM_DBR_SND] = prm_be32_of(self->sq.pi);
	/* a SEND in the copy, whose data segment has an lkey that does not exist */
	((struct prm_ctrl_seg *)copy)->opmod_idx_opcode =
		prm_ctrl_dw0(0, prm_ctrl_index(p.ctrl), PRM_WQE_SEND);
	((struct prm_ctrl_seg *)copy)->qpn_ds = prm_ctrl_dw1(prm_ctrl_sqn(p.ctrl), 3);
	copy[8] = prm_be32_of(60);
	copy[9] = prm_be32_of(0xbad00);
	emu_blueflame(self->r.emu, self->r.uar, PRM_UAR_BF, copy);
	EXPECT_EQ(1, emu_poll(self->r.emu, 16));
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_bad_lkey]);
}

TEST_F(doorbell, copied_wqe_of_an_unknown_queue_is_one_mistake)
{
	struct prm_ctrl_seg copy[PRM_WQEBB_BYTES / PRM_DS_BYTES] = { { .qpn_ds = prm_ctrl_dw1(
									       0xdead, 1) } };

	emu_blueflame(self->r.emu, self->r.uar, PRM_UAR_BF, copy);
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_db_unknown_queue]);
}

/* Linux has CQs that it only polls. It has no handler for their events and would crash. */
TEST_F(doorbell, doorbell_message_rings_only_the_queue_it_names)
{
	struct core_rig_cq polled = core_rig_make_cq(&self->r, 3);
	struct core_rig_sq other = core_rig_make_sq(&self->r, 4, polled.cqn);
	const prm_be32 arm[2] = { { 0 }, prm_be32_of(self->cq.cqn) };
	uint64_t value;

	memcpy(&value, arm, sizeof(value));
	emu_doorbell(self->r.emu, self->r.uar, PRM_UAR_CQ_ARM, value);
	post_nop(self, &self->sq);
	memcpy(&value, post_nop(self, &other), sizeof(value));
	emu_doorbell(self->r.emu, self->r.uar, PRM_UAR_BF, value);
	EXPECT_EQ(1, emu_poll(self->r.emu, 16));
	EXPECT_NE(NULL, core_rig_take_cqe(&polled));
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
	EXPECT_EQ(0, self->r.irqs[0]);
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

TEST_F(doorbell, doorbell_before_its_record_is_a_mistake)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_NOP, PRM_CE_ALWAYS);

	core_rig_end_wqe(&self->r, &p, false);
	write_at(self, PRM_UAR_BF, p.ctrl, 8);
	EXPECT_EQ(0, emu_poll(self->r.emu, 16));
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_db_not_advanced]);
}

TEST_F(doorbell, doorbell_that_the_engine_sees_late_is_not_a_mistake)
{
	const struct prm_ctrl_seg first = *post_nop(self, &self->sq);

	for (unsigned k = 0; k < 14; k++)
		post_nop(self, &self->sq);
	write_at(self, 0x800, &first, 8);
	EXPECT_EQ(15, emu_poll(self->r.emu, 16));
	write_at(self, 0x800, &first, 8);
	EXPECT_EQ(0, emu_poll(self->r.emu, 16));
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

TEST_F(doorbell, another_uar_page_does_not_ring)
{
	struct prm_alloc_uar_in in = { 0 };
	struct prm_alloc_uar_out out;
	uint8_t *page = core_rig_alloc(&self->r, PRM_UAR_BYTES);

	CORE_RIG_OK(&self->r, alloc_uar, &in, &out);
	emu_uar_attach(self->r.emu, (uint32_t)prm_get(&out, uar), page);
	memcpy(page + PRM_UAR_BF, post_nop(self, &self->sq), 8);
	EXPECT_EQ(0, emu_poll(self->r.emu, 16));
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_db_wrong_uar]);
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));

	/* the engine does not scan a page that was detached */
	emu_uar_attach(self->r.emu, (uint32_t)prm_get(&out, uar), NULL);
	memcpy(page + PRM_UAR_BF, self->sq.ring, 8);
	EXPECT_EQ(0, emu_poll(self->r.emu, 16));
	EXPECT_EQ(1, core_rig_count_mistakes(&self->r));
}

/* Each kind of doorbell, as a message to a UAR that is not the one of the queue. */
TEST_F(doorbell, doorbell_message_to_another_uar_does_nothing)
{
	struct emu_cq *cq = emu_obj_at(&self->r.emu->table[EMU_CQ], self->cq.cqn);
	const prm_be32 arm[2] = { { 0 }, prm_be32_of(self->cq.cqn) };
	struct prm_alloc_uar_in in = { 0 };
	struct prm_alloc_uar_out out;
	uint32_t other;
	uint64_t value;

	CORE_RIG_OK(&self->r, alloc_uar, &in, &out);
	other = (uint32_t)prm_get(&out, uar);
	memcpy(&value, arm, sizeof(value));
	emu_doorbell(self->r.emu, other, PRM_UAR_CQ_ARM, value);
	EXPECT_EQ(PRM_CQC_ST_NONE, cq->arm);
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_db_wrong_uar]);
	memcpy(&value, post_nop(self, &self->sq), sizeof(value));
	emu_doorbell(self->r.emu, other, PRM_UAR_BF, value);
	EXPECT_EQ(2, self->r.mistakes.n[EMU_MISTAKE_db_wrong_uar]);
	emu_doorbell(self->r.emu, 1, PRM_UAR_BF, value); /* no such UAR */
	EXPECT_EQ(0, emu_poll(self->r.emu, 16));
	EXPECT_EQ(2, core_rig_count_mistakes(&self->r));
}

/* The first and the last register of a page ring. Other places of the page, and beyond, do not. */
static const struct place {
	const char *name;
	uint32_t offset;
	bool rings;
} places[] = {
	{ "first", 0x800, true },  { "last", 0xf00, true },     { "inside", 0x808, false },
	{ "below", 0x700, false }, { "beyond", 0x1000, false }, { "between", 0x840, false },
};

TEST_F_EACH(doorbell, doorbell_message_rings_at_registers_only, struct place, places)
{
	prm_be32 copy[PRM_WQEBB_BYTES / sizeof(prm_be32)] = { { 0 } };
	uint64_t value;

	memcpy(&value, post_nop(self, &self->sq), sizeof(value));
	emu_doorbell(self->r.emu, self->r.uar, row->offset, value);
	EXPECT_EQ(row->rings, emu_poll(self->r.emu, 16));
	memcpy(copy, post_nop(self, &self->sq), 16);
	emu_blueflame(self->r.emu, self->r.uar, row->offset, copy);
	EXPECT_EQ(row->rings, emu_poll(self->r.emu, 16));
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

/* An EQ doorbell has 24 bits of the consumer index; the engine completes them. */
TEST_F(doorbell, eq_doorbell_moves_the_consumer_index)
{
	static const uint32_t offsets[] = { PRM_UAR_EQ_ARM, PRM_UAR_EQ_CI };
	struct emu_eq *eq = emu_obj_at(&self->r.emu->table[EMU_EQ], self->r.eqn);

	for (unsigned i = 0; i < 2; i++) {
		const prm_be32 word[2] = { prm_be32_of(self->r.eqn << 24 | 0xfffffe), { 0 } };
		uint64_t value;

		memcpy(&value, word, sizeof(value));
		eq->pi = 0x5000003;
		eq->ci = 0;
		emu_doorbell(self->r.emu, self->r.uar, offsets[i], value);
		EXPECT_EQ(0x4fffffe, eq->ci);
	}
	const prm_be32 unknown[2] = { prm_be32_of((self->r.eqn + 1) << 24 | 5), { 0 } };
	uint64_t value;

	memcpy(&value, unknown, sizeof(value));
	emu_doorbell(self->r.emu, self->r.uar, PRM_UAR_EQ_CI, value);
	EXPECT_EQ(0x4fffffe, eq->ci);
}

TEST_F(doorbell, unknown_queues_are_mistakes)
{
	struct prm_ctrl_seg ctrl = { .qpn_ds = prm_ctrl_dw1(self->sq.sqn + 1, 1) };
	const prm_be32 arm[2] = { { 0 }, prm_be32_of(self->cq.cqn + 1) };

	write_at(self, PRM_UAR_BF, &ctrl, 8);
	write_at(self, PRM_UAR_CQ_ARM, arm, 8);
	emu_poll(self->r.emu, 16);
	EXPECT_EQ(2, self->r.mistakes.n[EMU_MISTAKE_db_unknown_queue]);
}

TEST_F(doorbell, doorbell_in_rst_is_a_mistake_and_ignored)
{
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_sq(&self->r, self->sq.sqn, PRM_WQ_STATE_RDY, PRM_WQ_STATE_RST));
	write_at(self, PRM_UAR_BF, post_nop(self, &self->sq), 8);
	EXPECT_EQ(0, emu_poll(self->r.emu, 16));
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_db_not_ready]);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_sq(&self->r, self->sq.sqn, PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY));
	EXPECT_EQ(0, emu_poll(self->r.emu, 16));
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
}

/* A doorbell that was rung before MODIFY_SQ to RST is not a mistake. */
TEST_F(doorbell, command_does_not_overtake_a_doorbell)
{
	write_at(self, PRM_UAR_BF, post_nop(self, &self->sq), 8);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_sq(&self->r, self->sq.sqn, PRM_WQ_STATE_RDY, PRM_WQ_STATE_RST));
	EXPECT_EQ(0, emu_poll(self->r.emu, 16));
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

/* After RST a driver counts from 0, but may leave the old value in the doorbell record. */
TEST_F(doorbell, engine_ignores_a_record_from_before_the_reset)
{
	struct core_rig_sq other = core_rig_make_sq(&self->r, 4, self->cq.cqn);

	write_at(self, PRM_UAR_BF, post_nop(self, &self->sq), 8);
	emu_poll(self->r.emu, 16);
	EXPECT_NE(NULL, core_rig_take_cqe(&self->cq));
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_sq(&self->r, self->sq.sqn, PRM_WQ_STATE_RDY, PRM_WQ_STATE_RST));
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_sq(&self->r, self->sq.sqn, PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY));
	self->sq.pi = 0;
	/* the doorbell of another SQ makes the engine read the records of all SQs of the page */
	write_at(self, PRM_UAR_BF, post_nop(self, &other), 8);
	EXPECT_EQ(1, emu_poll(self->r.emu, 16));
	EXPECT_NE(NULL, core_rig_take_cqe(&self->cq));
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
	/* the queue's own doorbell counts, although its record holds the old value */
	write_at(self, PRM_UAR_BF, post_nop(self, &self->sq), 8);
	EXPECT_EQ(1, emu_poll(self->r.emu, 16));
	EXPECT_NE(NULL, core_rig_take_cqe(&self->cq));
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

/*
 * After the first doorbell since the reset, a record with the old value counts: 65536 WQEBBs later
 * the producer index has that value again.
 */
TEST_F(doorbell, engine_reads_a_record_whose_index_comes_round)
{
	struct core_rig_sq other = core_rig_make_sq(&self->r, 4, self->cq.cqn);

	self->sq.dbr[PRM_DBR_SND] = prm_be32_of(1);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_sq(&self->r, self->sq.sqn, PRM_WQ_STATE_RDY, PRM_WQ_STATE_RST));
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_sq(&self->r, self->sq.sqn, PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY));
	for (unsigned i = 0; i < 65536; i++) {
		write_at(self, PRM_UAR_BF, post_nop(self, &self->sq), 8);
		emu_poll(self->r.emu, 16);
		ASSERT_NE(NULL, core_rig_take_cqe(&self->cq));
	}
	/* another doorbell overwrites that of the queue before the engine reads it */
	post_nop(self, &self->sq);
	write_at(self, PRM_UAR_BF, post_nop(self, &other), 8);
	EXPECT_EQ(2, emu_poll(self->r.emu, 16));
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

/* The engine serves three busy queues in slices: none waits for the whole ring of another. */
TEST_F(doorbell, busy_queues_take_turns)
{
	enum { WQES = 200 };
	struct core_rig_cq cqs[3];
	struct core_rig_sq sqs[3];

	for (unsigned i = 0; i < 3; i++) {
		cqs[i] = core_rig_make_cq(&self->r, 8);
		sqs[i] = core_rig_make_sq(&self->r, 8, cqs[i].cqn);
		for (unsigned k = 0; k < WQES; k++)
			post_nop(self, &sqs[i]);
		write_at(self, PRM_UAR_BF, sqs[i].ring, 8);
	}
	EXPECT_EQ(300, emu_poll(self->r.emu, 300));
	for (unsigned i = 0; i < 3; i++)
		EXPECT_LT(64, prm_be16_get(cqs[i].cqe[63].wqe_counter) + 2u);
	while (emu_poll(self->r.emu, 300))
		;
	for (unsigned i = 0; i < 3; i++) {
		unsigned n = 0;

		while (core_rig_take_cqe(&cqs[i]))
			n++;
		EXPECT_EQ(WQES, n);
	}
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

/* A destroyed queue leaves the engine's circular list of busy queues, from every place in it. */
TEST_F(doorbell, a_rung_queue_can_be_destroyed)
{
	for (unsigned victim = 0; victim < 3; victim++) {
		struct prm_destroy_sq_in in = { 0 };
		struct prm_destroy_sq_out out;
		struct core_rig_sq sqs[3];

		for (unsigned i = 0; i < 3; i++) {
			sqs[i] = core_rig_make_sq(&self->r, 4, self->cq.cqn);
			write_at(self, PRM_UAR_BF, post_nop(self, &sqs[i]), 8);
		}
		prm_set(&in, uid, self->r.uid);
		prm_set(&in, sqn, sqs[victim].sqn);
		CORE_RIG_OK(&self->r, destroy_sq, &in, &out);
		EXPECT_EQ(2, emu_poll(self->r.emu, 16));
		EXPECT_NE(NULL, core_rig_take_cqe(&self->cq));
		EXPECT_NE(NULL, core_rig_take_cqe(&self->cq));
		EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
	}
}
