/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "emu/base/profile.h"
#include "emu/firmware/cmd.h"
#include "emu/firmware/tir.h"
#include "emu/queue/rq.h"
#include "emu/steering/rss.h"

/*
 * Checks the number of RQs in a table, and that the mailbox lists as many.
 *
 * PRM-MISSING: rqt_actual_size must be a power of two. (Linux and net_mlx5 send one:
 * mlx5e_rqt_size, mlx5_devx_ind_table_create_rqt_attr.)
 */
static uint8_t check_size(struct emu *emu, const struct prm_rqtc *rqtc, size_t listed, uint32_t max)
{
	const uint32_t n = (uint32_t)prm_get(rqtc, rqt_actual_size);

	if (!n || n & (n - 1) || n > max)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_SIZE,
				  "rqt_actual_size: %u is invalid (valid: powers of two up to %u)",
				  n, max);
	if (listed != n)
		return emu_refuse_list(emu, PRM_STATUS_BAD_INP_LEN, EMU_SYND_SIZE,
				       "rqt_actual_size", n, listed);
	return PRM_STATUS_OK;
}

/*
 * PRM-MISSING: a TIR without hash fields is refused on a table of several RQs, and so is a change
 * of either with this result. (The drivers avoid it: mlx5_ib refuses it itself,
 * create_rss_raw_qp_tir; mlx5e and net_mlx5 use a table of one RQ, mlx5e_rqt_init_direct.)
 */
uint8_t emu_rqt_check_unhashed(struct emu *emu, uint32_t n)
{
	if (n == 1 || emu->profile->options.unhashed_tables)
		return PRM_STATUS_OK;
	return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_HASH,
			  "rqt_actual_size: %u with a TIR without hash fields (valid: 1)", n);
}

/* Finds the RQs of a context. Returns an array that the caller frees, or NULL and @status. */
static struct emu_rq **find_rqs(struct emu *emu, uint16_t uid, const struct prm_rqtc *rqtc,
				uint8_t *status)
{
	const uint32_t n = (uint32_t)prm_get(rqtc, rqt_actual_size);
	struct emu_rq **rq = calloc(n, sizeof(*rq));

	*status = PRM_STATUS_OK;
	if (!rq)
		*status = emu_refuse_memory(emu);
	for (uint32_t i = 0; rq && i < n; i++) {
		rq[i] = emu_use_field(emu, EMU_RQ, prm_sub_at(rqtc, rq_num, i), rq_num, uid);
		if (!rq[i]) {
			*status = PRM_STATUS_BAD_RES;
			free(rq);
			return NULL;
		}
	}
	return rq;
}

static void replace_rqs(struct emu_rqt *rqt, struct emu_rq **rq, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		emu_ref(rq[i]);
	for (uint32_t i = 0; i < rqt->n; i++)
		emu_unref(rqt->rq[i]);
	free(rqt->rq);
	rqt->rq = rq;
	rqt->n = n;
	prm_set(&rqt->ctx, rqt_actual_size, n);
}

void emu_rqt_set_tunneled(struct emu_rqt *rqt, bool on)
{
	rqt->tunneled_offload = on;
	for (uint32_t i = 0; i < rqt->n; i++)
		rqt->rq[i]->tunneled_offload = on;
}

static void drop_rqt(EMU_UNUSED struct emu *emu, struct emu_obj *obj)
{
	replace_rqs((struct emu_rqt *)obj, NULL, 0);
}

uint8_t emu_fw_create_rqt(EMU_FW_ARGS(create_rqt))
{
	const struct prm_rqtc *rqtc = prm_sub(in, rqt_context);
	const uint32_t max = (uint32_t)prm_get(rqtc, rqt_max_size);
	struct emu_rq **rq;
	struct emu_rqt *rqt;
	uint8_t status;

	if (prm_get(rqtc, list_q_type) != PRM_RQTC_LIST_Q_TYPE_RQ)
		return emu_refuse_value(emu, EMU_SYND_TYPE, "list_q_type",
					prm_get(rqtc, list_q_type), "0 = RQ");
	if (max > 1u << emu_cap(emu, log_max_rqt_size))
		return emu_refuse_range(emu, EMU_SYND_SIZE, "rqt_max_size", max, 0,
					1u << emu_cap(emu, log_max_rqt_size));
	status = check_size(emu, rqtc, (in_bytes - sizeof(*in)) / prm_rq_num_bytes, max);
	if (status != PRM_STATUS_OK)
		return status;
	rq = find_rqs(emu, uid, rqtc, &status);
	if (!rq)
		return status;
	rqt = emu_make_object(emu, EMU_RQT, uid, sizeof(*rqt), drop_rqt);
	if (!rqt) {
		free(rq);
		return PRM_STATUS_LIM_ERR;
	}
	rqt->ctx = *rqtc;
	rqt->max = max;
	replace_rqs(rqt, rq, (uint32_t)prm_get(rqtc, rqt_actual_size));
	prm_set(out, rqtn, rqt->obj.id);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_query_rqt(EMU_FW_ARGS(query_rqt))
{
	const struct emu_rqt *rqt = emu_use_field(emu, EMU_RQT, in, rqtn, uid);
	const size_t room = (out_bytes - sizeof(*out)) / prm_rq_num_bytes;
	struct prm_rqtc *rqtc = prm_sub(out, rqt_context);

	if (!rqt)
		return PRM_STATUS_BAD_RES;
	*rqtc = rqt->ctx;
	for (uint32_t i = 0; i < rqt->n && i < room; i++)
		prm_set(prm_sub_at(rqtc, rq_num, i), rq_num, rqt->rq[i]->obj.id);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_modify_rqt(EMU_FW_ARGS(modify_rqt))
{
	struct emu_rqt *rqt = emu_use_field(emu, EMU_RQT, in, rqtn, uid);
	const struct prm_rqtc *rqtc = prm_sub(in, ctx);
	struct emu_rq **rq;
	uint8_t status;

	if (!rqt)
		return PRM_STATUS_BAD_RES;
	if (!prm_get(prm_sub(in, bitmask), rqn_list))
		return PRM_STATUS_OK;
	status = check_size(emu, rqtc, (in_bytes - sizeof(*in)) / prm_rq_num_bytes, rqt->max);
	if (status == PRM_STATUS_OK && rqt->n_unhashed)
		status = emu_rqt_check_unhashed(emu, (uint32_t)prm_get(rqtc, rqt_actual_size));
	if (status != PRM_STATUS_OK)
		return status;
	rq = find_rqs(emu, uid, rqtc, &status);
	if (!rq)
		return status;
	replace_rqs(rqt, rq, (uint32_t)prm_get(rqtc, rqt_actual_size));
	/*
	 * PRM-MISSING: MODIFY_RQT gives its RQs tunneled_offload_en of the TIR on the table that
	 * was written last. (mlx5e creates its TIRs on tables of one RQ that drops, and replaces
	 * this RQ with MODIFY_RQT. All its TIRs have the same bit.)
	 */
	if (rqt->obj.refs) /* TIRs use the table */
		emu_rqt_set_tunneled(rqt, rqt->tunneled_offload);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_destroy_rqt(EMU_FW_ARGS(destroy_rqt))
{
	return emu_destroy_field(emu, EMU_RQT, in, rqtn, uid);
}
