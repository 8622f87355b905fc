/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "emu/base/dev.h"
#include "emu/queue/cq.h"
#include "emu/queue/rq.h"
#include "emu/queue/sq.h"
#include "core_rig_post.h"

/* Each NOP makes one CQE. */
FIXTURE(cq)
{
	struct core_rig r;
	struct core_rig_cq cq;
	struct core_rig_sq sq;
};

FIXTURE_SETUP(cq)
{
	core_rig_open(&self->r, &(struct core_rig_config){ .wire = "sink" });
	self->cq = core_rig_make_cq(&self->r, 3);
	self->sq = core_rig_make_sq(&self->r, 8, self->cq.cqn);
}

FIXTURE_TEARDOWN(cq)
{
	core_rig_close(&self->r);
}

static struct emu_cq *find_cq(const struct ct_fix_cq *self)
{
	return emu_obj_at(&self->r.emu->table[EMU_CQ], self->cq.cqn);
}

static struct emu_sq *find_sq(const struct ct_fix_cq *self)
{
	return emu_obj_at(&self->r.emu->table[EMU_SQ], self->sq.sqn);
}

static void post_nops(struct ct_fix_cq *self, unsigned n)
{
	while (n--) {
		struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_NOP, PRM_CE_ALWAYS);

		core_rig_end_wqe(&self->r, &p, true);
		emu_poll(self->r.emu, 1);
	}
}

static void set_ci(struct ct_fix_cq *self, uint32_t ci)
{
	self->cq.dbr[PRM_DBR_CQ_CI] = prm_be32_of(ci);
}

/* Writes @dw0 to the arm record and the doorbell register of @cq. Does not step the engine. */
static void write_arm(struct ct_fix_cq *self, const struct core_rig_cq *cq, uint32_t dw0)
{
	const prm_be32 word[2] = { prm_be32_of(dw0), prm_be32_of(cq->cqn) };

	cq->dbr[PRM_DBR_CQ_ARM] = word[0];
	memcpy((uint8_t *)self->r.uar_page + PRM_UAR_CQ_ARM, word, sizeof(word));
}

static void arm_cq(struct ct_fix_cq *self, unsigned sn, uint32_t ci, bool solicited)
{
	write_arm(self, &self->cq,
		  sn << PRM_CQ_ARM_SN_SHIFT | ci | (solicited ? PRM_CQ_ARM_SOLICITED : 0));
	emu_poll(self->r.emu, 1);
}

TEST_F(cq, owner_bit_flips_with_each_pass)
{
	for (unsigned lap = 0; lap < 5; lap++)
		for (unsigned i = 0; i < self->cq.n; i++) {
			post_nops(self, 1);
			EXPECT_EQ(lap & 1, self->cq.cqe[i].op_own & PRM_CQE_OWNER);
			EXPECT_NE(NULL, core_rig_take_cqe(&self->cq));
		}
}

/* Some drivers publish only 16 bits of the consumer index; here these bits wrap twice. */
TEST_F(cq, consumer_index_may_have_16_bits)
{
	for (uint32_t n = 1; n < 140000; n++) {
		post_nops(self, 1);
		set_ci(self, n & 0xffff);
	}
	EXPECT_EQ(0, self->r.mistakes.n[EMU_MISTAKE_cq_overrun]);
	EXPECT_EQ(0, self->r.mistakes.n[EMU_MISTAKE_cq_ci_ahead]);
	EXPECT_EQ(0, find_cq(self)->status);
}

/*
 * All entries of the CQ may be in use. One more CQE puts the CQ, and the SQs and RQs that
 * complete to it, into error.
 */
TEST_F(cq, overrun_puts_the_cq_and_its_queues_into_error)
{
	struct core_rig_rq rq = core_rig_make_rq(&self->r, 3, 0, self->cq.cqn);
	struct emu_rq *erq = emu_obj_at(&self->r.emu->table[EMU_RQ], rq.rqn);
	struct emu_eq *eq = emu_obj_at(&self->r.emu->table[EMU_EQ], self->r.eqn);
	const struct prm_eqe *eqe = emu_span_ptr(&eq->ring, 0);

	eq->event_mask |= 1ull << PRM_EVENT_CQ_ERROR;
	post_nops(self, self->cq.n);
	EXPECT_EQ(0, find_cq(self)->status);
	post_nops(self, 1);
	EXPECT_EQ(9, find_cq(self)->status);
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_cq_overrun]);
	EXPECT_EQ(PRM_WQ_STATE_ERR, find_sq(self)->state);
	EXPECT_EQ(PRM_WQ_STATE_ERR, erq->state);
	EXPECT_EQ(1, self->r.irqs[0]);
	EXPECT_EQ(PRM_EVENT_CQ_ERROR, eqe->type);
	EXPECT_EQ(self->cq.cqn, prm_be32_get(eqe->data[0]));
	EXPECT_EQ(1, prm_be32_get(eqe->data[2]));
	post_nops(self, 1); /* no more CQEs, no second event */
	EXPECT_EQ(1, self->r.irqs[0]);
}

TEST_F(cq, overrun_can_be_ignored)
{
	find_cq(self)->oi = true;
	post_nops(self, 3 * self->cq.n);
	EXPECT_EQ(0, find_cq(self)->status);
	EXPECT_EQ(3 * self->cq.n - 1, prm_be16_get(self->cq.cqe[self->cq.n - 1].wqe_counter));
	EXPECT_EQ(0, self->r.mistakes.n[EMU_MISTAKE_cq_overrun]);
}

TEST_F(cq, a_collapsed_cq_has_one_entry)
{
	find_cq(self)->oi = find_cq(self)->cc = true;
	post_nops(self, 3);
	EXPECT_EQ(2, prm_be16_get(self->cq.cqe[0].wqe_counter));
	EXPECT_EQ(PRM_CQE_INIT_OP_OWN, self->cq.cqe[1].op_own);
}

TEST_F(cq, cqe_of_128_bytes_is_in_the_second_half)
{
	find_cq(self)->log_cqe = 7;
	post_nops(self, 1);
	EXPECT_EQ(PRM_CQE_INIT_OP_OWN, self->cq.cqe[0].op_own);
	EXPECT_EQ(0, self->cq.cqe[1].op_own);
}

TEST_F(cq, consumer_index_ahead_of_the_producer_is_a_mistake)
{
	post_nops(self, self->cq.n);
	set_ci(self, self->cq.n + 3);
	post_nops(self, 1);
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_cq_ci_ahead]);
}

/* ---- batches -------------------------------------------------------------------------- */

/* The caller holds the adapter lock, as the engine does during its turn. */
static void push_cqe(struct ct_fix_cq *self, const struct core_rig_cq *cq)
{
	struct emu_cq *ecq = emu_obj_at(&self->r.emu->table[EMU_CQ], cq->cqn);

	EXPECT_NE(NULL, emu_cq_slot(self->r.emu, ecq));
	emu_cq_push(self->r.emu, ecq, (struct emu_cqe_tail){ .op = PRM_CQE_REQ });
}

/* A driver that has seen a CQE relies on seeing every older CQE, also those of other CQs. */
TEST_F(cq, full_batch_of_one_cq_shows_older_cqes_of_another)
{
	struct core_rig_cq other = core_rig_make_cq(&self->r, 3);

	emu_lock(self->r.adapter);
	push_cqe(self, &self->cq);
	for (unsigned i = 0; i < other.n; i++) {
		EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
		push_cqe(self, &other);
	}
	EXPECT_NE(NULL, core_rig_take_cqe(&other));
	EXPECT_NE(NULL, core_rig_take_cqe(&self->cq));
	emu_unlock(self->r.adapter);
}

/* A driver may poll the entry. Parts of a CQE there would also move its cache line to and fro. */
TEST_F(cq, ring_is_untouched_until_the_whole_cqe_is_written)
{
	uint8_t before[sizeof(struct prm_cqe)];

	memset(self->cq.cqe, 0xa5, sizeof(before));
	memcpy(before, self->cq.cqe, sizeof(before));
	emu_lock(self->r.adapter);
	push_cqe(self, &self->cq);
	EXPECT_EQ(0, memcmp(self->cq.cqe, before, sizeof(before)));
	emu_unlock(self->r.adapter);
	EXPECT_EQ(PRM_CQE_REQ << 4, self->cq.cqe->op_own);
	EXPECT_EQ(0, prm_be32_get(self->cq.cqe->srqn_uidx));
}

TEST_F(cq, event_of_one_cq_shows_older_cqes_of_another)
{
	struct core_rig_cq other = core_rig_make_cq(&self->r, 3);

	self->cq.dbr[PRM_DBR_CQ_ARM] = prm_be32_of(PRM_CQ_ARM_SN_NONE << PRM_CQ_ARM_SN_SHIFT);
	write_arm(self, &other, 0);
	emu_poll(self->r.emu, 1);
	emu_lock(self->r.adapter);
	push_cqe(self, &self->cq);
	push_cqe(self, &other);
	EXPECT_EQ(1, self->r.irqs[0]);
	EXPECT_NE(NULL, core_rig_take_cqe(&other));
	EXPECT_NE(NULL, core_rig_take_cqe(&self->cq));
	emu_unlock(self->r.adapter);
}

/* ---- arming --------------------------------------------------------------------------- */

TEST_F(cq, an_arm_fires_once)
{
	post_nops(self, 1);
	EXPECT_EQ(0, self->r.irqs[0]);
	arm_cq(self, 0, 1, false);
	EXPECT_EQ(0, self->r.irqs[0]);
	post_nops(self, 1);
	EXPECT_EQ(1, self->r.irqs[0]);
	post_nops(self, 2);
	EXPECT_EQ(1, self->r.irqs[0]);
	arm_cq(self, 1, 4, false);
	post_nops(self, 1);
	EXPECT_EQ(2, self->r.irqs[0]);
}

TEST_F(cq, an_arm_behind_the_producer_fires_at_once)
{
	post_nops(self, 2);
	arm_cq(self, 0, 1, false);
	EXPECT_EQ(1, self->r.irqs[0]);
}

TEST_F(cq, arm_with_a_used_serial_number_is_ignored)
{
	arm_cq(self, 2, 0, false);
	post_nops(self, 1);
	EXPECT_EQ(1, self->r.irqs[0]);
	arm_cq(self, 2, 1, false);
	post_nops(self, 1);
	EXPECT_EQ(1, self->r.irqs[0]);
	/* no mistake yet: an interrupt handler may have read the event in between */
	EXPECT_EQ(0, self->r.mistakes.n[EMU_MISTAKE_arm_stale]);
	arm_cq(self, 2, 2, false);
	post_nops(self, 1);
	EXPECT_EQ(1, self->r.irqs[0]);
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_arm_stale]);
}

/* Serial numbers have two bits; each number differs from the three others. */
TEST_F(cq, each_serial_number_is_another_one)
{
	for (unsigned used = 0; used < 4; used++) {
		for (unsigned next = 0; next < 4; next++) {
			struct core_rig_cq cq = core_rig_make_cq(&self->r, 4);
			struct emu_cq *emu_cq = emu_obj_at(&self->r.emu->table[EMU_CQ], cq.cqn);

			SCOPED_TRACE("%u after %u", next, used);
			emu_cq->pi = 1;
			emu_cq_arm(self->r.emu, emu_cq, used << PRM_CQ_ARM_SN_SHIFT);
			EXPECT_EQ(PRM_CQC_ST_FIRED, emu_cq->arm);
			emu_cq_arm(self->r.emu, emu_cq, next << PRM_CQ_ARM_SN_SHIFT | 1);
			EXPECT_EQ(next == used ? PRM_CQC_ST_FIRED : PRM_CQC_ST_ARMED, emu_cq->arm);
		}
	}
}

/* A CQ armed for solicited events fires for an error CQE, but not for an ordinary CQE. */
TEST_F(cq, a_solicited_arm_waits_for_an_error)
{
	struct core_rig_wqe p;

	arm_cq(self, 0, 0, true);
	post_nops(self, 2);
	EXPECT_EQ(0, self->r.irqs[0]);
	p = core_rig_begin_wqe(&self->sq, PRM_WQE_LSO, PRM_CE_ALWAYS);
	core_rig_end_wqe(&self->r, &p, true);
	emu_poll(self->r.emu, 1);
	EXPECT_EQ(1, self->r.irqs[0]);
}

/*
 * Two CQs are armed on one register before the engine runs: the second doorbell overwrites the
 * first.
 */
TEST_F(cq, engine_finds_an_overwritten_arm_in_the_record)
{
	struct core_rig_cq other = core_rig_make_cq(&self->r, 3);

	for (unsigned sn = 0; sn < 6; sn++) {
		SCOPED_TRACE("event %u", sn);
		write_arm(self, &self->cq, (sn & 3) << PRM_CQ_ARM_SN_SHIFT | self->cq.ci);
		write_arm(self, &other, (sn & 3) << PRM_CQ_ARM_SN_SHIFT);
		post_nops(self, 1);
		EXPECT_EQ(sn + 1, self->r.irqs[0]);
		core_rig_take_cqe(&self->cq);
		/* the record of a CQ whose event has fired does not arm it again */
		write_arm(self, &other, (sn & 3) << PRM_CQ_ARM_SN_SHIFT);
		post_nops(self, 1);
		EXPECT_EQ(sn + 1, self->r.irqs[0]);
		core_rig_take_cqe(&self->cq);
	}
	EXPECT_EQ(0, self->r.mistakes.n[EMU_MISTAKE_arm_stale]);
}

/* A CQ that is only polled gets no event, even if another CQ on its UAR page is armed. */
TEST_F(cq, record_marked_not_armed_does_not_arm)
{
	struct core_rig_cq other = core_rig_make_cq(&self->r, 3);

	self->cq.dbr[PRM_DBR_CQ_ARM] = prm_be32_of(PRM_CQ_ARM_SN_NONE << PRM_CQ_ARM_SN_SHIFT);
	write_arm(self, &other, 0);
	post_nops(self, 1);
	EXPECT_EQ(0, self->r.irqs[0]);
	/* the first arm of self->cq counts, although its doorbell was overwritten */
	self->cq.dbr[PRM_DBR_CQ_ARM] = prm_be32_of(0);
	write_arm(self, &other, 0);
	emu_poll(self->r.emu, 1);
	EXPECT_EQ(1, self->r.irqs[0]);
}

/* A driver may mark the record after CREATE_CQ, when the engine already took the CQ for armed. */
TEST_F(cq, record_marked_after_create_cq_does_not_arm)
{
	struct core_rig_cq other = core_rig_make_cq(&self->r, 3);

	write_arm(self, &other, 0);
	emu_poll(self->r.emu, 1);
	self->cq.dbr[PRM_DBR_CQ_ARM] = prm_be32_of(PRM_CQ_ARM_SN_NONE << PRM_CQ_ARM_SN_SHIFT);
	post_nops(self, 1);
	EXPECT_EQ(0, self->r.irqs[0]);
	arm_cq(self, 0, 0, false);
	EXPECT_EQ(1, self->r.irqs[0]);
}

/* ---- events ------------------------------------------------------------------------------ */

TEST_F(cq, eqe_names_the_cq_and_flips_the_owner_bit)
{
	struct emu_eq *eq = emu_obj_at(&self->r.emu->table[EMU_EQ], self->r.eqn);
	const unsigned n = 1u << eq->log_size;

	for (unsigned i = 0; i < 2 * n; i++) {
		const struct prm_eqe *eqe = emu_span_ptr(&eq->ring, (i % n) * sizeof(*eqe));

		arm_cq(self, i & 3, self->cq.ci, false);
		post_nops(self, 1);
		core_rig_take_cqe(&self->cq);
		EXPECT_EQ(i + 1, self->r.irqs[0]);
		EXPECT_EQ(PRM_EVENT_COMP, eqe->type);
		EXPECT_EQ(self->cq.cqn, prm_be32_get(eqe->data[6]));
		EXPECT_EQ(i / n & 1, eqe->owner & 1);
	}
}

TEST_F(cq, a_full_eq_loses_events)
{
	struct emu_eq *eq = emu_obj_at(&self->r.emu->table[EMU_EQ], self->r.eqn);
	const unsigned n = 1u << eq->log_size;
	const prm_be32 ci = prm_be32_of(self->r.eqn << PRM_EQ_CI_EQN_SHIFT | 1);
	uint64_t value = 0;

	eq->oi = false;
	for (unsigned i = 0; i < n + 1; i++)
		emu_eq_post(self->r.emu, eq, PRM_EVENT_COMP, 0, (const uint32_t[7]){ 0 });
	EXPECT_EQ(n, self->r.irqs[0]);
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_eq_overrun]);
	EXPECT_EQ(PRM_EQC_STATUS_EQ_WRITE_FAILURE, prm_get(&eq->ctx, status));
	memcpy(&value, &ci, sizeof(ci));
	emu_doorbell(self->r.emu, self->r.uar, PRM_UAR_EQ_CI, value);
	emu_eq_post(self->r.emu, eq, PRM_EVENT_COMP, 0, (const uint32_t[7]){ 0 });
	EXPECT_EQ(n + 1, self->r.irqs[0]);
	EXPECT_EQ(1, core_rig_count_mistakes(&self->r));
}
