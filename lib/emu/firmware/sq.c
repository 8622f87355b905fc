/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/firmware/wq.h"

#include "emu/firmware/cmd.h"
#include "emu/queue/flush.h"
#include "emu/queue/pacing.h"
#include "emu/queue/sq.h"

static uint8_t validate_sq_context(struct emu *emu, uint16_t uid, const struct prm_sqc *sqc)
{
	const struct emu_uctx *uctx = emu_obj_at(&emu->table[EMU_UCTX], uid);
	const unsigned stride = (unsigned)prm_get(prm_sub(sqc, wq), log_wq_stride);

	/*
	 * PRM-MISSING: CREATE_SQ checks RAW_TX. (An adapter may check it in CREATE_TIS instead:
	 * Linux's mlx5_vdpa requests RAW_TX, and creates a TIS.)
	 */
	if (uctx && !(uctx->cap & PRM_UCTX_CAP_RAW_TX))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_RAW_TX,
				  "uid: user context 0x%x lacks RAW_TX; open the device with "
				  "CAP_NET_RAW",
				  uid);
	if (prm_get(sqc, state) != PRM_WQ_STATE_RST)
		return emu_refuse_value(emu, EMU_SYND_STATE, "state", prm_get(sqc, state),
					"0 = RST in a new SQ");
	if (emu_wq_check_stamps(emu, EMU_SYND_SQ_TS_FORMAT, prm_get(sqc, ts_format)))
		return PRM_STATUS_BAD_PARAM;
	if (stride != emu_cap(emu, log_max_stride_sz_sq))
		return emu_refuse_range(emu, EMU_SYND_SIZE, "log_wq_stride", stride,
					emu_cap(emu, log_min_stride_sz_sq),
					emu_cap(emu, log_max_stride_sz_sq));
	if (prm_get(sqc, min_wqe_inline_mode) > PRM_MIN_WQE_INLINE_MODE_TCP_UDP)
		return emu_refuse_range(emu, EMU_SYND_TYPE, "min_wqe_inline_mode",
					prm_get(sqc, min_wqe_inline_mode), 0,
					PRM_MIN_WQE_INLINE_MODE_TCP_UDP);
	/*
	 * An SQ executes enhanced multi-packet WQEs even without this bit. Source: Linux's mlx5e
	 * sends them (mlx5e_tx_mpwqe_session_start) and does not set it (mlx5e_create_sq).
	 */
	if (prm_get(sqc, allow_multi_pkt_send_wqe) && !emu_eth_cap(emu, multi_pkt_send_wqe))
		return emu_refuse_feature(emu, "allow_multi_pkt_send_wqe", "multi_pkt_send_wqe");
	if (emu_rate_check(emu, uid, (uint32_t)prm_get(sqc, packet_pacing_rate_limit_index)))
		return PRM_STATUS_BAD_PARAM;
	/* A kernel creates SQs without a TIS, which execute only NOP WQEs. */
	if (prm_get(sqc, tis_lst_sz) != 1 && (uid || prm_get(sqc, tis_lst_sz)))
		return emu_refuse_value(emu, EMU_SYND_SIZE, "tis_lst_sz", prm_get(sqc, tis_lst_sz),
					uid ? "1" : "1; 0 without a TIS");
	return PRM_STATUS_OK;
}

/*
 * Returns which headers each WQE of an SQ must have inline.
 *
 * PRM-MISSING: the mode of the port also holds for an SQ with a lower min_wqe_inline_mode. (An
 * adapter may refuse such an SQ. Linux's mlx5e_create_sq and net_mlx5 set the mode of the port.)
 *
 * PRM-MISSING: without eth_virt, the port has no mode. (net_mlx5 reads the mode of the vport only
 * with eth_virt, mlx5_set_min_inline; Linux's mlx5_query_min_inline always reads it.)
 */
static uint8_t get_min_inline(const struct emu *emu, const struct prm_sqc *sqc)
{
	const uint8_t of_sq = (uint8_t)prm_get(sqc, min_wqe_inline_mode);
	const uint8_t of_port = emu_cap(emu, eth_virt) ? emu_model(emu)->min_inline : 0;

	return of_sq > of_port ? of_sq : of_port;
}

static void fill_sq(struct emu *emu, struct emu_sq *sq, const struct prm_sqc *sqc,
		    const struct emu_wq_refs *refs)
{
	const struct prm_wq *wq = prm_sub(sqc, wq);

	sq->ring = refs->ring;
	sq->dbr = refs->dbr;
	sq->ring_umem = refs->ring_umem;
	sq->dbr_umem = refs->dbr_umem;
	sq->cq = refs->cq;
	sq->state = PRM_WQ_STATE_RST;
	sq->log_size = (uint8_t)prm_get(wq, log_wq_sz);
	sq->flush_in_error = prm_get(sqc, flush_in_error_en);
	sq->min_inline = get_min_inline(emu, sqc);
	sq->real_time = emu_wq_has_real_time(emu, prm_get(sqc, ts_format));
	sq->pd = (uint32_t)prm_get(wq, pd);
	sq->user_index = (uint32_t)prm_get(sqc, user_index);
	sq->rate = (uint16_t)prm_get(sqc, packet_pacing_rate_limit_index);
	sq->ctx = *sqc;
	sq->made = ++emu->n_sqs_made;
	emu_ref(refs->pd);
	emu_ref(sq->cq);
	emu_ref(sq->tis);
	emu_ref(sq->uar);
	sq->next_on_uar = sq->uar->sqs;
	sq->uar->sqs = sq;
}

uint8_t emu_fw_create_sq(EMU_FW_ARGS(create_sq))
{
	const struct prm_sqc *sqc = prm_sub(in, ctx);
	const struct prm_wq *wq = prm_sub(sqc, wq);
	struct emu_wq_refs refs;
	struct emu_uar *uar;
	struct emu_tis *tis = NULL;
	struct emu_sq *sq;
	uint8_t status = validate_sq_context(emu, uid, sqc);

	if (status != PRM_STATUS_OK)
		return status;
	if (prm_get(sqc, tis_lst_sz)) {
		tis = emu_use_field(emu, EMU_TIS, sqc, tis_num_0, uid);
		if (!tis)
			return PRM_STATUS_BAD_RES;
	}
	uar = emu_use_field(emu, EMU_UAR, wq, uar_page, uid);
	if (!uar)
		return PRM_STATUS_BAD_RES;
	status = emu_wq_open(emu, uid, wq, (uint32_t)prm_get(sqc, cqn),
			     (in_bytes - sizeof(*in)) / sizeof(uint64_t), &refs);
	if (status != PRM_STATUS_OK)
		return status;
	sq = emu_make_object(emu, EMU_SQ, uid, sizeof(*sq), emu_drop_sq);
	if (!sq) {
		emu_wq_close(&refs);
		return PRM_STATUS_LIM_ERR;
	}
	sq->uar = uar;
	sq->tis = tis;
	fill_sq(emu, sq, sqc, &refs);
	prm_set(out, sqn, sq->obj.id);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_query_sq(EMU_FW_ARGS(query_sq))
{
	const struct emu_sq *sq = emu_use_field(emu, EMU_SQ, in, sqn, uid);
	struct prm_sqc *sqc = prm_sub(out, sq_context);

	if (!sq)
		return PRM_STATUS_BAD_RES;
	*sqc = sq->ctx;
	prm_set(sqc, state, sq->state);
	prm_set(prm_sub(sqc, wq), hw_counter, sq->cc);
	prm_set(prm_sub(sqc, wq), sw_counter, sq->pc);
	return PRM_STATUS_OK;
}

/* Changes the state and rate limit of an SQ. emu has no queue groups, the mask's other bit. */
uint8_t emu_fw_modify_sq(EMU_FW_ARGS(modify_sq))
{
	struct emu_sq *sq = emu_use_field(emu, EMU_SQ, in, sqn, uid);
	const struct prm_sqc *sqc = prm_sub(in, ctx);
	const uint64_t mask = prm_get(in, modify_bitmask);
	const uint16_t rate = (uint16_t)prm_get(sqc, packet_pacing_rate_limit_index);
	const uint8_t to = (uint8_t)prm_get(sqc, state);
	uint8_t status;

	if (!sq)
		return PRM_STATUS_BAD_RES;
	if (mask & ~(uint64_t)PRM_MODIFY_SQ_BITMASK_RATE_LIMIT)
		return emu_refuse_bits(emu, EMU_SYND_BITMASK, "modify_bitmask", mask,
				       PRM_MODIFY_SQ_BITMASK_RATE_LIMIT);
	if (mask && emu_rate_check(emu, uid, rate))
		return PRM_STATUS_BAD_PARAM;
	status = emu_wq_transition(emu, sq->state, (uint8_t)prm_get(in, sq_state), to);
	if (status != PRM_STATUS_OK)
		return status;
	if (to == PRM_WQ_STATE_ERR) {
		emu_sq_fail(emu, sq);
	} else if (to != sq->state) {
		emu_sq_forget(emu, sq); /* drops WQEs posted before RST, without CQEs */
		emu_sq_reset(emu, sq);
		sq->state = to;
	}
	if (mask) {
		sq->rate = rate;
		prm_set(&sq->ctx, packet_pacing_rate_limit_index, rate);
		emu_pace_restart(emu, sq);
	}
	return PRM_STATUS_OK;
}

void emu_drop_sq(struct emu *emu, struct emu_obj *obj)
{
	struct emu_sq *sq = (struct emu_sq *)obj, **link = &sq->uar->sqs;
	struct emu_wq_refs refs = { sq->ring, sq->dbr, sq->ring_umem, sq->dbr_umem, NULL, NULL };

	emu_sq_forget(emu, sq);
	emu_flush_forget(emu, obj);
	while (*link != sq)
		link = &(*link)->next_on_uar;
	*link = sq->next_on_uar;
	emu_wq_close(&refs);
	emu_unref(emu_obj_at(&emu->table[EMU_PD], sq->pd));
	emu_unref(sq->cq);
	emu_unref(sq->tis);
	emu_unref(sq->uar);
}

uint8_t emu_fw_destroy_sq(EMU_FW_ARGS(destroy_sq))
{
	return emu_destroy_field(emu, EMU_SQ, in, sqn, uid);
}
