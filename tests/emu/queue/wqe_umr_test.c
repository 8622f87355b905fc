/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "emu/base/mkey.h"
#include "prm/cqe.h"
#include "umr_rig.h"

FIXTURE(umr)
{
	struct umr_rig u;
};

FIXTURE_SETUP(umr)
{
	umr_rig_open(&self->u);
}

FIXTURE_TEARDOWN(umr)
{
	umr_rig_close(&self->u);
}

TEST_F(umr, a_free_mkey_becomes_a_range_of_pages)
{
	const struct umr_change c =
		umr_enable(0x10000010, UMR_PAGES * CORE_RIG_PAGE - 0x10, self->u.r.pd);
	const uint32_t lkey = self->u.mkey << 8 | UMR_TAG;
	uint64_t run;

	EXPECT_EQ(NULL, emu_mkey_at(self->u.r.emu, lkey, self->u.r.pd, 0x10000010, 1, true, &run));
	EXPECT_EQ(PRM_CQE_REQ, umr_rig_post(&self->u, &c));
	EXPECT_EQ(self->u.mem + 7 * CORE_RIG_PAGE + 0x10,
		  emu_mkey_at(self->u.r.emu, lkey, self->u.r.pd, 0x10000010, 8, true, &run));
	EXPECT_EQ(self->u.mem + 5, emu_mkey_at(self->u.r.emu, lkey, self->u.r.pd,
					       0x10000000 + 7 * CORE_RIG_PAGE + 5, 8, true, &run));
	EXPECT_EQ(NULL, emu_mkey_at(self->u.r.emu, lkey, self->u.r.pd, 0x1000000f, 8, true, &run));
	EXPECT_EQ(NULL,
		  emu_mkey_at(self->u.r.emu, lkey ^ 1, self->u.r.pd, 0x10000010, 8, true, &run));
}

TEST_F(umr, a_page_without_access_faults_alone)
{
	struct umr_change c = umr_enable(0, UMR_PAGES * CORE_RIG_PAGE, self->u.r.pd);
	const uint32_t lkey = self->u.mkey << 8 | UMR_TAG;
	uint64_t run;

	EXPECT_EQ(PRM_CQE_REQ, umr_rig_post(&self->u, &c));
	c = (struct umr_change){ .flags = PRM_UMR_CHECK_FREE, .n = 2 };
	memset(self->u.list, 0, CORE_RIG_PAGE);
	EXPECT_EQ(PRM_CQE_REQ,
		  umr_rig_post_seg(&self->u, &c,
				   &(struct prm_data_seg){ prm_be32_of(16),
							   prm_be32_of(self->u.pa_key),
							   prm_be64_of((uintptr_t)self->u.list) }));
	EXPECT_EQ(NULL, emu_mkey_at(self->u.r.emu, lkey, self->u.r.pd, 0, 1, true, &run));
	EXPECT_NE(NULL,
		  emu_mkey_at(self->u.r.emu, lkey, self->u.r.pd, 2 * CORE_RIG_PAGE, 1, true, &run));
}

TEST_F(umr, freed_mkey_allows_no_access)
{
	struct umr_change c = umr_enable(0, UMR_PAGES * CORE_RIG_PAGE, self->u.r.pd);
	uint64_t run;

	EXPECT_EQ(PRM_CQE_REQ, umr_rig_post(&self->u, &c));
	c = (struct umr_change){ .flags = PRM_UMR_CHECK_FREE, .mask = UMR_MASK(FREE) };
	prm_set(&c.mkc, free, 1);
	EXPECT_EQ(PRM_CQE_REQ, umr_rig_post(&self->u, &c));
	EXPECT_EQ(NULL, emu_mkey_at(self->u.r.emu, self->u.mkey << 8 | UMR_TAG, self->u.r.pd, 0, 1,
				    true, &run));
	c = umr_enable(0x5000, CORE_RIG_PAGE, self->u.r.pd);
	EXPECT_EQ(PRM_CQE_REQ, umr_rig_post(&self->u, &c)); /* the mkey can be used again */
}

TEST_F(umr, umr_refuses_when_the_free_check_fails)
{
	const struct umr_change claims_used = { .flags = PRM_UMR_CHECK_FREE };

	EXPECT_EQ(PRM_CQE_REQ_ERR, umr_rig_post(&self->u, &claims_used));
}

TEST_F(umr, a_range_beyond_the_list_is_refused)
{
	const struct umr_change c = umr_enable(0, (UMR_PAGES + 1) * CORE_RIG_PAGE, self->u.r.pd);

	EXPECT_EQ(PRM_CQE_REQ_ERR, umr_rig_post(&self->u, &c));
}

TEST_F(umr, a_page_size_of_six_bits_is_refused)
{
	struct umr_change c = umr_enable(0, CORE_RIG_PAGE, self->u.r.pd);

	prm_set(&c.mkc, log_page_size, 32);
	EXPECT_EQ(PRM_CQE_REQ_ERR, umr_rig_post(&self->u, &c));
}

TEST_F(umr, an_mkey_made_without_umr_en_is_not_changed)
{
	const struct umr_change c = umr_enable(0, CORE_RIG_PAGE, self->u.r.pd);

	self->u.mkey = self->u.pa_key >> 8;
	EXPECT_EQ(PRM_CQE_REQ_ERR, umr_rig_post(&self->u, &c));
}

TEST_F(umr, umr_refuses_a_list_that_the_host_does_not_map)
{
	struct umr_change c = umr_enable(0, CORE_RIG_PAGE, self->u.r.pd);

	self->u.r.deny = (uintptr_t)self->u.list;
	EXPECT_EQ(PRM_CQE_REQ_ERR, umr_rig_post(&self->u, &c));
	self->u.r.deny = 0;
}

/* The profile lacks umr_modify_atomic, relaxed_ordering_*_umr and other capabilities. */
TEST_F(umr, umr_refuses_a_field_without_its_capability)
{
	const uint64_t may = UMR_MASK(LEN) | UMR_MASK(PAGE_SIZE) | UMR_MASK(START_ADDR) |
			     UMR_MASK(PD) | UMR_MASK(KEY) | UMR_MASK(LR) | UMR_MASK(LW) |
			     UMR_MASK(RR) | UMR_MASK(RW) | UMR_MASK(FREE);
	struct emu_mkey *key = emu_obj_at(&self->u.r.emu->table[EMU_MKEY], self->u.mkey);

	for (unsigned bit = 0; bit < 64; bit++) {
		struct umr_change c = umr_enable(0, CORE_RIG_PAGE, self->u.r.pd);

		SCOPED_TRACE("bit %u", bit);
		c.mask |= 1ull << bit;
		if (may >> bit & 1)
			continue;
		EXPECT_EQ(PRM_CQE_REQ_ERR, umr_rig_post(&self->u, &c));
		EXPECT_TRUE(key->free);
		umr_rig_restart(&self->u);
	}
	for (unsigned bit = 0; bit < 4; bit++) {
		struct umr_change c = umr_enable(0, CORE_RIG_PAGE, self->u.r.pd);

		SCOPED_TRACE("flag %u", bit);
		c.flags |= (uint8_t)(1u << bit);
		EXPECT_EQ(PRM_CQE_REQ_ERR, umr_rig_post(&self->u, &c));
		umr_rig_restart(&self->u);
	}
}

TEST_F(umr, a_qp_in_error_can_be_started_again)
{
	const struct umr_change bad = { .flags = PRM_UMR_CHECK_FREE };
	const struct umr_change good = umr_enable(0, CORE_RIG_PAGE, self->u.r.pd);

	EXPECT_EQ(PRM_CQE_REQ_ERR, umr_rig_post(&self->u, &bad));
	umr_rig_restart(&self->u);
	EXPECT_EQ(PRM_CQE_REQ, umr_rig_post(&self->u, &good));
}
