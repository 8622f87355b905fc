/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared receive queues: RMPs and XRC SRQs. They deliver nothing, because no RQ of emu can use one
 * (capability log_max_rmp is 0). mlx5_ib creates two before its first QP; every QP refers to one.
 */
#include "emu/firmware/cmd.h"
#include "emu/firmware/ring.h"
#include "emu/firmware/wq.h"

enum { LOG_STRIDE_UNIT = 4 };

/** struct emu_rmp - an RMP or an XRC SRQ, with references to its PD, XRC domain and CQ */
struct emu_rmp {
	struct emu_obj obj;
	struct emu_pd *pd;
	struct emu_obj *xrcd;
	struct emu_cq *cq;
	uint8_t state;
	struct prm_rmpc ctx;
};

/* Checks the place of ring and record, as for any queue. emu never accesses them later. */
static uint8_t check_memory(struct emu *emu, const struct emu_ring *ring, bool dbr_in_umem,
			    uint32_t dbr_umem_id, uint64_t dbr)
{
	struct emu_span span;
	struct emu_umem *umem;
	uint8_t status = emu_ring_open(emu, ring, &span, &umem);

	if (status != PRM_STATUS_OK)
		return status;
	emu_buffer_close(&span, &umem);
	status = emu_dbr_open(emu, ring->uid, dbr_in_umem, dbr_umem_id, dbr, &span, &umem);
	if (status == PRM_STATUS_OK)
		emu_buffer_close(&span, &umem);
	return status;
}

static uint8_t check_rmp(struct emu *emu, const struct prm_rmpc *rmpc, size_t n_pas)
{
	const struct prm_wq *wq = prm_sub(rmpc, wq);
	const unsigned type = (unsigned)prm_get(wq, wq_type),
		       state = (unsigned)prm_get(rmpc, state),
		       log_size = (unsigned)prm_get(wq, log_wq_sz);
	const struct emu_ring ring = emu_wq_ring(wq, 0, n_pas);

	if (type != PRM_WQ_TYPE_LINKED_LIST && type != PRM_WQ_TYPE_CYCLIC)
		return emu_refuse_value(emu, EMU_SYND_TYPE, "wq_type", type,
					"0 = linked list, 1 = cyclic");
	if (state != PRM_WQ_STATE_RST && state != PRM_WQ_STATE_RDY)
		return emu_refuse_value(emu, EMU_SYND_STATE, "state", state,
					"0 = RST, 1 = RDY in a new RMP");
	if (log_size > emu_cap(emu, log_max_srq_sz))
		return emu_refuse_range(emu, EMU_SYND_SIZE, "log_wq_sz", log_size, 0,
					emu_cap(emu, log_max_srq_sz));
	return check_memory(emu, &ring, prm_get(wq, dbr_umem_valid),
			    (uint32_t)prm_get(wq, dbr_umem_id), prm_get(wq, dbr_addr));
}

static void drop_rmp(EMU_UNUSED struct emu *emu, struct emu_obj *obj)
{
	struct emu_rmp *rmp = (struct emu_rmp *)obj;

	emu_unref(rmp->pd);
	emu_unref(rmp->xrcd);
	emu_unref(rmp->cq);
}

uint8_t emu_fw_create_rmp(EMU_FW_ARGS(create_rmp))
{
	const struct prm_rmpc *rmpc = prm_sub(in, ctx);
	struct emu_pd *pd;
	struct emu_rmp *rmp;
	uint8_t status;

	if (uid)
		return emu_refuse(
			emu, PRM_STATUS_LIM_ERR, EMU_SYND_LIMIT,
			"uid: 0x%x may not create an RMP, because capability log_max_rmp is 0 "
			"(valid: 0, the kernel)",
			uid);
	pd = emu_use_field(emu, EMU_PD, prm_sub(rmpc, wq), pd, uid);
	if (!pd)
		return PRM_STATUS_BAD_RES;
	status = check_rmp(emu, rmpc, (in_bytes - sizeof(*in)) / sizeof(uint64_t));
	if (status != PRM_STATUS_OK)
		return status;
	rmp = emu_make_object(emu, EMU_RMP, uid, sizeof(*rmp), drop_rmp);
	if (!rmp)
		return PRM_STATUS_LIM_ERR;
	rmp->pd = pd;
	rmp->state = (uint8_t)prm_get(rmpc, state);
	rmp->ctx = *rmpc;
	emu_ref(pd);
	prm_set(out, rmpn, rmp->obj.id);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_query_rmp(EMU_FW_ARGS(query_rmp))
{
	const struct emu_rmp *rmp = emu_use_field(emu, EMU_RMP, in, rmpn, uid);

	if (!rmp)
		return PRM_STATUS_BAD_RES;
	*prm_sub(out, rmp_context) = rmp->ctx;
	prm_set(prm_sub(out, rmp_context), state, rmp->state);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_modify_rmp(EMU_FW_ARGS(modify_rmp))
{
	const uint8_t to = (uint8_t)prm_get(prm_sub(in, ctx), state);
	struct emu_rmp *rmp = emu_use_field(emu, EMU_RMP, in, rmpn, uid);
	uint8_t status;

	if (!rmp)
		return PRM_STATUS_BAD_RES;
	status = emu_wq_transition(emu, rmp->state, (uint8_t)prm_get(in, rmp_state), to);
	if (status == PRM_STATUS_OK)
		rmp->state = to;
	return status;
}

uint8_t emu_fw_destroy_rmp(EMU_FW_ARGS(destroy_rmp))
{
	return emu_destroy_field(emu, EMU_RMP, in, rmpn, uid);
}

static uint8_t check_srq(struct emu *emu, const struct prm_create_xrc_srq_in *in, size_t in_bytes)
{
	const struct prm_xrc_srqc *ctx = prm_sub(in, xrc_srq_context_entry);
	const unsigned log_size = (unsigned)prm_get(ctx, log_xrc_srq_size);
	const struct emu_ring ring = {
		.bytes = (1ull << log_size) << (prm_get(ctx, log_rq_stride) + LOG_STRIDE_UNIT),
		.log_page = (unsigned)prm_get(ctx, log_page_size),
		.page_offset = (unsigned)prm_get(ctx, page_offset),
		.pas = &in->dw[prm_bit(in, pas) / 32],
		.n_pas = (in_bytes - sizeof(*in)) / sizeof(uint64_t),
	};

	if (log_size > emu_cap(emu, log_max_srq_sz))
		return emu_refuse_range(emu, EMU_SYND_SIZE, "log_xrc_srq_size", log_size, 0,
					emu_cap(emu, log_max_srq_sz));
	return check_memory(emu, &ring, false, 0,
			    prm_get(ctx, db_record_addr_h) << 32 | prm_get(ctx, db_record_addr_l)
									   << 2);
}

uint8_t emu_fw_create_xrc_srq(EMU_FW_ARGS(create_xrc_srq))
{
	const struct prm_xrc_srqc *ctx = prm_sub(in, xrc_srq_context_entry);
	struct emu_rmp parts = { 0 }, *srq;
	uint8_t status;

	parts.pd = emu_use_field(emu, EMU_PD, ctx, pd, uid);
	parts.xrcd = parts.pd ? emu_use_field(emu, EMU_XRCD, ctx, xrcd, uid) : NULL;
	parts.cq = parts.xrcd ? emu_use_field(emu, EMU_CQ, ctx, cqn, uid) : NULL;
	if (!parts.cq)
		return PRM_STATUS_BAD_RES;
	status = check_srq(emu, in, in_bytes);
	if (status != PRM_STATUS_OK)
		return status;
	srq = emu_make_object(emu, EMU_SRQ, uid, sizeof(*srq), drop_rmp);
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

uint8_t emu_fw_destroy_xrc_srq(EMU_FW_ARGS(destroy_xrc_srq))
{
	return emu_destroy_field(emu, EMU_SRQ, in, xrc_srqn, uid);
}
