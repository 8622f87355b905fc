/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "emu/base/dev.h"
#include "emu/base/mkey.h"
#include "prm/cqe.h"
#include "umr_rig.h"

FIXTURE(umr_list)
{
	struct umr_rig u;
};

FIXTURE_SETUP(umr_list)
{
	umr_rig_open(&self->u);
}

FIXTURE_TEARDOWN(umr_list)
{
	umr_rig_close(&self->u);
}

/* ---- lists of pages ----------------------------------------------------------------------- */

TEST_F(umr_list, list_may_be_in_the_wqe_and_change_a_part)
{
	struct umr_change c = umr_enable(0, UMR_PAGES * CORE_RIG_PAGE, self->u.r.pd);
	const uint32_t lkey = self->u.mkey << 8 | UMR_TAG;
	uint64_t list[UMR_PAGES], run;

	for (unsigned i = 0; i < UMR_PAGES; i++)
		list[i] = umr_rig_list_page(&self->u, i);
	EXPECT_EQ(PRM_CQE_REQ, umr_rig_post_inline(&self->u, &c, list, 0, 12));
	EXPECT_EQ(self->u.mem + 3,
		  emu_mkey_at(self->u.r.emu, lkey, self->u.r.pd, 3, 1, true, &run));
	list[0] = umr_rig_list_page(&self->u, 7);
	list[1] = umr_rig_list_page(&self->u, 6);
	c = (struct umr_change){ .flags = PRM_UMR_CHECK_FREE, .n = 2 };
	EXPECT_EQ(PRM_CQE_REQ, umr_rig_post_inline(&self->u, &c, list, 2, 9));
	for (unsigned i = 0; i < UMR_PAGES; i++) {
		const unsigned page = i == 4 ? 7 : i == 5 ? 6 : i;

		SCOPED_TRACE("page %u", i);
		EXPECT_EQ(self->u.mem + page * CORE_RIG_PAGE,
			  emu_mkey_at(self->u.r.emu, lkey, self->u.r.pd, i * CORE_RIG_PAGE, 1, true,
				      &run));
	}
	EXPECT_EQ(0, core_rig_count_mistakes(&self->u.r));
}

/* Linux pads a list with zeroes, also beyond the list of the mkey. */
TEST_F(umr_list, list_beyond_that_of_the_mkey_has_zeroes_only)
{
	struct umr_change c = { .flags = PRM_UMR_CHECK_NOT_FREE, .n = 4 };
	uint64_t list[4] = { umr_rig_list_page(&self->u, 0), umr_rig_list_page(&self->u, 1) };

	EXPECT_EQ(PRM_CQE_REQ, umr_rig_post_inline(&self->u, &c, list, 3, 10));
	list[2] = umr_rig_list_page(&self->u, 2);
	EXPECT_EQ(PRM_CQE_REQ_ERR, umr_rig_post_inline(&self->u, &c, list, 3, 10));
}

static const struct short_list {
	const char *name;
	uint8_t n_ds;
} short_lists[] = {
	{ "one_octword_less", 9 },
	{ "none", 8 },
	{ "no_mkey_segment", 7 },
};

TEST_F_EACH(umr_list, list_in_the_wqe_is_not_longer_than_the_wqe, struct short_list, short_lists)
{
	const struct umr_change c = { .flags = PRM_UMR_CHECK_NOT_FREE, .n = 4 };
	const uint64_t list[4] = { 0 };

	EXPECT_EQ(PRM_CQE_REQ, umr_rig_post_inline(&self->u, &c, list, 0, 10));
	EXPECT_EQ(PRM_CQE_REQ_ERR, umr_rig_post_inline(&self->u, &c, list, 0, row->n_ds));
	EXPECT_EQ(1, self->u.r.mistakes.n[EMU_MISTAKE_bad_wqe]);
}

TEST_F(umr_list, list_in_memory_is_as_long_as_its_segment_and_of_a_kernel_mkey)
{
	struct emu_mkey *pa = emu_obj_at(&self->u.r.emu->table[EMU_MKEY], self->u.pa_key >> 8);
	const struct umr_change c = { .flags = PRM_UMR_CHECK_NOT_FREE, .n = 2 };
	struct prm_data_seg seg = { prm_be32_of(16), prm_be32_of(self->u.pa_key),
				    prm_be64_of((uintptr_t)self->u.list) };

	EXPECT_EQ(PRM_CQE_REQ, umr_rig_post_seg(&self->u, &c, &seg));
	seg.byte_count = prm_be32_of(15);
	EXPECT_EQ(PRM_CQE_REQ_ERR, umr_rig_post_seg(&self->u, &c, &seg));
	seg.byte_count = prm_be32_of(16);
	umr_rig_restart(&self->u);
	pa->obj.uid = self->u.r.uid;
	EXPECT_EQ(PRM_CQE_REQ_ERR, umr_rig_post_seg(&self->u, &c, &seg));
	pa->obj.uid = 0;
	umr_rig_restart(&self->u);
	seg.lkey = prm_be32_of(0xbad00);
	EXPECT_EQ(PRM_CQE_REQ_ERR, umr_rig_post_seg(&self->u, &c, &seg));
}

/* ---- fields --------------------------------------------------------------------------------- */

#define FIELD(bit, field)                                                                          \
	{                                                                                          \
#field, UMR_MASK(bit), prm_bit((const struct prm_mkc *)0, field),                  \
			prm_width((const struct prm_mkc *)0, field)                                \
	}

static const struct field {
	const char *name;
	uint64_t mask;
	size_t bit, width;
} fields[] = {
	FIELD(LEN, len),
	FIELD(PAGE_SIZE, log_page_size),
	FIELD(START_ADDR, start_addr),
	FIELD(KEY, mkey_7_0),
	FIELD(LR, lr),
	FIELD(LW, lw),
	FIELD(RR, rr),
	FIELD(RW, rw),
	FIELD(PD, pd),
};

/* The mkey stays free, so any range of pages is possible. */
TEST_F_EACH(umr_list, field_is_changed_only_if_the_mask_has_it, struct field, fields)
{
	const struct emu_mkey *key = emu_obj_at(&self->u.r.emu->table[EMU_MKEY], self->u.mkey);
	struct umr_change c = { .flags = PRM_UMR_CHECK_NOT_FREE, .mask = row->mask };
	struct prm_mkc want = key->ctx;
	struct prm_alloc_pd_in in = { 0 };
	struct prm_alloc_pd_out out;

	CORE_RIG_OK(&self->u.r, alloc_pd, &in, &out);
	FOR_EACH_ROW (other, fields)
		prm_set_(c.mkc.dw, other->bit, other->width, 1);
	prm_set(&c.mkc, pd, prm_get(&out, pd));
	prm_set_(want.dw, row->bit, row->width, prm_get_(c.mkc.dw, row->bit, row->width));
	EXPECT_EQ(PRM_CQE_REQ, umr_rig_post(&self->u, &c));
	EXPECT_MEMEQ(&want, &key->ctx, sizeof(want));
	EXPECT_EQ(prm_get(&want, start_addr), key->start_addr);
	EXPECT_EQ(prm_get(&want, len), key->bytes);
	EXPECT_EQ(prm_get(&want, mkey_7_0), key->tag);
	EXPECT_EQ(prm_get(&want, pd), key->pd);
	EXPECT_EQ(prm_get(&want, lr), key->lr);
	EXPECT_EQ(prm_get(&want, lw), key->lw);
	EXPECT_EQ(prm_get(&want, rr), key->rr);
	EXPECT_EQ(prm_get(&want, rw), key->rw);
}

TEST_F(umr_list, an_mkey_holds_a_reference_to_its_last_pd)
{
	struct prm_alloc_pd_in in = { 0 };
	struct prm_alloc_pd_out out;
	struct umr_change c = umr_enable(0, CORE_RIG_PAGE, 0);
	const struct emu_obj *old = emu_obj_at(&self->u.r.emu->table[EMU_PD], self->u.r.pd), *new;
	const uint32_t refs = old->refs;

	CORE_RIG_OK(&self->u.r, alloc_pd, &in, &out);
	new = emu_obj_at(&self->u.r.emu->table[EMU_PD], (uint32_t)prm_get(&out, pd));
	prm_set(&c.mkc, pd, prm_get(&out, pd));
	EXPECT_EQ(PRM_CQE_REQ, umr_rig_post(&self->u, &c));
	EXPECT_EQ(refs - 1, old->refs);
	EXPECT_EQ(1, new->refs);
	c.flags = PRM_UMR_CHECK_FREE;
	prm_set(&c.mkc, pd, 1);
	EXPECT_EQ(PRM_CQE_REQ_ERR, umr_rig_post(&self->u, &c)); /* no such PD */
	EXPECT_EQ(1, new->refs);
}

TEST_F(umr_list, reserved_bits_and_small_pages_are_refused)
{
	struct umr_change c = umr_enable(0, CORE_RIG_PAGE, self->u.r.pd);

	prm_set(&c.mkc, log_page_size, 11);
	EXPECT_EQ(PRM_CQE_REQ_ERR, umr_rig_post(&self->u, &c));
	for (unsigned i = 0; i < 2; i++) {
		struct prm_umr_seg *umr = (struct prm_umr_seg *)(self->u.sq.ring + PRM_DS_BYTES);
		struct prm_ctrl_seg *ctrl = (struct prm_ctrl_seg *)self->u.sq.ring;
		const struct prm_cqe *cqe;

		umr_rig_restart(&self->u);
		memset(self->u.sq.ring, 0, 2 * PRM_WQEBB_BYTES);
		*ctrl = (struct prm_ctrl_seg){ .opmod_idx_opcode = prm_ctrl_dw0(0, 0, PRM_WQE_UMR),
					       .qpn_ds = prm_ctrl_dw1(self->u.sq.sqn, 8),
					       .fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT,
					       .imm = prm_be32_of(self->u.mkey << 8) };
		*(i ? &umr->rsvd14[27] : &umr->rsvd01[2]) = 1;
		self->u.sq.pi = 2;
		core_rig_ring_sq(&self->u.r, &self->u.sq, ctrl);
		emu_poll(self->u.r.emu, 64);
		cqe = core_rig_take_cqe(&self->u.cq);
		ASSERT_NE(NULL, cqe);
		EXPECT_EQ(PRM_CQE_REQ_ERR, prm_cqe_opcode(cqe->op_own));
		EXPECT_EQ(PRM_SYND_MW_BIND, ((const struct prm_err_cqe *)cqe)->syndrome);
	}
}
