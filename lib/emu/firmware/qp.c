/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queue pairs of two service types. A kernel changes mkeys through a QP of type "register UMR". A
 * RoCE port also has a GSI QP (QP1), which receives nothing in emu. The engine serves only the send
 * queue, which is the first member of struct emu_qp.
 */
#include "emu/firmware/cmd.h"
#include "emu/firmware/ring.h"
#include "emu/firmware/wq.h"
#include "emu/queue/sq.h"

/* log_sq_size counts WQEBBs of 64 bytes; log_rq_stride 0 means 16 bytes. */
enum { LOG_WQEBB_BYTES = 6, LOG_RQ_STRIDE_BYTES = 4 };

/* Returns the size of the receive queue, which precedes the send queue in the memory of a QP. */
static uint64_t count_rq_bytes(const struct prm_qpc *qpc)
{
	return prm_get(qpc, rq_type) != PRM_QPC_RQ_TYPE_NON_ZERO_RQ
		       ? 0
		       : 1ull << (prm_get(qpc, log_rq_size) + prm_get(qpc, log_rq_stride) +
				  LOG_RQ_STRIDE_BYTES);
}

static uint8_t check_service(struct emu *emu, const struct prm_qpc *qpc)
{
	const unsigned st = (unsigned)prm_get(qpc, st), rq = (unsigned)prm_get(qpc, rq_type);
	const bool sized = prm_get(qpc, log_rq_size) || prm_get(qpc, log_rq_stride);

	if (st == PRM_QPC_ST_QP1 && rq == PRM_QPC_RQ_TYPE_NON_ZERO_RQ && emu_cap(emu, roce))
		return PRM_STATUS_OK;
	if (st != PRM_QPC_ST_REG_UMR)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_TYPE,
				  "st: service type 0x%x is invalid (valid: 0x%x = register UMR%s)",
				  st, PRM_QPC_ST_REG_UMR,
				  emu_cap(emu, roce) ? ", 0x8 = QP1 with rq_type 0" : "");
	if ((rq != PRM_QPC_RQ_TYPE_ZERO_LEN_RQ && rq != PRM_QPC_RQ_TYPE_SRQ_RQ) || sized)
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_TYPE,
			"rq_type: %u, log_rq_size %u, log_rq_stride %u are invalid for UMRs "
			"(valid: 1 = SRQ or 3 = none; 0; 0)",
			rq, (unsigned)prm_get(qpc, log_rq_size),
			(unsigned)prm_get(qpc, log_rq_stride));
	return PRM_STATUS_OK;
}

static uint8_t validate_qp_context(struct emu *emu, const struct prm_qpc *qpc)
{
	if (prm_get(qpc, pm_state) != PRM_QPC_PM_STATE_MIGRATED)
		return emu_refuse_value(emu, EMU_SYND_TYPE, "pm_state", prm_get(qpc, pm_state),
					"3 = migrated, without another path");
	if (prm_get(qpc, log_sq_size) > emu_cap(emu, log_max_qp_sz))
		return emu_refuse_range(emu, EMU_SYND_SIZE, "log_sq_size",
					prm_get(qpc, log_sq_size), 0, emu_cap(emu, log_max_qp_sz));
	return check_service(emu, qpc);
}

/* Finds the shared receive queue of a QP: an RMP or an XRC SRQ. Number 0 means none. */
static bool find_srq(struct emu *emu, const struct prm_qpc *qpc, uint16_t uid, struct emu_obj **srq)
{
	const uint32_t id = (uint32_t)prm_get(qpc, srqn_rmpn_xrqn);

	*srq = NULL;
	if (!id)
		return true;
	*srq = emu_obj_find(emu, EMU_RMP, id, uid);
	if (!*srq)
		*srq = emu_use_field(emu, EMU_SRQ, qpc, srqn_rmpn_xrqn, uid);
	return *srq;
}

static bool find_parts(struct emu *emu, const struct prm_qpc *qpc, uint16_t uid, struct emu_qp *p)
{
	p->sq.uar = emu_use_field(emu, EMU_UAR, qpc, uar_page, uid);
	p->sq.cq = p->sq.uar ? emu_use_field(emu, EMU_CQ, qpc, cqn_snd, uid) : NULL;
	p->rcv_cq = p->sq.cq ? emu_use_field(emu, EMU_CQ, qpc, cqn_rcv, uid) : NULL;
	if (prm_get(qpc, xrcd) && !emu_use_field(emu, EMU_XRCD, qpc, xrcd, uid))
		return false;
	/* pd may be 0 (none): Linux sets the PD of a QP for UMRs only in RST2INIT. */
	if (prm_get(qpc, pd) && !emu_use_field(emu, EMU_PD, qpc, pd, uid))
		return false;
	return p->rcv_cq && find_srq(emu, qpc, uid, &p->srq);
}

static uint8_t open_memory(struct emu *emu, uint16_t uid, const struct prm_create_qp_in *in,
			   size_t in_bytes, struct emu_sq *sq)
{
	const struct prm_qpc *qpc = prm_sub(in, qpc);
	const struct emu_ring ring = {
		.uid = uid,
		.bytes = count_rq_bytes(qpc) +
			 ((1ull << prm_get(qpc, log_sq_size)) << LOG_WQEBB_BYTES),
		.log_page = (unsigned)prm_get(qpc, log_page_size),
		.page_offset = (unsigned)prm_get(qpc, page_offset),
		.pas = &in->dw[prm_bit(in, pas) / 32],
		.n_pas = (in_bytes - sizeof(*in)) / sizeof(uint64_t),
	};
	uint8_t status = emu_ring_open(emu, &ring, &sq->ring, &sq->ring_umem);

	if (status != PRM_STATUS_OK)
		return status;
	emu_span_skip(&sq->ring, count_rq_bytes(qpc));
	status = emu_dbr_open(emu, uid, false, 0, prm_get(qpc, dbr_addr), &sq->dbr, &sq->dbr_umem);
	if (status != PRM_STATUS_OK)
		emu_buffer_close(&sq->ring, &sq->ring_umem);
	return status;
}

static void fill_qp(struct emu *emu, struct emu_qp *qp, const struct prm_qpc *qpc)
{
	qp->ctx = *qpc;
	qp->state = PRM_QPC_STATE_RST;
	qp->sq.state = PRM_WQ_STATE_RST;
	qp->sq.log_size = (uint8_t)prm_get(qpc, log_sq_size);
	qp->sq.flush_in_error = true;
	qp->sq.pd = (uint32_t)prm_get(qpc, pd);
	qp->sq.user_index = (uint32_t)prm_get(qpc, user_index);
	emu_ref(emu_obj_at(&emu->table[EMU_PD], qp->sq.pd));
	emu_ref(qp->sq.uar);
	emu_ref(qp->sq.cq);
	emu_ref(qp->rcv_cq);
	emu_ref(qp->srq);
	qp->sq.next_on_uar = qp->sq.uar->sqs;
	qp->sq.uar->sqs = &qp->sq;
}

static void drop_qp(struct emu *emu, struct emu_obj *obj)
{
	struct emu_qp *qp = (struct emu_qp *)obj;

	emu_drop_sq(emu, obj);
	emu_unref(qp->rcv_cq);
	emu_unref(qp->srq);
	emu_unref(qp->counter);
}

uint8_t emu_fw_create_qp(EMU_FW_ARGS(create_qp))
{
	const struct prm_qpc *qpc = prm_sub(in, qpc);
	struct emu_qp parts = { 0 }, *qp;
	uint8_t status = validate_qp_context(emu, qpc);

	if (status != PRM_STATUS_OK)
		return status;
	if (!find_parts(emu, qpc, uid, &parts))
		return PRM_STATUS_BAD_RES;
	status = open_memory(emu, uid, in, in_bytes, &parts.sq);
	if (status != PRM_STATUS_OK)
		return status;
	qp = emu_make_object(emu, EMU_QP, uid, sizeof(*qp), drop_qp);
	if (!qp) {
		emu_buffer_close(&parts.sq.ring, &parts.sq.ring_umem);
		emu_buffer_close(&parts.sq.dbr, &parts.sq.dbr_umem);
		return PRM_STATUS_LIM_ERR;
	}
	parts.sq.obj = qp->sq.obj;
	*qp = parts;
	fill_qp(emu, qp, qpc);
	prm_set(out, qpn, qp->sq.obj.id);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_query_qp(EMU_FW_ARGS(query_qp))
{
	const struct emu_qp *qp = emu_use_field(emu, EMU_QP, in, qpn, uid);
	struct prm_qpc *qpc = prm_sub(out, qpc);

	if (!qp)
		return PRM_STATUS_BAD_RES;
	*qpc = qp->ctx;
	prm_set(qpc, state, qp->sq.state == PRM_WQ_STATE_ERR ? PRM_QPC_STATE_ERR : qp->state);
	prm_set(qpc, hw_sq_wqebb_counter, qp->sq.cc);
	prm_set(qpc, sw_sq_wqebb_counter, qp->sq.pc);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_destroy_qp(EMU_FW_ARGS(destroy_qp))
{
	return emu_destroy_field(emu, EMU_QP, in, qpn, uid);
}
