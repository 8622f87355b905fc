/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "core_rig_queue.h"
#include "emu/queue/cq_ring.h"

FIXTURE(mem)
{
	struct core_rig r;
	uint8_t *two;
	uint64_t run;
};
FIXTURE_SETUP(mem)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
	self->two = core_rig_alloc(&self->r, 4 * CORE_RIG_PAGE);
}
FIXTURE_TEARDOWN(mem) { core_rig_close(&self->r); }

static uint64_t dma_of(const void *list, uint32_t i)
{
	return ((const uint64_t *)list)[i];
}

enum { SHIFT = 12 };

TEST_F(mem, neighbouring_pages_make_a_flat_span)
{
	const uint64_t pages[] = { (uintptr_t)self->two, (uintptr_t)self->two + CORE_RIG_PAGE };
	const struct emu_span want = { .page_shift = SHIFT,
				       .first = 100,
				       .bytes = 2 * CORE_RIG_PAGE - 100 };
	struct emu_span s;

	ASSERT_EQ(0, emu_span_map(self->r.emu, &s, &want, dma_of, pages));
	EXPECT_EQ(self->two + 100, s.flat);
	EXPECT_EQ(2, s.n_pages);
	EXPECT_EQ(self->two + 100 + 5000, emu_span_at(&s, 5000, &self->run));
	EXPECT_EQ(2 * CORE_RIG_PAGE - 100 - 5000, self->run);
	emu_span_drop(&s);
}

TEST_F(mem, scattered_pages_are_walked)
{
	const uint64_t pages[] = { (uintptr_t)self->two + 2 * CORE_RIG_PAGE, (uintptr_t)self->two };
	const struct emu_span want = { .page_shift = SHIFT, .first = 4000, .bytes = 200 };
	struct emu_span s;

	ASSERT_EQ(0, emu_span_map(self->r.emu, &s, &want, dma_of, pages));
	EXPECT_EQ(NULL, s.flat);
	EXPECT_EQ(self->two + 2 * CORE_RIG_PAGE + 4000, emu_span_at(&s, 0, &self->run));
	EXPECT_EQ(96, self->run);
	EXPECT_EQ(self->two + 4, emu_span_at(&s, 100, &self->run));
	EXPECT_EQ(100, self->run);
	emu_span_drop(&s);
}

TEST_F(mem, what_the_host_lacks_is_not_mapped)
{
	const uint64_t pages[] = { (uintptr_t)self->two, (uintptr_t)self->two + CORE_RIG_PAGE };
	const struct emu_span want = { .page_shift = SHIFT, .bytes = 2 * CORE_RIG_PAGE };
	struct emu_span s;

	self->r.deny = pages[1] + 17;
	EXPECT_EQ(-EFAULT, emu_span_map(self->r.emu, &s, &want, dma_of, pages));
	EXPECT_EQ(NULL, s.pages);
}

TEST_F(mem, a_host_without_runs_is_asked_page_by_page)
{
	/* a page that nobody covers lies between in DMA space only when pages are apart */
	const uint64_t pages[] = { (uintptr_t)self->two, (uintptr_t)self->two + 2 * CORE_RIG_PAGE };
	const struct emu_span want = { .page_shift = SHIFT, .bytes = 2 * CORE_RIG_PAGE };
	struct emu_span s;

	self->r.deny = pages[0] + CORE_RIG_PAGE;
	ASSERT_EQ(0, emu_span_map(self->r.emu, &s, &want, dma_of, pages));
	EXPECT_EQ(self->two + 2 * CORE_RIG_PAGE, emu_span_at(&s, CORE_RIG_PAGE, &self->run));
	emu_span_drop(&s);
}

TEST_F(mem, a_slice_borrows)
{
	const uint64_t pages[] = { (uintptr_t)self->two + 2 * CORE_RIG_PAGE, (uintptr_t)self->two };
	const struct emu_span want = { .page_shift = SHIFT, .bytes = 2 * CORE_RIG_PAGE };
	struct emu_span s, slice;

	ASSERT_EQ(0, emu_span_map(self->r.emu, &s, &want, dma_of, pages));
	emu_span_slice(&slice, &s, CORE_RIG_PAGE, 64);
	EXPECT_EQ(self->two, emu_span_at(&slice, 0, &self->run));
	EXPECT_EQ(64, self->run);
	emu_span_drop(&slice);
	EXPECT_EQ(self->two, emu_span_at(&s, CORE_RIG_PAGE, &self->run));
	emu_span_drop(&s);
}

TEST_F(mem, mkey_gives_its_range_and_no_byte_more)
{
	struct core_rig *r = &self->r;
	const uint64_t at = (uintptr_t)self->two + 10;
	const uint32_t lkey = core_rig_make_mkey(r, self->two + 10, 6000, true);

	EXPECT_EQ(self->two + 10, emu_mkey_at(r->emu, lkey, r->pd, at, 6000, true, &self->run));
	EXPECT_EQ(6000, self->run);
	EXPECT_EQ(self->two + 6009,
		  emu_mkey_at(r->emu, lkey, r->pd, at + 5999, 1, false, &self->run));
	EXPECT_EQ(1, self->run);
	EXPECT_EQ(NULL, emu_mkey_at(r->emu, lkey, r->pd, at + 5999, 2, false, &self->run));
	EXPECT_EQ(NULL, emu_mkey_at(r->emu, lkey, r->pd, at + 6000, 1, false, &self->run));
	EXPECT_EQ(NULL, emu_mkey_at(r->emu, lkey, r->pd, at - 1, 1, false, &self->run));
	EXPECT_EQ(NULL, emu_mkey_at(r->emu, lkey, r->pd, at + 1, UINT64_MAX, false, &self->run));
}

TEST_F(mem, mkey_checks_tag_pd_and_access)
{
	struct core_rig *r = &self->r;
	const uint64_t at = (uintptr_t)self->two;
	const uint32_t lkey = core_rig_make_mkey(r, self->two, 64, false);

	EXPECT_NE(NULL, emu_mkey_at(r->emu, lkey, r->pd, at, 64, false, &self->run));
	EXPECT_EQ(NULL, emu_mkey_at(r->emu, lkey, r->pd, at, 64, true, &self->run));
	EXPECT_EQ(NULL, emu_mkey_at(r->emu, lkey ^ 1, r->pd, at, 64, false, &self->run));
	EXPECT_EQ(NULL, emu_mkey_at(r->emu, lkey + 0x100, r->pd, at, 64, false, &self->run));
	EXPECT_EQ(NULL, emu_mkey_at(r->emu, lkey, r->pd + 1, at, 64, false, &self->run));
	EXPECT_EQ(NULL, emu_mkey_at(r->emu, 0, r->pd, at, 64, false, &self->run));
}

TEST_F(mem, invalidate_forgets_what_it_names_only)
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

TEST_F(mem, invalidate_reaches_the_rings_in_a_umem)
{
	struct core_rig_cq cq =
		core_rig_make_cq(&self->r, 7); /* two pages and one of the doorbell record */
	struct emu_cq *obj = emu_obj_at(&self->r.emu->table[EMU_CQ], cq.cqn);

	EXPECT_EQ((void *)cq.cqe, emu_span_ptr(&obj->ring, 0));
	EXPECT_EQ((void *)cq.dbr, emu_span_ptr(&obj->dbr, 0));
	emu_invalidate(self->r.emu, (uintptr_t)cq.cqe, 64);
	EXPECT_EQ(NULL, emu_span_ptr(&obj->ring, 0));
	EXPECT_EQ((void *)&cq.cqe[64], emu_span_ptr(&obj->ring, CORE_RIG_PAGE));
	EXPECT_EQ((void *)cq.dbr, emu_span_ptr(&obj->dbr, 0));
}
