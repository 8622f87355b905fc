/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "emu/firmware/object.h"
#include "emu/queue/cq_ring.h"
#include "core_rig_post.h"
#include "prm/wqe.h"

/* Tests how long the event of an armed CQ waits, on a held clock. Each NOP makes one CQE. */

enum {
	MODIFY_PERIOD = PRM_MODIFY_CQ_SELECT_CQ_PERIOD,
	MODIFY_COUNT = PRM_MODIFY_CQ_SELECT_CQ_MAX_COUNT,
	MODIFY_PERIOD_MODE = PRM_MODIFY_CQ_SELECT_CQ_PERIOD_MODE,
	PERIOD_MAX_US = 4095,
};
enum { PERIOD_MAX_NS = PERIOD_MAX_US * 1000 };

FIXTURE(moderation)
{
	struct core_rig r;
	struct core_rig_cq cq;
	struct core_rig_sq sq;
	unsigned sn;
};

static void pass_time(struct ct_fix_moderation *self, uint64_t ns)
{
	emu_set_clock(self->r.adapter, EMU_CLOCK_HELD, ns);
	emu_poll(self->r.emu, 1);
}

FIXTURE_SETUP(moderation)
{
	core_rig_open(&self->r, &(struct core_rig_config){ .wire = "sink" });
	pass_time(self, 0);
	self->cq = core_rig_make_cq(&self->r, 6);
	self->sq = core_rig_make_sq(&self->r, 8, self->cq.cqn);
}

FIXTURE_TEARDOWN(moderation)
{
	core_rig_close(&self->r);
}

static struct emu_cq *find_cq(const struct ct_fix_moderation *self)
{
	return emu_obj_at(&self->r.emu->table[EMU_CQ], self->cq.cqn);
}

static uint8_t modify_all(struct ct_fix_moderation *self, unsigned select, unsigned period_us,
			  unsigned count, unsigned mode)
{
	struct prm_modify_cq_in in = { 0 };
	struct prm_modify_cq_out out;
	struct prm_cqc *cqc = prm_sub(&in, cq_context);

	core_rig_set_field(
		&in, PRM_OP_modify_cq,
		"modify_field_select_resize_field_select.modify_field_select.modify_field_select",
		select);
	prm_set(&in, cqn, self->cq.cqn);
	prm_set(cqc, cq_period, period_us);
	prm_set(cqc, cq_max_count, count);
	prm_set(cqc, cq_period_mode, mode);
	return core_rig_exec(&self->r, PRM_OP_modify_cq, &in, sizeof(in), &out, sizeof(out));
}

static void modify_both(struct ct_fix_moderation *self, unsigned period_us, unsigned count)
{
	EXPECT_EQ(PRM_STATUS_OK,
		  modify_all(self, MODIFY_PERIOD | MODIFY_COUNT, period_us, count, 3));
}

static void post_nops(struct ct_fix_moderation *self, unsigned n)
{
	while (n--) {
		struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_NOP, PRM_CE_ALWAYS);

		core_rig_end_wqe(&self->r, &p, true);
		emu_poll(self->r.emu, 1);
	}
}

/* Arms the CQ as a driver does that has read all CQEs and the previous event. */
static void arm_cq(struct ct_fix_moderation *self)
{
	prm_be32 word[2];

	while (core_rig_take_cqe(&self->cq))
		;
	word[0] = prm_be32_of(self->sn++ << PRM_CQ_ARM_SN_SHIFT | self->cq.ci);
	word[1] = prm_be32_of(self->cq.cqn);
	self->cq.dbr[PRM_DBR_CQ_ARM] = word[0];
	memcpy((uint8_t *)self->r.uar_page + PRM_UAR_CQ_ARM, word, sizeof(word));
	emu_poll(self->r.emu, 1);
}

/* Fires a first event, sets @count and the longest period, and arms the CQ again. */
static void start_period(struct ct_fix_moderation *self, unsigned count)
{
	modify_both(self, 0, 0);
	arm_cq(self);
	post_nops(self, 1);
	EXPECT_EQ(1, self->r.irqs[0]);
	modify_both(self, PERIOD_MAX_US, count);
	EXPECT_EQ(PERIOD_MAX_NS, find_cq(self)->period_ns);
	arm_cq(self);
}

TEST_F(moderation, event_waits_for_max_count_cqes)
{
	start_period(self, 3);
	for (unsigned events = 1; events < 5; events++) {
		post_nops(self, 2);
		EXPECT_EQ(events, self->r.irqs[0]);
		post_nops(self, 1);
		EXPECT_EQ(events + 1, self->r.irqs[0]);
		post_nops(self, 3); /* the CQ is not armed */
		EXPECT_EQ(events + 1, self->r.irqs[0]);
		arm_cq(self);
	}
}

TEST_F(moderation, event_waits_at_most_its_period)
{
	enum { PERIOD_US = 2000, PERIOD_NS = PERIOD_US * 1000, BETWEEN_NS = 500000 };

	start_period(self, 0);
	EXPECT_EQ(PRM_STATUS_OK,
		  modify_all(self, MODIFY_PERIOD | MODIFY_PERIOD_MODE, PERIOD_US, 77, 1));
	EXPECT_EQ(0, find_cq(self)->max_count); /* not 77, because MODIFY_COUNT is absent */
	EXPECT_TRUE(find_cq(self)->period_from_cqe);
	pass_time(self, 10 * PERIOD_MAX_NS);
	post_nops(self, 1);
	pass_time(self, BETWEEN_NS);
	post_nops(self, 1); /* the period begins again */
	pass_time(self, PERIOD_NS - 1);
	EXPECT_EQ(1, self->r.irqs[0]);
	pass_time(self, 1);
	EXPECT_EQ(2, self->r.irqs[0]);
	EXPECT_EQ(NULL, self->r.emu->due);
}

TEST_F(moderation, period_may_start_at_the_last_event)
{
	start_period(self, 0);
	pass_time(self, PERIOD_MAX_NS - 2);
	post_nops(self, 1);
	pass_time(self, 1);
	post_nops(self, 1);
	EXPECT_EQ(1, self->r.irqs[0]);
	pass_time(self, 1);
	EXPECT_EQ(2, self->r.irqs[0]);
}

TEST_F(moderation, event_fires_at_once_if_the_period_is_over)
{
	start_period(self, 100);
	pass_time(self, PERIOD_MAX_NS);
	EXPECT_EQ(1, self->r.irqs[0]);
	post_nops(self, 1);
	EXPECT_EQ(2, self->r.irqs[0]);
}

TEST_F(moderation, count_without_period_does_not_delay_the_event)
{
	start_period(self, 3);
	modify_both(self, 0, 3);
	post_nops(self, 1);
	EXPECT_EQ(2, self->r.irqs[0]);
}

TEST_F(moderation, modify_cq_refuses_an_unknown_period_mode)
{
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, modify_all(self, MODIFY_PERIOD_MODE, 0, 0, 2));
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, modify_all(self, 1 << 3, 0, 0, 0));
}

TEST_F(moderation, error_cqe_fires_at_once)
{
	struct core_rig_wqe p;

	start_period(self, 100);
	p = core_rig_begin_wqe(&self->sq, PRM_WQE_LSO, PRM_CE_ALWAYS);
	core_rig_end_wqe(&self->r, &p, true);
	emu_poll(self->r.emu, 1);
	EXPECT_EQ(2, self->r.irqs[0]);
}

TEST_F(moderation, destroyed_cq_drops_its_waiting_event)
{
	start_period(self, 100);
	post_nops(self, 1);
	EXPECT_EQ(find_cq(self), self->r.emu->due);
	emu_release_all(self->r.emu);
	EXPECT_EQ(NULL, self->r.emu->due);
	emu_poll(self->r.emu, 1);
	EXPECT_EQ(1, self->r.irqs[0]);
}
