/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig.h"
#include "emu/base/mkey.h"

FIXTURE(mkey_at)
{
	struct core_rig r;
	uint8_t *two;
	uint64_t run;
};
FIXTURE_SETUP(mkey_at)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
	self->two = core_rig_alloc(&self->r, 4 * CORE_RIG_PAGE);
}
FIXTURE_TEARDOWN(mkey_at)
{
	core_rig_close(&self->r);
}

TEST_F(mkey_at, translates_the_range_of_the_mkey_and_no_byte_beyond)
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

TEST_F(mkey_at, checks_tag_pd_and_access)
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
