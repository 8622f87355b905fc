/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_queue.h"
#include "emu/base/mkey.h"
#include "emu/queue/cq_ring.h"

FIXTURE(invalidate)
{
	struct core_rig r;
	uint8_t *two;
	uint64_t run;
};
FIXTURE_SETUP(invalidate)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
	self->two = core_rig_alloc(&self->r, 4 * CORE_RIG_PAGE);
}
FIXTURE_TEARDOWN(invalidate)
{
	core_rig_close(&self->r);
}

TEST_F(invalidate, removes_only_the_named_pages)
{
	struct core_rig *r = &self->r;
	const uint64_t at = (uintptr_t)self->two;
	const uint32_t lkey = core_rig_make_mkey(r, self->two, 2 * CORE_RIG_PAGE, true);

	emu_invalidate(r->emu, at + CORE_RIG_PAGE + 5, 1);
	EXPECT_EQ(self->two, emu_mkey_at(r->emu, lkey, r->pd, at, 64, true, &self->run));
	EXPECT_EQ(NULL, emu_mkey_at(r->emu, lkey, r->pd, at + CORE_RIG_PAGE, 64, true, &self->run));
	emu_invalidate(r->emu, at + 2 * CORE_RIG_PAGE, CORE_RIG_PAGE);
	EXPECT_EQ(self->two, emu_mkey_at(r->emu, lkey, r->pd, at, 64, true, &self->run));
}

TEST_F(invalidate, reaches_the_rings_in_a_umem)
{
	struct core_rig_cq cq =
		core_rig_make_cq(&self->r, 7); /* three pages: two of CQEs, one with the record */
	struct emu_cq *obj = emu_obj_at(&self->r.emu->table[EMU_CQ], cq.cqn);

	EXPECT_EQ((void *)cq.cqe, emu_span_ptr(&obj->ring, 0));
	EXPECT_EQ((void *)cq.dbr, emu_span_ptr(&obj->dbr, 0));
	emu_invalidate(self->r.emu, (uintptr_t)cq.cqe, 64);
	EXPECT_EQ(NULL, emu_span_ptr(&obj->ring, 0));
	EXPECT_EQ((void *)&cq.cqe[64], emu_span_ptr(&obj->ring, CORE_RIG_PAGE));
	EXPECT_EQ((void *)cq.dbr, emu_span_ptr(&obj->dbr, 0));
}
