/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "emu/base/mkey.h"
#include "core_rig_qp.h"
#include "prm/cqe.h"
#include "prm/wqe.h"

enum { PAGES = 8, LOG_SQ = 5, N_DS = 9, TAG = 0x42 };
#define MASK(bit) (1ull << PRM_UMR_MASK_##bit)

/* The kernel's QP for UMRs, its physical mkey, and a free mkey with room for 8 pages. */
FIXTURE(umr)
{
	struct core_rig r;
	struct core_rig_cq cq;
	struct core_rig_sq sq; /* send queue of the QP */
	uint32_t pa_key, mkey; /* lkey of the physical mkey; number of the free mkey */
	uint64_t *list;
	uint8_t *mem;
};

static uint32_t create_mkey(struct core_rig *r, bool physical)
{
	struct prm_create_mkey_in in = { 0 };
	struct prm_mkc *mkc = prm_sub(&in, memory_key_mkey_entry);
	struct prm_create_mkey_out out;

	prm_set(&in, opcode, PRM_OP_create_mkey);
	prm_set(mkc, qpn, PRM_MKC_QPN_ANY);
	prm_set(mkc, pd, r->pd);
	prm_set(mkc, lr, physical);
	prm_set(mkc, length64, physical);
	if (!physical) {
		prm_set(mkc, free, 1);
		prm_set(mkc, umr_en, 1);
		prm_set(mkc, access_mode_1_0, PRM_MKC_ACCESS_MODE_MTT);
		prm_set(mkc, log_page_size, 12);
		prm_set(mkc, translations_octword_size, PAGES / 2);
	}
	EXPECT_EQ(PRM_STATUS_OK, emu_exec(r->emu, &in, sizeof(in), &out, sizeof(out)));
	return (uint32_t)prm_get(&out, mkey_index);
}

FIXTURE_SETUP(umr)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
	self->cq = core_rig_make_cq(&self->r, 4);
	self->sq = core_rig_make_umr_qp(&self->r, LOG_SQ, self->cq.cqn);
	self->pa_key = create_mkey(&self->r, true) << 8;
	self->mkey = create_mkey(&self->r, false);
	self->list = core_rig_alloc(&self->r, CORE_RIG_PAGE);
	self->mem = core_rig_alloc(&self->r, PAGES * CORE_RIG_PAGE);
}

FIXTURE_TEARDOWN(umr)
{
	core_rig_close(&self->r);
}

struct change {
	uint8_t flags;
	unsigned n; /* pages in the list: the last page of mem comes first */
	uint64_t mask;
	struct prm_mkc mkc;
};

/* Posts one UMR and steps the engine. Returns the opcode of its CQE, or of no CQE. */
static uint8_t post_umr(struct core_rig *r, struct core_rig_cq *cq, struct core_rig_sq *sq,
			uint32_t mkey, const struct change *c, const struct prm_data_seg *list)
{
	uint8_t wqe[3 * PRM_WQEBB_BYTES] = { 0 };
	struct prm_ctrl_seg *ctrl = (struct prm_ctrl_seg *)wqe;
	struct prm_umr_seg *umr = (struct prm_umr_seg *)(wqe + PRM_DS_BYTES);
	struct prm_cqe *cqe;

	*ctrl = (struct prm_ctrl_seg){ .opmod_idx_opcode = prm_ctrl_dw0(0, sq->pi, PRM_WQE_UMR),
				       .qpn_ds = prm_ctrl_dw1(sq->sqn, N_DS),
				       .fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT,
				       .imm = prm_be32_of(mkey << 8) };
	umr->flags = c->flags;
	umr->xlt_octowords = prm_be16_of((uint16_t)(c->n / 2));
	umr->mkey_mask = prm_be64_of(c->mask);
	memcpy(wqe + 4 * PRM_DS_BYTES, &c->mkc, sizeof(c->mkc));
	memcpy(wqe + 8 * PRM_DS_BYTES, list, sizeof(*list));
	for (unsigned i = 0; i < sizeof(wqe); i++)
		sq->ring[(sq->pi * PRM_WQEBB_BYTES + i) % (sq->n * PRM_WQEBB_BYTES)] = wqe[i];
	sq->pi += 3;
	core_rig_ring_sq(r, sq, ctrl);
	emu_poll(r->emu, 64);
	cqe = core_rig_take_cqe(cq);
	return cqe ? prm_cqe_opcode(cqe->op_own) : PRM_CQE_INVALID;
}

static uint8_t list_and_post(struct core_rig *r, struct core_rig_cq *cq, struct core_rig_sq *sq,
			     uint32_t mkey, const struct change *c, uint64_t *list,
			     const uint8_t *mem, uint32_t pa_key)
{
	const struct prm_data_seg seg = { prm_be32_of(c->n * 8), prm_be32_of(pa_key),
					  prm_be64_of((uintptr_t)list) };

	for (unsigned i = 0; i < c->n; i++)
		list[i] = prm_swap64((uintptr_t)(mem + (c->n - 1 - i) * CORE_RIG_PAGE) |
				     PRM_MTT_READ | PRM_MTT_WRITE);
	return post_umr(r, cq, sq, mkey, c, &seg);
}

#define UMR(c)                                                                                     \
	list_and_post(&self->r, &self->cq, &self->sq, self->mkey, (c), self->list, self->mem,      \
		      self->pa_key)

static struct change enable_mkey(uint64_t start, uint64_t len, uint32_t pd)
{
	struct change c = { .flags = PRM_UMR_CHECK_NOT_FREE,
			    .n = PAGES,
			    .mask = MASK(LEN) | MASK(PAGE_SIZE) | MASK(START_ADDR) | MASK(PD) |
				    MASK(KEY) | MASK(LR) | MASK(LW) | MASK(FREE) };

	prm_set(&c.mkc, start_addr, start);
	prm_set(&c.mkc, len, len);
	prm_set(&c.mkc, pd, pd);
	prm_set(&c.mkc, log_page_size, 12);
	prm_set(&c.mkc, mkey_7_0, TAG);
	prm_set(&c.mkc, lr, 1);
	prm_set(&c.mkc, lw, 1);
	return c;
}

TEST_F(umr, a_free_mkey_becomes_a_range_of_pages)
{
	const struct change c = enable_mkey(0x10000010, PAGES * CORE_RIG_PAGE - 0x10, self->r.pd);
	const uint32_t lkey = self->mkey << 8 | TAG;
	uint64_t run;

	EXPECT_EQ(NULL, emu_mkey_at(self->r.emu, lkey, self->r.pd, 0x10000010, 1, true, &run));
	EXPECT_EQ(PRM_CQE_REQ, UMR(&c));
	EXPECT_EQ(self->mem + 7 * CORE_RIG_PAGE + 0x10,
		  emu_mkey_at(self->r.emu, lkey, self->r.pd, 0x10000010, 8, true, &run));
	EXPECT_EQ(self->mem + 5, emu_mkey_at(self->r.emu, lkey, self->r.pd,
					     0x10000000 + 7 * CORE_RIG_PAGE + 5, 8, true, &run));
	EXPECT_EQ(NULL, emu_mkey_at(self->r.emu, lkey, self->r.pd, 0x1000000f, 8, true, &run));
	EXPECT_EQ(NULL, emu_mkey_at(self->r.emu, lkey ^ 1, self->r.pd, 0x10000010, 8, true, &run));
}

TEST_F(umr, a_page_without_access_faults_alone)
{
	struct change c = enable_mkey(0, PAGES * CORE_RIG_PAGE, self->r.pd);
	const uint32_t lkey = self->mkey << 8 | TAG;
	uint64_t run;

	EXPECT_EQ(PRM_CQE_REQ, UMR(&c));
	c = (struct change){ .flags = PRM_UMR_CHECK_FREE, .n = 2 };
	memset(self->list, 0, CORE_RIG_PAGE);
	EXPECT_EQ(PRM_CQE_REQ,
		  post_umr(&self->r, &self->cq, &self->sq, self->mkey, &c,
			   &(struct prm_data_seg){ prm_be32_of(16), prm_be32_of(self->pa_key),
						   prm_be64_of((uintptr_t)self->list) }));
	EXPECT_EQ(NULL, emu_mkey_at(self->r.emu, lkey, self->r.pd, 0, 1, true, &run));
	EXPECT_NE(NULL,
		  emu_mkey_at(self->r.emu, lkey, self->r.pd, 2 * CORE_RIG_PAGE, 1, true, &run));
}

TEST_F(umr, freed_mkey_allows_no_access)
{
	struct change c = enable_mkey(0, PAGES * CORE_RIG_PAGE, self->r.pd);
	uint64_t run;

	EXPECT_EQ(PRM_CQE_REQ, UMR(&c));
	c = (struct change){ .flags = PRM_UMR_CHECK_FREE, .mask = MASK(FREE) };
	prm_set(&c.mkc, free, 1);
	EXPECT_EQ(PRM_CQE_REQ, UMR(&c));
	EXPECT_EQ(NULL,
		  emu_mkey_at(self->r.emu, self->mkey << 8 | TAG, self->r.pd, 0, 1, true, &run));
	c = enable_mkey(0x5000, CORE_RIG_PAGE, self->r.pd);
	EXPECT_EQ(PRM_CQE_REQ, UMR(&c)); /* the mkey can be used again */
}

TEST_F(umr, umr_refuses_when_the_free_check_fails)
{
	const struct change claims_used = { .flags = PRM_UMR_CHECK_FREE };

	EXPECT_EQ(PRM_CQE_REQ_ERR, UMR(&claims_used));
}

TEST_F(umr, a_range_beyond_the_list_is_refused)
{
	const struct change c = enable_mkey(0, (PAGES + 1) * CORE_RIG_PAGE, self->r.pd);

	EXPECT_EQ(PRM_CQE_REQ_ERR, UMR(&c));
}

TEST_F(umr, a_page_size_of_six_bits_is_refused)
{
	struct change c = enable_mkey(0, CORE_RIG_PAGE, self->r.pd);

	prm_set(&c.mkc, log_page_size, 32);
	EXPECT_EQ(PRM_CQE_REQ_ERR, UMR(&c));
}

TEST_F(umr, an_mkey_made_without_umr_en_is_not_changed)
{
	const struct change c = enable_mkey(0, CORE_RIG_PAGE, self->r.pd);

	self->mkey = self->pa_key >> 8;
	EXPECT_EQ(PRM_CQE_REQ_ERR, UMR(&c));
}

TEST_F(umr, umr_refuses_a_list_that_the_host_does_not_map)
{
	struct change c = enable_mkey(0, CORE_RIG_PAGE, self->r.pd);

	self->r.deny = (uintptr_t)self->list;
	EXPECT_EQ(PRM_CQE_REQ_ERR, UMR(&c));
	self->r.deny = 0;
}

static void restart_qp(struct core_rig *r, struct core_rig_sq *sq, uint32_t cqn)
{
	struct prm_qp_2rst_in in = { 0 };
	struct prm_qp_2rst_out out;

	prm_set(&in, qpn, sq->sqn);
	CORE_RIG_OK(r, qp_2rst, &in, &out);
	core_rig_start_umr_qp(r, sq->sqn, cqn);
	sq->pi = 0;
}

/* The profile lacks umr_modify_atomic, relaxed_ordering_*_umr and other capabilities. */
TEST_F(umr, umr_refuses_a_field_without_its_capability)
{
	const uint64_t may = MASK(LEN) | MASK(PAGE_SIZE) | MASK(START_ADDR) | MASK(PD) | MASK(KEY) |
			     MASK(LR) | MASK(LW) | MASK(RR) | MASK(RW) | MASK(FREE);
	struct emu_mkey *key = emu_obj_at(&self->r.emu->table[EMU_MKEY], self->mkey);

	for (unsigned bit = 0; bit < 64; bit++) {
		struct change c = enable_mkey(0, CORE_RIG_PAGE, self->r.pd);

		SCOPED_TRACE("bit %u", bit);
		c.mask |= 1ull << bit;
		if (may >> bit & 1)
			continue;
		EXPECT_EQ(PRM_CQE_REQ_ERR, UMR(&c));
		EXPECT_TRUE(key->free);
		restart_qp(&self->r, &self->sq, self->cq.cqn);
	}
	for (unsigned bit = 0; bit < 4; bit++) {
		struct change c = enable_mkey(0, CORE_RIG_PAGE, self->r.pd);

		SCOPED_TRACE("flag %u", bit);
		c.flags |= (uint8_t)(1u << bit);
		EXPECT_EQ(PRM_CQE_REQ_ERR, UMR(&c));
		restart_qp(&self->r, &self->sq, self->cq.cqn);
	}
}

TEST_F(umr, a_qp_in_error_can_be_started_again)
{
	const struct change bad = { .flags = PRM_UMR_CHECK_FREE };
	const struct change good = enable_mkey(0, CORE_RIG_PAGE, self->r.pd);

	EXPECT_EQ(PRM_CQE_REQ_ERR, UMR(&bad));
	restart_qp(&self->r, &self->sq, self->cq.cqn);
	EXPECT_EQ(PRM_CQE_REQ, UMR(&good));
}
