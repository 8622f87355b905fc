/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared receive queues: RMPs and XRC SRQs. No RQ takes its buffers from one (the profile's
 * log_max_rmp is 0), but mlx5_ib makes two before its first QP, and every QP names one.
 */
#include "emu/fw.h"

/** struct emu_rmp - an RMP or an XRC SRQ, and what it refers to */
struct emu_rmp {
	struct emu_obj obj;
	struct emu_pd *pd;
	struct emu_obj *xrcd;
	struct emu_cq *cq;
	uint8_t state;
	struct prm_rmpc ctx;
};

EMU_FW(create_rmp)
{
	const struct prm_rmpc *rmpc = prm_sub(in, ctx);
	struct emu_pd *pd;
	struct emu_rmp *rmp;

	if (uid)
		return emu_refuse(emu, PRM_STATUS_LIM_ERR, EMU_SYND_LIMIT,
				  "the profile has no RMPs for users (log_max_rmp 0)");
	pd = emu_use(emu, EMU_PD, (uint32_t)prm_get(prm_sub(rmpc, wq), pd), uid);
	if (!pd)
		return PRM_STATUS_BAD_RES;
	rmp = emu_make(emu, EMU_RMP, uid, sizeof(*rmp));
	if (!rmp)
		return PRM_STATUS_LIM_ERR;
	rmp->pd = pd;
	rmp->state = (uint8_t)prm_get(rmpc, state);
	rmp->ctx = *rmpc;
	emu_ref(pd);
	prm_set(out, rmpn, rmp->obj.id);
	return PRM_STATUS_OK;
}

EMU_FW(query_rmp)
{
	const struct emu_rmp *rmp = emu_use(emu, EMU_RMP, (uint32_t)prm_get(in, rmpn), uid);

	if (!rmp)
		return PRM_STATUS_BAD_RES;
	*prm_sub(out, rmp_context) = rmp->ctx;
	prm_set(prm_sub(out, rmp_context), state, rmp->state);
	return PRM_STATUS_OK;
}

EMU_FW(modify_rmp)
{
	struct emu_rmp *rmp = emu_use(emu, EMU_RMP, (uint32_t)prm_get(in, rmpn), uid);

	if (!rmp)
		return PRM_STATUS_BAD_RES;
	if (prm_get(in, rmp_state) != rmp->state)
		return emu_refuse(emu, PRM_STATUS_BAD_RES_STATE, EMU_SYND_STATE,
				  "current state claimed %u, it is %u",
				  (unsigned)prm_get(in, rmp_state), rmp->state);
	rmp->state = (uint8_t)prm_get(prm_sub(in, ctx), state);
	return PRM_STATUS_OK;
}

void emu_drop_rmp(EMU_UNUSED struct emu *emu, struct emu_obj *obj)
{
	struct emu_rmp *rmp = (struct emu_rmp *)obj;

	emu_unref(rmp->pd);
	emu_unref(rmp->xrcd);
	emu_unref(rmp->cq);
}

EMU_FW(destroy_rmp) { return emu_destroy(emu, EMU_RMP, (uint32_t)prm_get(in, rmpn), uid); }

EMU_FW(create_xrc_srq)
{
	const struct prm_xrc_srqc *ctx = prm_sub(in, xrc_srq_context_entry);
	struct emu_rmp parts = { 0 }, *srq;

	parts.pd = emu_use(emu, EMU_PD, (uint32_t)prm_get(ctx, pd), uid);
	parts.xrcd = parts.pd ? emu_use(emu, EMU_XRCD, (uint32_t)prm_get(ctx, xrcd), uid) : NULL;
	parts.cq = parts.xrcd ? emu_use(emu, EMU_CQ, (uint32_t)prm_get(ctx, cqn), uid) : NULL;
	if (!parts.cq)
		return PRM_STATUS_BAD_RES;
	srq = emu_make(emu, EMU_SRQ, uid, sizeof(*srq));
	if (!srq)
		return PRM_STATUS_LIM_ERR;
	parts.obj = srq->obj;
	*srq = parts;
	emu_ref(srq->pd);
	emu_ref(srq->xrcd);
	emu_ref(srq->cq);
	prm_set(out, xrc_srqn, srq->obj.id);
	return PRM_STATUS_OK;
}

void emu_drop_srq(struct emu *emu, struct emu_obj *obj) { emu_drop_rmp(emu, obj); }

EMU_FW(destroy_xrc_srq) { return emu_destroy(emu, EMU_SRQ, (uint32_t)prm_get(in, xrc_srqn), uid); }
