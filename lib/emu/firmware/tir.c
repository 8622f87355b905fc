/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "emu/firmware/cmd.h"
#include "emu/firmware/tir.h"
#include "emu/queue/rq.h"
#include "emu/steering/rss.h"

/* Finds the target of a TIR: an RQ (direct) or an RQ table (indirect). The other one must be 0. */
static uint8_t find_target(struct emu *emu, const struct prm_tirc *tirc, uint16_t uid,
			   struct emu_rq **rq, struct emu_rqt **rqt)
{
	const bool indirect = prm_get(tirc, disp_type) == PRM_TIRC_DISP_TYPE_INDIRECT;

	if (prm_get(tirc, disp_type) > PRM_TIRC_DISP_TYPE_INDIRECT)
		return emu_refuse_value(emu, EMU_SYND_TYPE, "disp_type", prm_get(tirc, disp_type),
					"0 = direct, 1 = indirect");
	if (indirect ? prm_get(tirc, inline_rqn) : prm_get(tirc, indirect_table))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_TYPE,
				  "%s: not 0 with disp_type %u (valid: 0)",
				  indirect ? "inline_rqn" : "indirect_table", indirect);
	*rq = indirect ? NULL : emu_use_field(emu, EMU_RQ, tirc, inline_rqn, uid);
	*rqt = indirect ? emu_use_field(emu, EMU_RQT, tirc, indirect_table, uid) : NULL;
	return *rq || *rqt ? PRM_STATUS_OK : PRM_STATUS_BAD_RES;
}

static void set_hash(struct emu_tir *tir, const struct prm_tirc *tirc)
{
	tir->unhashed = tir->indirect && !emu_tir_has_fields(tirc);
	tir->hash_fn = (uint8_t)prm_get(tirc, rx_hash_fn);
	tir->symmetric = prm_get(tirc, rx_hash_symmetric);
	tir->outer = emu_tir_read_selector(prm_sub(tirc, rx_hash_field_selector_outer));
	tir->inner = emu_tir_read_selector(prm_sub(tirc, rx_hash_field_selector_inner));
	memcpy(tir->key, &tirc->dw[prm_bit(tirc, rx_hash_toeplitz_key) / 32], sizeof(tir->key));
}

/* Counts a TIR without hash fields in its table, or removes it from the count (@by is -1). */
static void count_unhashed(const struct emu_tir *tir, int by)
{
	if (tir->unhashed)
		tir->rqt->n_unhashed += (uint32_t)by;
}

/*
 * Copies tunneled_offload_en to the RQs of a TIR. If several TIRs lead to an RQ, the one written
 * last wins, and even MODIFY_TIR, which cannot change the bit, counts as a write. Source: Linux,
 * "net/mlx5e: Sync TIR params updates against concurrent create/modify"; DPDK,
 * MLX5_MODIFY_TIR_IN_MODIFY_BITMASK_*.
 */
static void pass_on(const struct emu_tir *tir)
{
	if (tir->indirect)
		emu_rqt_set_tunneled(tir->rqt, tir->tunneled_offload);
	else
		tir->rq->tunneled_offload = tir->tunneled_offload;
}

/*
 * Sets which own frames the TIR admits. Applies to the SQs that exist now, not to later ones.
 * Source: Tariq Toukan's patch to mlx5e_refresh_tirs (linux-rdma, October 2025): without
 * tis_tir_td_order, a driver must create the TIRs of a domain after its SQs, or set self_lb_en
 * again.
 */
static void set_self_lb(const struct emu *emu, struct emu_tir *tir, const struct prm_tirc *tirc)
{
	tir->self_lb_block = (uint8_t)prm_get(tirc, self_lb_block);
	tir->n_sqs_known = emu->n_sqs_made;
}

static void drop_tir(EMU_UNUSED struct emu *emu, struct emu_obj *obj)
{
	struct emu_tir *tir = (struct emu_tir *)obj;

	emu_tir_release(tir);
	count_unhashed(tir, -1);
	emu_unref(tir->rq);
	emu_unref(tir->rqt);
	emu_unref(tir->td);
}

uint8_t emu_fw_create_tir(EMU_FW_ARGS(create_tir))
{
	const struct prm_tirc *tirc = prm_sub(in, ctx);
	struct emu_tir parts = { 0 }, *tir;
	uint8_t status = find_target(emu, tirc, uid, &parts.rq, &parts.rqt);

	if (status == PRM_STATUS_OK)
		status = emu_tir_check_hash(emu, tirc, parts.rqt);
	if (status == PRM_STATUS_OK)
		status = emu_tir_check_tunnel(emu, tirc);
	if (status != PRM_STATUS_OK)
		return status;
	/*
	 * transport_domain 0 means that the TIR has none. Source: net_mlx5,
	 * mlx5_devx_drop_action_create, before a transmit queue exists.
	 */
	if (prm_get(tirc, transport_domain)) {
		parts.td = emu_use_field(emu, EMU_TD, tirc, transport_domain, uid);
		if (!parts.td)
			return PRM_STATUS_BAD_RES;
	}
	parts.indirect = parts.rqt;
	parts.tunneled_offload = prm_get(tirc, tunneled_offload_en);
	set_self_lb(emu, &parts, tirc);
	parts.ctx = *tirc;
	set_hash(&parts, tirc);
	if (emu_tir_prepare(&parts))
		return emu_refuse_memory(emu);
	tir = emu_make_object(emu, EMU_TIR, uid, sizeof(*tir), drop_tir);
	if (!tir) {
		emu_tir_release(&parts);
		return PRM_STATUS_LIM_ERR;
	}
	parts.obj = tir->obj;
	*tir = parts;
	emu_ref(tir->rq);
	emu_ref(tir->rqt);
	emu_ref(tir->td);
	count_unhashed(tir, 1);
	pass_on(tir);
	prm_set(out, tirn, tir->obj.id);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_query_tir(EMU_FW_ARGS(query_tir))
{
	const struct emu_tir *tir = emu_use_field(emu, EMU_TIR, in, tirn, uid);

	if (!tir)
		return PRM_STATUS_BAD_RES;
	*prm_sub(out, tir_context) = tir->ctx;
	return PRM_STATUS_OK;
}

/* Changes the hash of a TIR. @rqt: its current or new table; NULL: a direct TIR. */
static uint8_t modify_hash(struct emu *emu, struct emu_tir *tir, const struct prm_tirc *tirc,
			   const struct emu_rqt *rqt)
{
	struct emu_tir next = *tir;
	uint8_t status = emu_tir_check_hash(emu, tirc, rqt);

	if (status == PRM_STATUS_OK && !tir->tunneled_offload &&
	    emu_tir_read_selector(prm_sub(tirc, rx_hash_field_selector_inner)))
		status = emu_tir_refuse_inner_fields(emu);
	if (status != PRM_STATUS_OK)
		return status;
	set_hash(&next, tirc);
	next.toeplitz = NULL;
	if (emu_tir_prepare(&next))
		return emu_refuse_memory(emu);
	emu_tir_release(tir);
	count_unhashed(tir, -1);
	*tir = next;
	count_unhashed(tir, 1);
	prm_set(&tir->ctx, rx_hash_fn, tir->hash_fn);
	prm_set(&tir->ctx, rx_hash_symmetric, tir->symmetric);
	prm_sub(&tir->ctx, rx_hash_field_selector_outer)->dw[0] = prm_be32_of(tir->outer);
	prm_sub(&tir->ctx, rx_hash_field_selector_inner)->dw[0] = prm_be32_of(tir->inner);
	memcpy(&tir->ctx.dw[prm_bit(&tir->ctx, rx_hash_toeplitz_key) / 32], tir->key,
	       sizeof(tir->key));
	return PRM_STATUS_OK;
}

uint8_t emu_fw_modify_tir(EMU_FW_ARGS(modify_tir))
{
	struct emu_tir *tir = emu_use_field(emu, EMU_TIR, in, tirn, uid);
	const struct prm_modify_tir_bitmask *select = prm_sub(in, bitmask);
	const struct prm_tirc *tirc = prm_sub(in, ctx);
	uint8_t status = PRM_STATUS_OK;
	struct emu_rqt *rqt;

	if (!tir)
		return PRM_STATUS_BAD_RES;
	/*
	 * PRM-MISSING: without self_lb_en_modifiable MODIFY_TIR refuses self_lb_en. (Linux only
	 * warns that it cannot prevent self loopback, mlx5_eth_supported.)
	 */
	if (prm_get(select, self_lb_en) && !emu_eth_cap(emu, self_lb_en_modifiable))
		return emu_refuse_feature(emu, "bitmask.self_lb_en", "self_lb_en_modifiable");
	rqt = tir->rqt;
	if (prm_get(select, indirect_table)) {
		if (!tir->indirect)
			return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_BITMASK,
					  "bitmask.indirect_table: 1 is invalid for a direct TIR "
					  "(valid: 0)");
		rqt = emu_use_field(emu, EMU_RQT, tirc, indirect_table, uid);
		if (!rqt)
			return PRM_STATUS_BAD_RES;
	}
	if (prm_get(select, hash))
		status = modify_hash(emu, tir, tirc, rqt);
	else if (tir->unhashed)
		status = emu_rqt_check_unhashed(emu, rqt->n);
	if (status != PRM_STATUS_OK)
		return status;
	if (rqt != tir->rqt) {
		count_unhashed(tir, -1);
		emu_unref(tir->rqt);
		emu_ref(rqt);
		tir->rqt = rqt;
		count_unhashed(tir, 1);
		prm_set(&tir->ctx, indirect_table, rqt->obj.id);
	}
	if (prm_get(select, self_lb_en)) {
		set_self_lb(emu, tir, tirc);
		prm_set(&tir->ctx, self_lb_block, tir->self_lb_block);
	}
	pass_on(tir);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_destroy_tir(EMU_FW_ARGS(destroy_tir))
{
	return emu_destroy_field(emu, EMU_TIR, in, tirn, uid);
}
