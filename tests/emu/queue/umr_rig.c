/* SPDX-License-Identifier: BSD-3-Clause */
#include "umr_rig.h"

#include <string.h>

#include "prm/cqe.h"

enum { LOG_SQ = 5, LIST_DS = 8 };

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
		prm_set(mkc, translations_octword_size, UMR_PAGES / 2);
	}
	EXPECT_EQ(PRM_STATUS_OK, emu_exec(r->emu, &in, sizeof(in), &out, sizeof(out)));
	return (uint32_t)prm_get(&out, mkey_index);
}

void umr_rig_open(struct umr_rig *u)
{
	core_rig_open(&u->r, &(struct core_rig_config){ 0 });
	u->cq = core_rig_make_cq(&u->r, 4);
	u->sq = core_rig_make_umr_qp(&u->r, LOG_SQ, u->cq.cqn);
	u->pa_key = create_mkey(&u->r, true) << 8;
	u->mkey = create_mkey(&u->r, false);
	u->list = core_rig_alloc(&u->r, CORE_RIG_PAGE);
	u->mem = core_rig_alloc(&u->r, UMR_PAGES * CORE_RIG_PAGE);
}

void umr_rig_close(struct umr_rig *u)
{
	core_rig_close(&u->r);
}

void umr_rig_restart(struct umr_rig *u)
{
	struct prm_qp_2rst_in in = { 0 };
	struct prm_qp_2rst_out out;

	prm_set(&in, qpn, u->sq.sqn);
	CORE_RIG_OK(&u->r, qp_2rst, &in, &out);
	core_rig_start_umr_qp(&u->r, u->sq.sqn, u->cq.cqn);
	u->sq.pi = 0;
}

struct umr_change umr_enable(uint64_t start, uint64_t len, uint32_t pd)
{
	struct umr_change c = { .flags = PRM_UMR_CHECK_NOT_FREE,
				.n = UMR_PAGES,
				.mask = UMR_MASK(LEN) | UMR_MASK(PAGE_SIZE) | UMR_MASK(START_ADDR) |
					UMR_MASK(PD) | UMR_MASK(KEY) | UMR_MASK(LR) | UMR_MASK(LW) |
					UMR_MASK(FREE) };

	prm_set(&c.mkc, start_addr, start);
	prm_set(&c.mkc, len, len);
	prm_set(&c.mkc, pd, pd);
	prm_set(&c.mkc, log_page_size, 12);
	prm_set(&c.mkc, mkey_7_0, UMR_TAG);
	prm_set(&c.mkc, lr, 1);
	prm_set(&c.mkc, lw, 1);
	return c;
}

uint64_t umr_rig_list_page(const struct umr_rig *u, unsigned page)
{
	return prm_swap64((uintptr_t)(u->mem + page * CORE_RIG_PAGE) | PRM_MTT_READ |
			  PRM_MTT_WRITE);
}

/* Posts a WQE of @n_ds segments, of which those from LIST_DS on are @tail. */
static uint8_t post_wqe(struct umr_rig *u, const struct umr_change *c, uint8_t flags,
			unsigned offset, uint8_t n_ds, const void *tail, size_t tail_bytes)
{
	uint8_t wqe[4 * PRM_WQEBB_BYTES] = { 0 };
	struct prm_ctrl_seg *ctrl = (struct prm_ctrl_seg *)wqe;
	struct prm_umr_seg *umr = (struct prm_umr_seg *)(wqe + PRM_DS_BYTES);
	const struct prm_cqe *cqe;

	*ctrl = (struct prm_ctrl_seg){ .opmod_idx_opcode = prm_ctrl_dw0(0, u->sq.pi, PRM_WQE_UMR),
				       .qpn_ds = prm_ctrl_dw1(u->sq.sqn, n_ds),
				       .fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT,
				       .imm = prm_be32_of(u->mkey << 8) };
	umr->flags = c->flags | flags;
	umr->xlt_octowords = prm_be16_of((uint16_t)(c->n / 2));
	umr->xlt_offset_15_0 = prm_be16_of((uint16_t)offset);
	umr->mkey_mask = prm_be64_of(c->mask);
	memcpy(wqe + 4 * PRM_DS_BYTES, &c->mkc, sizeof(c->mkc));
	memcpy(wqe + LIST_DS * PRM_DS_BYTES, tail, tail_bytes);
	for (unsigned i = 0; i < sizeof(wqe); i++)
		u->sq.ring[(u->sq.pi * PRM_WQEBB_BYTES + i) % (u->sq.n * PRM_WQEBB_BYTES)] = wqe[i];
	u->sq.pi += prm_wqe_count_blocks(n_ds);
	core_rig_ring_sq(&u->r, &u->sq, ctrl);
	emu_poll(u->r.emu, 64);
	cqe = core_rig_take_cqe(&u->cq);
	return cqe ? prm_cqe_opcode(cqe->op_own) : PRM_CQE_INVALID;
}

uint8_t umr_rig_post_seg(struct umr_rig *u, const struct umr_change *c,
			 const struct prm_data_seg *seg)
{
	return post_wqe(u, c, 0, 0, LIST_DS + 1, seg, sizeof(*seg));
}

uint8_t umr_rig_post(struct umr_rig *u, const struct umr_change *c)
{
	const struct prm_data_seg seg = { prm_be32_of(c->n * 8), prm_be32_of(u->pa_key),
					  prm_be64_of((uintptr_t)u->list) };

	for (unsigned i = 0; i < c->n; i++)
		u->list[i] = umr_rig_list_page(u, c->n - 1 - i);
	return umr_rig_post_seg(u, c, &seg);
}

uint8_t umr_rig_post_inline(struct umr_rig *u, const struct umr_change *c, const uint64_t *list,
			    unsigned offset, uint8_t n_ds)
{
	const uint8_t flags = PRM_UMR_INLINE | (offset ? PRM_UMR_TRANSLATION_OFFSET : 0);

	return post_wqe(u, c, flags, offset, n_ds, list, c->n * sizeof(*list));
}
