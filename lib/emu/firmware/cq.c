/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/firmware/cmd.h"
#include "emu/firmware/ring.h"
#include "emu/queue/cq.h"
#include "emu/queue/cq_compress.h"
#include "prm/wqe.h"

enum { LOG_CQE_64 = 6, COUNTER_MASK = 0xffffff };

/* the valid bits of modify_field_select in MODIFY_CQ */
enum {
	MODIFY_ALL = PRM_MODIFY_CQ_SELECT_CQ_PERIOD | PRM_MODIFY_CQ_SELECT_CQ_MAX_COUNT |
		     PRM_MODIFY_CQ_SELECT_OI | PRM_MODIFY_CQ_SELECT_CQ_PERIOD_MODE,
};

/*
 * cqe_comp_en permits a device to compress CQEs, but does not oblige it to (queue/cq_compress.h).
 * Source: net_mlx5, mlx5_rx_poll_len, reads the format of each CQE. Format 2, which only net_mlx5
 * uses, needs a separate capability (mlx5_rxq_create_devx_cq_resources).
 */
static uint8_t validate_compression(struct emu *emu, const struct prm_cqc *cqc)
{
	const unsigned format = (unsigned)prm_get(cqc, mini_cqe_res_format);

	if ((prm_get(cqc, cqe_comp_en) || format) && !emu_cap(emu, cqe_compression))
		return emu_refuse_feature(emu, format ? "mini_cqe_res_format" : "cqe_comp_en",
					  "cqe_compression");
	if (format == PRM_CQC_MINI_CQE_RES_FORMAT_HASH ||
	    format == PRM_CQC_MINI_CQE_RES_FORMAT_CSUM)
		return PRM_STATUS_OK;
	if (format != PRM_CQC_MINI_CQE_RES_FORMAT_CSUM_STRIDX)
		return emu_refuse_feature(emu, "mini_cqe_res_format 2", "mini_cqe_resp_flow_tag");
	if (!emu_cap(emu, mini_cqe_resp_stride_index))
		return emu_refuse_feature(emu, "mini_cqe_res_format 3",
					  "mini_cqe_resp_stride_index");
	return PRM_STATUS_OK;
}

static uint8_t validate_period_mode(struct emu *emu, const struct prm_cqc *cqc)
{
	const unsigned mode = (unsigned)prm_get(cqc, cq_period_mode);

	return mode <= PRM_CQC_CQ_PERIOD_MODE_START_FROM_CQE
		       ? PRM_STATUS_OK
		       : emu_refuse_value(emu, EMU_SYND_TYPE, "cq_period_mode", mode,
					  "0 = since the last event, 1 = since the last CQE");
}

static uint8_t validate_cq_context(struct emu *emu, const struct prm_cqc *cqc)
{
	const unsigned log_size = (unsigned)prm_get(cqc, log_cq_size);
	const unsigned cqe_sz = (unsigned)prm_get(cqc, cqe_sz);

	if (log_size > emu_cap(emu, log_max_cq_sz))
		return emu_refuse_range(emu, EMU_SYND_SIZE, "log_cq_size", log_size, 0,
					emu_cap(emu, log_max_cq_sz));
	if (cqe_sz != PRM_CQC_CQE_SZ_64_BYTES && cqe_sz != PRM_CQC_CQE_SZ_128_BYTES)
		return emu_refuse_value(emu, EMU_SYND_TYPE, "cqe_sz", cqe_sz,
					"0 = 64 bytes, 1 = 128 bytes");
	if (prm_get(cqc, oi) && !emu_cap(emu, cq_oi))
		return emu_refuse_feature(emu, "oi", "cq_oi");
	return validate_period_mode(emu, cqc) ? PRM_STATUS_BAD_PARAM
					      : validate_compression(emu, cqc);
}

/* Finds the EQ of a CQ. An EQ with an empty event_bitmask is for completions. */
static struct emu_eq *find_completion_eq(struct emu *emu, const struct prm_cqc *cqc, uint16_t uid,
					 uint8_t *status)
{
	struct emu_eq *eq = emu_use_field(emu, EMU_EQ, cqc, c_eqn_or_apu_element, uid);

	*status = eq ? PRM_STATUS_OK : PRM_STATUS_BAD_RES;
	if (eq && eq->event_mask)
		*status = emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_NOT_COMPLETION_EQ,
				     "c_eqn_or_apu_element: EQ 0x%x is for asynchronous events "
				     "(valid: a completion EQ)",
				     eq->obj.id);
	return eq;
}

static struct emu_ring describe_ring(const struct prm_create_cq_in *in, size_t in_bytes,
				     uint16_t uid)
{
	const struct prm_cqc *cqc = prm_sub(in, cq_context);
	const unsigned log_cqe = LOG_CQE_64 + (prm_get(cqc, cqe_sz) == PRM_CQC_CQE_SZ_128_BYTES);

	return (struct emu_ring){
		.uid = uid,
		.write = true,
		.bytes = (1ull << prm_get(cqc, log_cq_size)) << log_cqe,
		.in_umem = prm_get(in, cq_umem_valid),
		.umem_field = "cq_umem_id",
		.umem_id = (uint32_t)prm_get(in, cq_umem_id),
		.umem_offset = prm_get(in, cq_umem_offset),
		.log_page = (unsigned)prm_get(cqc, log_page_size),
		.page_offset = (unsigned)prm_get(cqc, page_offset),
		.pas = &in->dw[prm_bit(in, pas) / 32],
		.n_pas = (in_bytes - sizeof(*in)) / sizeof(uint64_t),
	};
}

static void set_moderation(struct emu_cq *cq)
{
	cq->max_count = (uint16_t)prm_get(&cq->ctx, cq_max_count);
	cq->period_ns = prm_get(&cq->ctx, cq_period) * 1000; /* cq_period is in microseconds */
	cq->period_from_cqe =
		prm_get(&cq->ctx, cq_period_mode) == PRM_CQC_CQ_PERIOD_MODE_START_FROM_CQE;
}

static void fill_cq(struct emu_cq *cq, const struct prm_cqc *cqc)
{
	cq->log_size = (uint8_t)prm_get(cqc, log_cq_size);
	cq->log_cqe = (uint8_t)(LOG_CQE_64 + (prm_get(cqc, cqe_sz) == PRM_CQC_CQE_SZ_128_BYTES));
	cq->oi = prm_get(cqc, oi);
	cq->cc = prm_get(cqc, cc);
	cq->ctx = *cqc;
	set_moderation(cq);
	emu_ref(cq->eq);
	emu_ref(cq->uar);
}

static void drop_cq(struct emu *emu, struct emu_obj *obj)
{
	struct emu_cq *cq = (struct emu_cq *)obj;

	emu_cq_forget_event(emu, cq);
	emu_buffer_close(&cq->ring, &cq->ring_umem);
	emu_buffer_close(&cq->dbr, &cq->dbr_umem);
	emu_unref(cq->eq);
	emu_unref(cq->uar);
}

uint8_t emu_fw_create_cq(EMU_FW_ARGS(create_cq))
{
	const struct prm_cqc *cqc = prm_sub(in, cq_context);
	const struct emu_ring where = describe_ring(in, in_bytes, uid);
	struct emu_cq parts = { 0 }, *cq;
	uint8_t status = validate_cq_context(emu, cqc);

	if (status != PRM_STATUS_OK)
		return status;
	parts.uar = emu_use_field(emu, EMU_UAR, cqc, uar_page, uid);
	if (!parts.uar)
		return PRM_STATUS_BAD_RES;
	parts.eq = find_completion_eq(emu, cqc, uid, &status);
	if (status != PRM_STATUS_OK)
		return status;
	status = emu_ring_open(emu, &where, &parts.ring, &parts.ring_umem);
	if (status != PRM_STATUS_OK)
		return status;
	status = emu_dbr_open(emu, uid, prm_get(cqc, dbr_umem_valid),
			      (uint32_t)prm_get(cqc, dbr_umem_id), prm_get(cqc, dbr_addr),
			      &parts.dbr, &parts.dbr_umem);
	if (status != PRM_STATUS_OK)
		goto fail;
	cq = emu_make_object(emu, EMU_CQ, uid, sizeof(*cq), drop_cq);
	status = PRM_STATUS_LIM_ERR;
	if (!cq)
		goto fail;
	parts.obj = cq->obj;
	*cq = parts;
	fill_cq(cq, cqc);
	emu_cq_init_compression(emu, cq);
	prm_set(out, cqn, cq->obj.id);
	return PRM_STATUS_OK;

fail:
	emu_buffer_close(&parts.ring, &parts.ring_umem);
	emu_buffer_close(&parts.dbr, &parts.dbr_umem);
	return status;
}

uint8_t emu_fw_query_cq(EMU_FW_ARGS(query_cq))
{
	const struct emu_cq *cq = emu_use_field(emu, EMU_CQ, in, cqn, uid);
	struct prm_cqc *cqc = prm_sub(out, cq_context);
	uint32_t ci;

	if (!cq)
		return PRM_STATUS_BAD_RES;
	ci = emu_span_ptr(&cq->dbr, 0) ? emu_cq_record(emu, cq, PRM_DBR_CQ_CI) : cq->ci;
	*cqc = cq->ctx;
	prm_set(cqc, status, cq->status);
	prm_set(cqc, st, cq->arm);
	prm_set(cqc, producer_counter, cq->pi & COUNTER_MASK);
	prm_set(cqc, consumer_counter, (cq->lost ? cq->ci : ci) & COUNTER_MASK);
	return PRM_STATUS_OK;
}

/*
 * Ignores cq_umem_valid and dbr_umem_valid: a kernel sets them in every MODIFY_CQ, and the CQ keeps
 * its memory.
 */
uint8_t emu_fw_modify_cq(EMU_FW_ARGS(modify_cq))
{
	const uint32_t select = (uint32_t)prm_get(
		prm_sub(prm_sub(in, modify_field_select_resize_field_select), modify_field_select),
		modify_field_select);
	const struct prm_cqc *cqc = prm_sub(in, cq_context);
	struct emu_cq *cq = emu_use_field(emu, EMU_CQ, in, cqn, uid);

	if (!cq)
		return PRM_STATUS_BAD_RES;
	if (in_bytes != sizeof(*in))
		return emu_refuse(emu, PRM_STATUS_BAD_INP_LEN, EMU_SYND_UNMODELLED,
				  "pas: a page list is for a resize, which emu does not model "
				  "(valid: no list)");
	if (select & ~(uint32_t)MODIFY_ALL)
		return emu_refuse_bits(emu, EMU_SYND_BITMASK, "modify_field_select", select,
				       MODIFY_ALL);
	if (select & PRM_MODIFY_CQ_SELECT_CQ_PERIOD_MODE && validate_period_mode(emu, cqc))
		return PRM_STATUS_BAD_PARAM;
	if (select & PRM_MODIFY_CQ_SELECT_OI) {
		cq->oi = prm_get(cqc, oi);
		prm_set(&cq->ctx, oi, cq->oi);
	}
	if (select & PRM_MODIFY_CQ_SELECT_CQ_PERIOD)
		prm_set(&cq->ctx, cq_period, prm_get(cqc, cq_period));
	if (select & PRM_MODIFY_CQ_SELECT_CQ_PERIOD_MODE)
		prm_set(&cq->ctx, cq_period_mode, prm_get(cqc, cq_period_mode));
	if (select & PRM_MODIFY_CQ_SELECT_CQ_MAX_COUNT)
		prm_set(&cq->ctx, cq_max_count, prm_get(cqc, cq_max_count));
	set_moderation(cq);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_destroy_cq(EMU_FW_ARGS(destroy_cq))
{
	return emu_destroy_field(emu, EMU_CQ, in, cqn, uid);
}
