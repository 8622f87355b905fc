/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/firmware/cmd.h"
#include "emu/firmware/wq.h"
#include "emu/queue/flush.h"
#include "emu/queue/rq.h"

/* the valid bits of modify_bitmask in MODIFY_RQ */
enum {
	MODIFY_ALL = PRM_MODIFY_RQ_BITMASK_VSD | PRM_MODIFY_RQ_BITMASK_SCATTER_FCS |
		     PRM_MODIFY_RQ_BITMASK_RQ_COUNTER_SET_ID,
};

static uint8_t validate_rq_context(struct emu *emu, const struct prm_rqc *rqc)
{
	const unsigned stride = (unsigned)prm_get(prm_sub(rqc, wq), log_wq_stride);

	if (prm_get(rqc, state) != PRM_WQ_STATE_RST)
		return emu_refuse_value(emu, EMU_SYND_STATE, "state", prm_get(rqc, state),
					"0 = RST in a new RQ");
	if (prm_get(rqc, mem_rq_type) != PRM_RQC_MEM_RQ_TYPE_MEMORY_RQ_INLINE)
		return emu_refuse_value(emu, EMU_SYND_TYPE, "mem_rq_type",
					prm_get(rqc, mem_rq_type), "0 = buffers in the RQ itself");
	if (emu_wq_check_stamps(emu, EMU_SYND_RQ_TS_FORMAT, prm_get(rqc, ts_format)))
		return PRM_STATUS_BAD_PARAM;
	if (stride < emu_cap(emu, log_min_stride_sz_rq) ||
	    stride > emu_cap(emu, log_max_stride_sz_rq))
		return emu_refuse_range(emu, EMU_SYND_SIZE, "log_wq_stride", stride,
					emu_cap(emu, log_min_stride_sz_rq),
					emu_cap(emu, log_max_stride_sz_rq));
	if (!prm_get(rqc, vsd) && !emu_eth_cap(emu, vlan_cap))
		return emu_refuse_feature(emu, "vsd 0", "vlan_cap");
	if (prm_get(rqc, scatter_fcs) && !emu_eth_cap(emu, scatter_fcs))
		return emu_refuse_feature(emu, "scatter_fcs", "scatter_fcs");
	return PRM_STATUS_OK;
}

/*
 * Finds the queue counter of an RQ. Returns false after a refusal. Number 0 means no counter.
 * Source: net_mlx5 25.11, mlx5_disable_port_level_hairpin_counter.
 */
static bool find_counter(struct emu *emu, const struct prm_rqc *rqc, uint16_t uid,
			 struct emu_q_counter **counter)
{
	const uint32_t id = (uint32_t)prm_get(rqc, counter_set_id);

	*counter = id ? emu_use_field(emu, EMU_Q_COUNTER, rqc, counter_set_id, uid) : NULL;
	return !id || *counter;
}

static void fill_rq(const struct emu *emu, struct emu_rq *rq, const struct prm_rqc *rqc,
		    const struct emu_wq_refs *refs)
{
	const struct prm_wq *wq = prm_sub(rqc, wq);

	rq->ring = refs->ring;
	rq->dbr = refs->dbr;
	rq->ring_umem = refs->ring_umem;
	rq->dbr_umem = refs->dbr_umem;
	rq->cq = refs->cq;
	rq->state = PRM_WQ_STATE_RST;
	rq->log_size = (uint8_t)prm_get(wq, log_wq_sz);
	rq->log_stride = (uint8_t)prm_get(wq, log_wq_stride);
	rq->flush_in_error = prm_get(rqc, flush_in_error_en);
	rq->vsd = prm_get(rqc, vsd);
	rq->real_time = emu_wq_has_real_time(emu, prm_get(rqc, ts_format));
	rq->scatter_fcs = prm_get(rqc, scatter_fcs);
	rq->pd = (uint32_t)prm_get(wq, pd);
	rq->user_index = (uint32_t)prm_get(rqc, user_index);
	rq->ctx = *rqc;
	emu_ref(refs->pd);
	emu_ref(rq->cq);
	emu_ref(rq->counter);
}

static void drop_rq(struct emu *emu, struct emu_obj *obj)
{
	struct emu_rq *rq = (struct emu_rq *)obj;
	struct emu_wq_refs refs = { rq->ring, rq->dbr, rq->ring_umem, rq->dbr_umem, NULL, NULL };

	emu_flush_forget(emu, obj);
	emu_wq_close(&refs);
	emu_unref(emu_obj_at(&emu->table[EMU_PD], rq->pd));
	emu_unref(rq->cq);
	emu_unref(rq->counter);
}

uint8_t emu_fw_create_rq(EMU_FW_ARGS(create_rq))
{
	const struct prm_rqc *rqc = prm_sub(in, ctx);
	struct emu_q_counter *counter;
	struct emu_wq_refs refs;
	struct emu_rq *rq;
	uint8_t status = validate_rq_context(emu, rqc);

	if (status != PRM_STATUS_OK)
		return status;
	if (!find_counter(emu, rqc, uid, &counter))
		return PRM_STATUS_BAD_RES;
	status = emu_wq_open(emu, uid, prm_sub(rqc, wq), (uint32_t)prm_get(rqc, cqn),
			     (in_bytes - sizeof(*in)) / sizeof(uint64_t), &refs);
	if (status != PRM_STATUS_OK)
		return status;
	rq = emu_make_object(emu, EMU_RQ, uid, sizeof(*rq), drop_rq);
	if (!rq) {
		emu_wq_close(&refs);
		return PRM_STATUS_LIM_ERR;
	}
	rq->counter = counter;
	fill_rq(emu, rq, rqc, &refs);
	prm_set(out, rqn, rq->obj.id);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_query_rq(EMU_FW_ARGS(query_rq))
{
	const struct emu_rq *rq = emu_use_field(emu, EMU_RQ, in, rqn, uid);
	struct prm_rqc *rqc = prm_sub(out, rq_context);

	if (!rq)
		return PRM_STATUS_BAD_RES;
	*rqc = rq->ctx;
	prm_set(rqc, state, rq->state);
	prm_set(rqc, vsd, rq->vsd);
	prm_set(rqc, scatter_fcs, rq->scatter_fcs);
	prm_set(rqc, counter_set_id, rq->counter ? rq->counter->obj.id : 0);
	prm_set(prm_sub(rqc, wq), hw_counter, rq->cc);
	prm_set(prm_sub(rqc, wq), sw_counter, rq->posted);
	return PRM_STATUS_OK;
}

static uint8_t modify_fields(struct emu *emu, struct emu_rq *rq, uint64_t select,
			     const struct prm_rqc *rqc, uint16_t uid)
{
	struct emu_q_counter *counter = rq->counter;

	if (select & PRM_MODIFY_RQ_BITMASK_VSD && !prm_get(rqc, vsd) && !emu_eth_cap(emu, vlan_cap))
		return emu_refuse_feature(emu, "vsd 0", "vlan_cap");
	if (select & PRM_MODIFY_RQ_BITMASK_SCATTER_FCS && prm_get(rqc, scatter_fcs) &&
	    !emu_eth_cap(emu, scatter_fcs))
		return emu_refuse_feature(emu, "scatter_fcs", "scatter_fcs");
	if (select & PRM_MODIFY_RQ_BITMASK_RQ_COUNTER_SET_ID &&
	    !find_counter(emu, rqc, uid, &counter))
		return PRM_STATUS_BAD_RES;
	if (select & PRM_MODIFY_RQ_BITMASK_VSD)
		rq->vsd = prm_get(rqc, vsd);
	if (select & PRM_MODIFY_RQ_BITMASK_SCATTER_FCS)
		rq->scatter_fcs = prm_get(rqc, scatter_fcs);
	emu_unref(rq->counter);
	emu_ref(counter);
	rq->counter = counter;
	return PRM_STATUS_OK;
}

uint8_t emu_fw_modify_rq(EMU_FW_ARGS(modify_rq))
{
	struct emu_rq *rq = emu_use_field(emu, EMU_RQ, in, rqn, uid);
	const struct prm_rqc *rqc = prm_sub(in, ctx);
	const uint8_t to = (uint8_t)prm_get(rqc, state);
	const uint64_t select = prm_get(in, modify_bitmask);
	uint8_t status;

	if (!rq)
		return PRM_STATUS_BAD_RES;
	status = emu_wq_transition(emu, rq->state, (uint8_t)prm_get(in, rq_state), to);
	if (status != PRM_STATUS_OK)
		return status;
	if (select & ~(uint64_t)MODIFY_ALL || (select && to != PRM_WQ_STATE_RDY))
		return emu_refuse_bits(emu, EMU_SYND_BITMASK, "modify_bitmask", select,
				       to == PRM_WQ_STATE_RDY ? MODIFY_ALL : 0);
	status = modify_fields(emu, rq, select, rqc, uid);
	if (status != PRM_STATUS_OK)
		return status;
	if (to == PRM_WQ_STATE_ERR) {
		emu_rq_fail(emu, rq);
	} else if (to != rq->state) {
		emu_rq_reset(rq);
		rq->state = to;
	}
	return PRM_STATUS_OK;
}

uint8_t emu_fw_destroy_rq(EMU_FW_ARGS(destroy_rq))
{
	return emu_destroy_field(emu, EMU_RQ, in, rqn, uid);
}
