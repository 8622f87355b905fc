/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/objects/devx.h"

#include "prm/prm.h"

/* Firmware refuses a mailbox that is shorter than its layout later. */
#define FITS(command) (bytes >= sizeof(struct prm_##command##_in))

static void force_wq_umem(struct prm_wq *wq)
{
	prm_set(wq, dbr_umem_valid, 1);
	prm_set(wq, wq_umem_valid, 1);
}

static void force_mkey_umem(struct prm_create_mkey_in *in)
{
	const struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);
	const uint64_t mode = prm_get(mkc, access_mode_4_2) << 2 | prm_get(mkc, access_mode_1_0);

	if (mode != PRM_MKC_ACCESS_MODE_KLMS && mode != PRM_MKC_ACCESS_MODE_KSM)
		prm_set(in, mkey_umem_valid, 1);
}

void uv_devx_force_umem(void *in, size_t bytes)
{
	const struct prm_general_obj_in_cmd_hdr *hdr = in;

	switch (prm_get(hdr, opcode)) {
	case PRM_OP_create_mkey:
		if (FITS(create_mkey))
			force_mkey_umem(in);
		break;
	case PRM_OP_create_cq:
		if (FITS(create_cq)) {
			prm_set((struct prm_create_cq_in *)in, cq_umem_valid, 1);
			prm_set(prm_sub((struct prm_create_cq_in *)in, cq_context), dbr_umem_valid,
				1);
		}
		break;
	case PRM_OP_create_qp:
		if (FITS(create_qp)) {
			prm_set((struct prm_create_qp_in *)in, wq_umem_valid, 1);
			prm_set(prm_sub((struct prm_create_qp_in *)in, qpc), dbr_umem_valid, 1);
		}
		break;
	case PRM_OP_create_xrc_srq:
		if (FITS(create_xrc_srq)) {
			prm_set((struct prm_create_xrc_srq_in *)in, xrc_srq_umem_valid, 1);
			prm_set(prm_sub((struct prm_create_xrc_srq_in *)in, xrc_srq_context_entry),
				dbr_umem_valid, 1);
		}
		break;
	case PRM_OP_modify_cq:
		if (FITS(modify_cq))
			prm_set((struct prm_modify_cq_in *)in, cq_umem_valid, 1);
		break;
	case PRM_OP_create_sq:
		if (FITS(create_sq))
			force_wq_umem(prm_sub(prm_sub((struct prm_create_sq_in *)in, ctx), wq));
		break;
	case PRM_OP_create_rq:
		if (FITS(create_rq))
			force_wq_umem(prm_sub(prm_sub((struct prm_create_rq_in *)in, ctx), wq));
		break;
	case PRM_OP_create_rmp:
		if (FITS(create_rmp))
			force_wq_umem(prm_sub(prm_sub((struct prm_create_rmp_in *)in, ctx), wq));
		break;
	}
}
