/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_refuse.h"
#include "emu/base/mkey.h"
#include "emu/firmware/refuse.h"

enum { N_PAGES = 2 };

struct umem_cmd {
	struct prm_create_umem_in head;
	struct prm_mtt mtt[N_PAGES];
};

FIXTURE(umem)
{
	struct core_rig r;
	uint8_t *mem;
	struct umem_cmd in;
};

FIXTURE_SETUP(umem)
{
	struct prm_umem *umem = prm_sub(&self->in.head, umem);

	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
	self->mem = core_rig_alloc(&self->r, N_PAGES * CORE_RIG_PAGE);
	prm_set(&self->in.head, uid, self->r.uid);
	prm_set(umem, num_of_mtt, N_PAGES);
	for (int i = 0; i < N_PAGES; i++) {
		const uint64_t at = (uintptr_t)self->mem + (uint64_t)i * CORE_RIG_PAGE;

		prm_set(&self->in.mtt[i], ptag_63_32, at >> 32);
		prm_set(&self->in.mtt[i], ptag_31_8, (at & UINT32_MAX) >> 8);
		prm_set(&self->in.mtt[i], rd_en, 1);
	}
}

FIXTURE_TEARDOWN(umem)
{
	core_rig_close(&self->r);
}

static uint8_t create_umem(struct core_rig *r, struct umem_cmd *in, const struct emu_umem **umem)
{
	struct prm_create_umem_out out;
	const uint8_t status =
		core_rig_exec(r, PRM_OP_create_umem, in, sizeof(*in), &out, sizeof(out));

	*umem = emu_obj_at(&r->emu->table[EMU_UMEM], (uint32_t)prm_get(&out, umem_id));
	return status;
}

TEST_F(umem, begins_at_its_page_offset)
{
	const struct emu_umem *umem;

	prm_set(prm_sub(&self->in.head, umem), page_offset, 256);
	ASSERT_EQ(PRM_STATUS_OK, create_umem(&self->r, &self->in, &umem));
	EXPECT_EQ(self->mem + 256, umem->span.flat);
	EXPECT_EQ(N_PAGES * CORE_RIG_PAGE - 256, umem->span.bytes);
	EXPECT_FALSE(umem->span.write);
}

TEST_F(umem, num_of_mtt_must_equal_the_listed_pages)
{
	static const struct core_rig_refusal bad[] = {
		{ "more", "umem.num_of_mtt", N_PAGES + 1, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
		  "num_of_mtt: 3 is invalid (valid: 2, the" },
		{ "none", "umem.num_of_mtt", 0, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE },
		{ "fewer", "umem.num_of_mtt", N_PAGES - 1, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE },
	};

	CORE_RIG_EXPECT_REFUSALS(&self->r, bad, PRM_OP_create_umem, self->in);
}

static const struct core_rig_refusal bad_umems[] = {
	{ "offset_past_the_page", "umem.page_offset", CORE_RIG_PAGE, PRM_STATUS_BAD_PARAM,
	  EMU_SYND_PAGE },
	{ "page_larger_than_alignment", "umem.log_page_size", 9, PRM_STATUS_BAD_PARAM,
	  EMU_SYND_PAGE },
	{ "page_too_large", "umem.log_page_size", 31, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE },
};

TEST_F(umem, refuses_bad_geometry)
{
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_umems, PRM_OP_create_umem, self->in);
}

TEST_F(umem, pages_must_be_readable_and_have_equal_access)
{
	const struct emu_umem *umem;

	prm_set(&self->in.mtt[1], wr_en, 1);
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, create_umem(&self->r, &self->in, &umem));
	prm_set(&self->in.mtt[1], wr_en, 0);
	prm_set(&self->in.mtt[0], rd_en, 0);
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, create_umem(&self->r, &self->in, &umem));
	EXPECT_EQ(EMU_SYND_PAGE, core_rig_get_syndrome(&self->r));
}

TEST_F(umem, refuses_what_the_host_does_not_map)
{
	const struct emu_umem *umem;

	self->r.deny = (uintptr_t)self->mem + CORE_RIG_PAGE;
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, create_umem(&self->r, &self->in, &umem));
	EXPECT_EQ(EMU_SYND_HOST, core_rig_get_syndrome(&self->r));
	EXPECT_EQ(0, self->r.emu->table[EMU_UMEM].n_used);
}
