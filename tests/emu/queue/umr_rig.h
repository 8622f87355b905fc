/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef UMR_RIG_H
#define UMR_RIG_H

#include "core_rig_qp.h"
#include "prm/wqe.h"

/** DOC: The kernel's QP for UMRs, its physical mkey, and a free mkey of UMR_PAGES pages */

enum { UMR_PAGES = 8, UMR_TAG = 0x42 };
#define UMR_MASK(bit) (1ull << PRM_UMR_MASK_##bit)

struct umr_rig {
	struct core_rig r;
	struct core_rig_cq cq;
	struct core_rig_sq sq; /* send queue of the QP */
	uint32_t pa_key, mkey; /* lkey of the physical mkey; number of the free mkey */
	uint64_t *list;
	uint8_t *mem; /* UMR_PAGES pages */
};

void umr_rig_open(struct umr_rig *u);
void umr_rig_close(struct umr_rig *u);

/** umr_rig_restart - take the QP from any state to RTS */
void umr_rig_restart(struct umr_rig *u);

/** struct umr_change - the change that a UMR makes */
struct umr_change {
	uint8_t flags;
	unsigned n; /* pages in the list */
	uint64_t mask;
	struct prm_mkc mkc;
};

/** umr_enable - make a change that gives a free mkey a range, a PD, all pages and access */
struct umr_change umr_enable(uint64_t start, uint64_t len, uint32_t pd);

/** umr_rig_list_page - entry of a list for page @page of u->mem, big-endian */
uint64_t umr_rig_list_page(const struct umr_rig *u, unsigned page);

/**
 * umr_rig_post - post a UMR whose list is u->list, with the last page first, and run the engine
 *
 * Return: opcode of the CQE, or PRM_CQE_INVALID: no CQE
 */
uint8_t umr_rig_post(struct umr_rig *u, const struct umr_change *c);
/** umr_rig_post_seg - as umr_rig_post(), with the list that @seg names */
uint8_t umr_rig_post_seg(struct umr_rig *u, const struct umr_change *c,
			 const struct prm_data_seg *seg);
/**
 * umr_rig_post_inline - as umr_rig_post(), with the list in the WQE
 * @offset: place in the list of the mkey, in units of two entries; 0: none is named
 * @n_ds: segments of the WQE; the list is in those from 8 on
 */
uint8_t umr_rig_post_inline(struct umr_rig *u, const struct umr_change *c, const uint64_t *list,
			    unsigned offset, uint8_t n_ds);

#endif
