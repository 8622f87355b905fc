/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Work queues: the parts that SQs, RQs and RMPs share.
 */
#include "emu/firmware/wq.h"

#include "emu/base/profile.h"
#include "emu/base/clock.h"
#include "emu/firmware/object.h"
#include "emu/firmware/refuse.h"

static uint8_t validate_wq_context(struct emu *emu, const struct prm_wq *wq)
{
	const unsigned type = (unsigned)prm_get(wq, wq_type),
		       log_size = (unsigned)prm_get(wq, log_wq_sz);

	if (type != PRM_WQ_TYPE_CYCLIC)
		return emu_refuse_value(emu, EMU_SYND_TYPE, "wq_type", type, "1 = cyclic");
	if (log_size > emu_cap(emu, log_max_wq_sz))
		return emu_refuse_range(emu, EMU_SYND_SIZE, "log_wq_sz", log_size, 0,
					emu_cap(emu, log_max_wq_sz));
	return PRM_STATUS_OK;
}

struct emu_ring emu_wq_ring(const struct prm_wq *wq, uint16_t uid, size_t n_pas)
{
	return (struct emu_ring){
		.uid = uid,
		.bytes = (1ull << prm_get(wq, log_wq_sz)) << prm_get(wq, log_wq_stride),
		.in_umem = prm_get(wq, wq_umem_valid),
		.umem_field = "wq_umem_id",
		.umem_id = (uint32_t)prm_get(wq, wq_umem_id),
		.umem_offset = prm_get(wq, wq_umem_offset),
		.log_page = (unsigned)prm_get(wq, log_wq_pg_sz),
		.page_offset = (unsigned)prm_get(wq, page_offset),
		.pas = prm_sub_at(wq, pas, 0)->dw,
		.n_pas = n_pas,
	};
}

uint8_t emu_wq_open(struct emu *emu, uint16_t uid, const struct prm_wq *wq, uint32_t cqn,
		    size_t n_pas, struct emu_wq_refs *refs)
{
	const struct emu_ring where = emu_wq_ring(wq, uid, n_pas);
	uint8_t status = validate_wq_context(emu, wq);

	*refs = (struct emu_wq_refs){ 0 };
	if (status != PRM_STATUS_OK)
		return status;
	/*
	 * pd 0 of a kernel's queue means a PD without mkeys. Source: Linux,
	 * mlx5e_build_drop_rq_param, for a queue without buffers.
	 */
	if (uid || prm_get(wq, pd)) {
		refs->pd = emu_use_field(emu, EMU_PD, wq, pd, uid);
		if (!refs->pd)
			return PRM_STATUS_BAD_RES;
	}
	refs->cq = emu_use_object(emu, EMU_CQ, "cqn", cqn, uid);
	if (!refs->cq)
		return PRM_STATUS_BAD_RES;
	status = emu_ring_open(emu, &where, &refs->ring, &refs->ring_umem);
	if (status != PRM_STATUS_OK)
		return status;
	status = emu_dbr_open(emu, uid, prm_get(wq, dbr_umem_valid),
			      (uint32_t)prm_get(wq, dbr_umem_id), prm_get(wq, dbr_addr), &refs->dbr,
			      &refs->dbr_umem);
	if (status != PRM_STATUS_OK)
		emu_buffer_close(&refs->ring, &refs->ring_umem);
	return status;
}

void emu_wq_close(struct emu_wq_refs *refs)
{
	emu_buffer_close(&refs->ring, &refs->ring_umem);
	emu_buffer_close(&refs->dbr, &refs->dbr_umem);
}

bool emu_wq_has_real_time(const struct emu *emu, uint64_t format)
{
	return format == PRM_TS_FORMAT_REAL_TIME ||
	       (format == PRM_TS_FORMAT_DEFAULT && emu_clock_is_real_time(&emu->profile->options));
}

uint8_t emu_wq_check_stamps(struct emu *emu, uint32_t syndrome, uint64_t format)
{
	const struct emu_options *o = &emu->profile->options;
	const bool real_time = emu_clock_is_real_time(o);
	const bool has_both = o->ts_format == PRM_HCA_CAP_TS_FORMAT_FREE_RUNNING_AND_REAL_TIME;

	if (format == PRM_TS_FORMAT_DEFAULT ||
	    (format == PRM_TS_FORMAT_FREE_RUNNING && !real_time) ||
	    (format == PRM_TS_FORMAT_REAL_TIME && (real_time || has_both)))
		return PRM_STATUS_OK;
	return emu_refuse_value(emu, syndrome, "ts_format", format,
				real_time  ? "in real-time mode: 1 = default, 2 = real time"
				: has_both ? "0 = free running, 1 = default, 2 = real time"
					   : "with capability 0: 0 = free running, 1 = default");
}

/*
 * A new queue is in RST. RDY -> RDY modifies fields. Linux's mlx5_ib also moves the SQ of a raw
 * packet QP from RST to RST and to ERR, and from ERR to ERR. Current state RDY is also valid for a
 * queue in ERR: mlx5_ib names the state that it set last. Source: Linux, hw/mlx5/qp.c,
 * modify_raw_packet_qp and modify_raw_packet_qp_sq.
 *
 * PRM-MISSING: any other wrong current state is refused with BAD_RES_STATE. (Neither Linux nor
 * net_mlx5 sends one.)
 */
uint8_t emu_wq_transition(struct emu *emu, uint8_t is, uint8_t from, uint8_t to)
{
	static const struct {
		uint8_t from, to;
	} legal[] = {
		{ PRM_WQ_STATE_RST, PRM_WQ_STATE_RST }, { PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY },
		{ PRM_WQ_STATE_RST, PRM_WQ_STATE_ERR }, { PRM_WQ_STATE_RDY, PRM_WQ_STATE_RDY },
		{ PRM_WQ_STATE_RDY, PRM_WQ_STATE_ERR }, { PRM_WQ_STATE_RDY, PRM_WQ_STATE_RST },
		{ PRM_WQ_STATE_ERR, PRM_WQ_STATE_RST }, { PRM_WQ_STATE_ERR, PRM_WQ_STATE_ERR },
	};

	if (is == PRM_WQ_STATE_ERR && from == PRM_WQ_STATE_RDY && to != PRM_WQ_STATE_RDY)
		from = is;
	if (from != is)
		return emu_refuse(
			emu, PRM_STATUS_BAD_RES_STATE, EMU_SYND_STATE,
			"current state: %u is invalid (valid: %u, the state of the queue)", from,
			is);
	for (size_t i = 0; i < sizeof(legal) / sizeof(legal[0]); i++)
		if (legal[i].from == from && legal[i].to == to)
			return PRM_STATUS_OK;
	return emu_refuse(
		emu, PRM_STATUS_BAD_RES_STATE, EMU_SYND_TRANSITION,
		"state: no transition from %u to %u (0 RST, 1 RDY, 3 ERR; no transition from "
		"ERR to RDY)",
		from, to);
}
