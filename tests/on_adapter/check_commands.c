/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Assumptions about answers to commands of queues, TIRs and RQTs. No frame is sent.
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <string.h>

#include "checks.h"
#include "devx/cmd.h"
#include "devx/rqt.h"

enum { NO_SUCH_CQ = 0xfffff0 };

void check_missing_object_is_bad_res(struct adapter *at, struct finding *f)
{
	struct prm_create_sq_in in = { 0 };
	struct prm_create_sq_out out = { 0 };
	struct mlx5dv_devx_obj *obj = NULL;
	struct rig rig = { 0 };

	if (rig_prepare_send(&rig, at, f)) {
		rig_fill_sq(&rig, &in);
		prm_set(prm_sub(&in, ctx), cqn, NO_SUCH_CQ);
		judge_refused(f, rig.dev,
			      devx_cmd_create(rig.dev, &in, sizeof(in), &out, sizeof(out), &obj),
			      PRM_STATUS_BAD_RES);
		devx_cmd_destroy(rig.dev, obj);
	}
	rig_destroy(&rig);
}

void check_short_query_is_answered(struct adapter *at, struct finding *f)
{
	struct prm_query_sq_in in = { 0 };
	struct prm_query_sq_out out = { 0 };
	struct rig rig = { 0 };

	if (rig_prepare_send(&rig, at, f)) {
		prm_set(&in, opcode, PRM_OP_query_sq);
		prm_set(&in, sqn, rig.sq.sqn);
		judge_accepted(f, rig.dev,
			       devx_cmd_query(rig.dev, rig.sq.obj, &in, sizeof(in), &out,
					      sizeof(out) / 2));
	}
	rig_destroy(&rig);
}

void check_wrong_state_is_bad_res_state(struct adapter *at, struct finding *f)
{
	struct prm_modify_sq_in in = { 0 };
	struct prm_modify_sq_out out = { 0 };
	struct rig rig = { 0 };

	if (rig_prepare_send(&rig, at, f)) { /* the SQ is in RDY */
		prm_set(&in, opcode, PRM_OP_modify_sq);
		prm_set(&in, sq_state, PRM_WQ_STATE_ERR);
		prm_set(&in, sqn, rig.sq.sqn);
		prm_set(prm_sub(&in, ctx), state, PRM_WQ_STATE_RST);
		judge_refused(
			f, rig.dev,
			devx_cmd_modify(rig.dev, rig.sq.obj, &in, sizeof(in), &out, sizeof(out)),
			PRM_STATUS_BAD_RES_STATE);
	}
	rig_destroy(&rig);
}

void check_node_guid_contains_the_mac(struct adapter *at, struct finding *f)
{
	struct ibv_device_attr attr = { .node_guid = 0 };
	const uint8_t *guid = (const uint8_t *)&attr.node_guid;

	if (!at->port.frame_bytes) {
		cannot_test(f, "firmware does not tell the MAC address of the port");
		return;
	}
	if (!could_prepare(f, &at->dev, -ibv_query_device(at->dev.ctx, &attr)))
		return;
	judge_fact(f, !memcmp(guid, at->port.mac, 3) && !memcmp(guid + 5, at->port.mac + 3, 3),
		   "other bytes", "the MAC address of the port in the node GUID");
}

void check_lower_inline_mode_is_accepted(struct adapter *at, struct finding *f)
{
	struct prm_create_sq_in in = { 0 };
	struct prm_create_sq_out out = { 0 };
	struct mlx5dv_devx_obj *obj = NULL;
	struct rig rig = { 0 };

	if (rig_prepare_send(&rig, at, f)) {
		if (!rig.sq.inline_mode)
			cannot_test(f,
				    "the device needs no headers in WQEs (min_wqe_inline_mode 0)");
		rig_fill_sq(&rig, &in);
		prm_set(prm_sub(&in, ctx), min_wqe_inline_mode, PRM_MIN_WQE_INLINE_MODE_NONE);
		if (f->verdict != NOT_HERE)
			judge_accepted(
				f, rig.dev,
				devx_cmd_create(rig.dev, &in, sizeof(in), &out, sizeof(out), &obj));
		devx_cmd_destroy(rig.dev, obj);
	}
	rig_destroy(&rig);
}

/* lib/devx keeps the clock that the first SQ got beside the capability. */
void check_real_time_mode_refuses_free_running(struct adapter *at, struct finding *f)
{
	enum {
		REAL_TIME_KHZ = 1000000
	}; /* net_mlx5 knows the mode by it, mlx5_rt_timestamp_config */
	const unsigned cap = at->dev.caps.sq_ts_format, khz = at->dev.caps.device_frequency_khz;
	struct rig rig = { 0 };

	if (rig_prepare_send(&rig, at, f)) {
		if (cap != PRM_HCA_CAP_TS_FORMAT_FREE_RUNNING_AND_REAL_TIME)
			cannot_test(f, "the device has one clock for time stamps (sq_ts_format %u)",
				    cap);
		else if (at->dev.sq_ts_format == PRM_HCA_CAP_TS_FORMAT_REAL_TIME)
			finding_confirm(f);
		else if (khz == REAL_TIME_KHZ)
			finding_refute(f,
				       "saw an SQ with a free-running clock (expected a refusal)");
		else
			cannot_test(f,
				    "the device is not in real-time mode (device_frequency_khz %u)",
				    khz);
	}
	rig_destroy(&rig);
}

void check_inner_hash_needs_tunneled_offload(struct adapter *at, struct finding *f)
{
	struct prm_create_tir_in in = { 0 };
	struct prm_create_tir_out out = { 0 };
	struct prm_tirc *tirc = prm_sub(&in, ctx);
	struct mlx5dv_devx_obj *obj = NULL;
	struct devx_rqt rqt = { 0 };
	struct rig rig = { 0 };

	if (rig_prepare_send(&rig, at, f) && rig_prepare_receive(&rig, f) &&
	    could_prepare(f, rig.dev, devx_rqt_create(&rqt, rig.dev, &rig.rq.rqn, 1, 1))) {
		prm_set(&in, opcode, PRM_OP_create_tir);
		prm_set(tirc, disp_type, PRM_TIRC_DISP_TYPE_INDIRECT);
		prm_set(tirc, indirect_table, rqt.rqtn);
		prm_set(tirc, rx_hash_fn, PRM_RX_HASH_FN_TOEPLITZ);
		prm_set(tirc, transport_domain, rig.in_td.tdn);
		prm_set(prm_sub(tirc, rx_hash_field_selector_inner), selected_fields,
			PRM_HASH_FIELD_SEL_SRC_IP | PRM_HASH_FIELD_SEL_DST_IP);
		judge_refused(f, rig.dev,
			      devx_cmd_create(rig.dev, &in, sizeof(in), &out, sizeof(out), &obj),
			      ANY_STATUS);
		devx_cmd_destroy(rig.dev, obj);
	}
	devx_rqt_destroy(&rqt);
	rig_destroy(&rig);
}

void check_tir_without_fields_needs_one_rq(struct adapter *at, struct finding *f)
{
	struct devx_tir_attr attr = { 0 };
	struct devx_rqt rqt = { 0 };
	struct devx_tir tir = { 0 };
	struct rig rig = { 0 };

	if (rig_prepare_send(&rig, at, f) && rig_prepare_receive(&rig, f) &&
	    could_prepare(
		    f, rig.dev,
		    devx_rqt_create(&rqt, rig.dev, (uint32_t[]){ rig.rq.rqn, rig.rq.rqn }, 2, 2))) {
		attr.td = &rig.in_td;
		attr.rqt = &rqt;
		judge_refused(f, rig.dev, devx_tir_create(&tir, rig.dev, &attr), ANY_STATUS);
		devx_tir_destroy(&tir);
	}
	devx_rqt_destroy(&rqt);
	rig_destroy(&rig);
}

void check_rqt_size_is_a_power_of_two(struct adapter *at, struct finding *f)
{
	enum { N = 3, MAX = 4 };
	struct {
		struct prm_create_rqt_in in;
		prm_be32 rqn[N];
	} cmd = { 0 };
	struct prm_create_rqt_out out = { 0 };
	struct prm_rqtc *rqtc = prm_sub(&cmd.in, rqt_context);
	struct mlx5dv_devx_obj *obj = NULL;
	struct rig rig = { 0 };

	if (rig_prepare_send(&rig, at, f) && rig_prepare_rq(&rig, f)) {
		prm_set(&cmd.in, opcode, PRM_OP_create_rqt);
		prm_set(rqtc, rqt_max_size, MAX);
		prm_set(rqtc, rqt_actual_size, N);
		for (int i = 0; i < N; i++)
			cmd.rqn[i] = prm_be32_of(rig.rq.rqn);
		judge_refused(f, rig.dev,
			      devx_cmd_create(rig.dev, &cmd, sizeof(cmd), &out, sizeof(out), &obj),
			      ANY_STATUS);
		devx_cmd_destroy(rig.dev, obj);
	}
	rig_destroy(&rig);
}

void check_unarmed_cq_has_state_0(struct adapter *at, struct finding *f)
{
	struct prm_query_cq_in in = { 0 };
	struct prm_query_cq_out out = { 0 };
	struct rig rig = { 0 };
	unsigned int st;

	if (rig_prepare_send(&rig, at, f)) {
		prm_set(&in, opcode, PRM_OP_query_cq);
		prm_set(&in, cqn, rig.send_cq.cqn);
		if (could_prepare(f, rig.dev,
				  devx_cmd_query(rig.dev, rig.send_cq.obj, &in, sizeof(in), &out,
						 sizeof(out)))) {
			st = (unsigned int)prm_get(prm_sub(&out, cq_context), st);
			if (st == PRM_CQC_ST_NONE)
				finding_confirm(f);
			else
				finding_refute(f, "saw st 0x%x (expected 0x%x)", st,
					       PRM_CQC_ST_NONE);
		}
	}
	rig_destroy(&rig);
}

static bool query_rq(const struct rig *rig, struct finding *f, struct prm_query_rq_out *out)
{
	struct prm_query_rq_in in = { 0 };

	prm_set(&in, opcode, PRM_OP_query_rq);
	prm_set(&in, rqn, rig->rq.rqn);
	return could_prepare(
		f, rig->dev,
		devx_cmd_query(rig->dev, rig->rq.obj, &in, sizeof(in), out, sizeof(*out)));
}

void check_rq_reset_keeps_vsd(struct adapter *at, struct finding *f)
{
	struct prm_query_rq_out before = { 0 }, after = { 0 };
	struct rig rig = { 0 };

	if (!at->dev.caps.vlan_cap)
		cannot_test(f, "the device does not strip VLAN tags (capability vlan_cap is 0)");
	else if (rig_prepare_send(&rig, at, f) && rig_prepare_rq(&rig, f) &&
		 could_prepare(f, rig.dev, devx_rq_set_keep_vlan(&rig.rq, false)) &&
		 query_rq(&rig, f, &before) && could_prepare(f, rig.dev, devx_rq_reset(&rig.rq)) &&
		 query_rq(&rig, f, &after))
		judge_fact(f,
			   prm_get(prm_sub(&before, rq_context), vsd) ==
				   prm_get(prm_sub(&after, rq_context), vsd),
			   "another vsd after the reset", "the vsd from before");
	rig_destroy(&rig);
}

void check_modify_rq_bit_0_is_lwm(struct adapter *at, struct finding *f)
{
	enum { LWM = 3 };
	struct prm_modify_rq_in in = { 0 };
	struct prm_modify_rq_out out = { 0 };
	struct prm_query_rq_out state = { 0 };
	struct rig rig = { 0 };
	int rc;

	if (rig_prepare_send(&rig, at, f) && rig_prepare_rq(&rig, f)) {
		prm_set(&in, opcode, PRM_OP_modify_rq);
		prm_set(&in, rq_state, PRM_WQ_STATE_RDY);
		prm_set(&in, rqn, rig.rq.rqn);
		prm_set(&in, modify_bitmask, PRM_MODIFY_RQ_BITMASK_WQ_LWM);
		prm_set(prm_sub(&in, ctx), state, PRM_WQ_STATE_RDY);
		prm_set(prm_sub(prm_sub(&in, ctx), wq), lwm, LWM);
		rc = devx_cmd_modify(rig.dev, rig.rq.obj, &in, sizeof(in), &out, sizeof(out));
		if (rc)
			judge_accepted(f, rig.dev, rc);
		else if (query_rq(&rig, f, &state))
			judge_fact(f, prm_get(prm_sub(prm_sub(&state, rq_context), wq), lwm) == LWM,
				   "another low water mark in QUERY_RQ", "the one of MODIFY_RQ");
	}
	rig_destroy(&rig);
}

void check_query_adapter_has_vendor_numbers(struct adapter *at, struct finding *f)
{
	struct prm_query_adapter_in in = { 0 };
	struct prm_query_adapter_out out = { 0 };
	const struct prm_query_adapter_param_block *block = prm_sub(&out, query_adapter_struct);
	struct ibv_device_attr attr;
	unsigned int ieee, pci;

	prm_set(&in, opcode, PRM_OP_query_adapter);
	if (ibv_query_device(at->dev.ctx, &attr)) {
		cannot_test(f, "ibv_query_device failed");
		return;
	}
	if (!could_prepare(f, &at->dev,
			   devx_cmd_general(&at->dev, &in, sizeof(in), &out, sizeof(out))))
		return;
	ieee = (unsigned int)prm_get(block, ieee_vendor_id);
	pci = (unsigned int)prm_get(block, vsd_vendor_id);
	if (ieee == attr.vendor_id && pci == PRM_VSD_VENDOR_ID_MELLANOX)
		finding_confirm(f);
	else
		finding_refute(f, "saw IEEE 0x%x and PCI-SIG 0x%x (expected 0x%x and 0x%x)", ieee,
			       pci, attr.vendor_id, PRM_VSD_VENDOR_ID_MELLANOX);
}
