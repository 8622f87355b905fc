/* SPDX-License-Identifier: BSD-3-Clause
 *
 * State transitions of a QP: RST -> INIT -> RTR -> RTS, and from every state to ERR or RST.
 */
#include "emu/firmware/cmd.h"
#include "emu/queue/sq.h"
#include "emu/queue/rq.h"

/* Returns whether a transition leaves a field 0 or repeats the QP's value. */
static bool keeps_field(uint64_t sent, uint64_t is)
{
	return !sent || sent == is;
}

/*
 * Source: mlx5_ib repeats the fields (__mlx5_ib_modify_qp). Linux's mlx5i_init_underlay_qp and
 * dr_cmd_modify_qp_rtr2rts, and DPDK's mlx5_devx_cmd_modify_qp_state, leave them 0.
 *
 * PRM-MISSING: a transition with another service type, CQ or record is refused. (Neither Linux nor
 * DPDK sends one.)
 */
static uint8_t validate_qp_transition(struct emu *emu, const struct emu_qp *qp,
				      const struct prm_qpc *qpc)
{
	const unsigned st = (unsigned)prm_get(qpc, st), cqn = (unsigned)prm_get(qpc, cqn_snd);

	if (!keeps_field(st, prm_get(&qp->ctx, st)) ||
	    !keeps_field(cqn, prm_get(&qp->ctx, cqn_snd)) ||
	    !keeps_field(prm_get(qpc, pm_state), PRM_QPC_PM_STATE_MIGRATED))
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_TYPE,
			"qpc: st 0x%x, cqn_snd 0x%x, pm_state %u are invalid (valid for this "
			"QP: 0, or 0x%x, 0x%x, %d)",
			st, cqn, (unsigned)prm_get(qpc, pm_state), (unsigned)prm_get(&qp->ctx, st),
			(unsigned)prm_get(&qp->ctx, cqn_snd), PRM_QPC_PM_STATE_MIGRATED);
	if (prm_get(qpc, mtu) > PRM_QPC_MTU_4K_BYTES ||
	    prm_get(qpc, log_msg_max) > emu_cap(emu, log_max_msg) ||
	    prm_get(prm_sub(qpc, primary_address_path), vhca_port_num) > emu_cap(emu, num_ports))
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_SIZE,
			"qpc: mtu %u, log_msg_max %u, vhca_port_num %u are invalid (valid: at most "
			"%d, %u, %u)",
			(unsigned)prm_get(qpc, mtu), (unsigned)prm_get(qpc, log_msg_max),
			(unsigned)prm_get(prm_sub(qpc, primary_address_path), vhca_port_num),
			PRM_QPC_MTU_4K_BYTES, (unsigned)emu_cap(emu, log_max_msg),
			(unsigned)emu_cap(emu, num_ports));
	if (!keeps_field(prm_get(qpc, cqn_rcv), prm_get(&qp->ctx, cqn_rcv)) ||
	    !keeps_field(prm_get(qpc, dbr_addr), prm_get(&qp->ctx, dbr_addr)))
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_TYPE,
			"qpc: cqn_rcv 0x%x, dbr_addr 0x%llx are invalid (valid: 0, or the QP's "
			"0x%x, 0x%llx)",
			(unsigned)prm_get(qpc, cqn_rcv), (unsigned long long)prm_get(qpc, dbr_addr),
			(unsigned)prm_get(&qp->ctx, cqn_rcv),
			(unsigned long long)prm_get(&qp->ctx, dbr_addr));
	return PRM_STATUS_OK;
}

/*
 * A transition with pd 0 keeps the PD, as in validate_qp_transition().
 *
 * PRM-MISSING: transitions after RST2INIT cannot change the PD. (mlx5_ib sends the same PD in each,
 * __mlx5_ib_modify_qp.)
 */
static uint8_t set_pd(struct emu *emu, struct emu_qp *qp, uint16_t uid, uint32_t pd)
{
	struct emu_pd *to;

	if (!pd)
		return PRM_STATUS_OK;
	to = emu_use_object(emu, EMU_PD, "pd", pd, uid);
	if (!to)
		return PRM_STATUS_BAD_RES;
	if (qp->state != PRM_QPC_STATE_RST && pd != qp->sq.pd)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_TYPE,
				  "pd: 0x%x is invalid (valid: 0x%x, which RST2INIT set)", pd,
				  qp->sq.pd);
	emu_unref(emu_obj_at(&emu->table[EMU_PD], qp->sq.pd));
	emu_ref(to);
	qp->sq.pd = pd;
	prm_set(&qp->ctx, pd, pd);
	return PRM_STATUS_OK;
}

#define KEEP(field) prm_set(&qp->ctx, field, prm_get(qpc, field))

static uint8_t apply_qp_transition(struct emu *emu, uint32_t qpn, uint16_t uid,
				   const struct prm_qpc *qpc, uint8_t from, uint8_t to)
{
	const uint32_t counter_id = (uint32_t)prm_get(qpc, counter_set_id);
	struct emu_qp *qp = emu_use_object(emu, EMU_QP, "qpn", qpn, uid);
	struct emu_q_counter *counter = NULL;
	uint8_t status;

	if (!qp)
		return PRM_STATUS_BAD_RES;
	if (qp->state != from)
		return emu_refuse(
			emu, PRM_STATUS_BAD_QP_STATE, EMU_SYND_TRANSITION,
			"qpn: QP 0x%x is in state %u (valid: %u; 0 RST, 1 INIT, 2 RTR, 3 RTS)", qpn,
			qp->state, from);
	if (counter_id) {
		counter = emu_use_object(emu, EMU_Q_COUNTER, "counter_set_id", counter_id, uid);
		if (!counter)
			return PRM_STATUS_BAD_RES;
	}
	status = validate_qp_transition(emu, qp, qpc);
	if (status == PRM_STATUS_OK)
		status = set_pd(emu, qp, uid, (uint32_t)prm_get(qpc, pd));
	if (status != PRM_STATUS_OK)
		return status;
	KEEP(mtu);
	KEEP(log_msg_max);
	KEEP(log_ack_req_freq);
	if (to == PRM_QPC_STATE_INIT) {
		KEEP(counter_set_id);
		KEEP(q_key);
		emu_unref(qp->counter);
		emu_ref(counter);
		qp->counter = counter;
	}
	qp->state = to;
	if (to == PRM_QPC_STATE_RTS) {
		KEEP(next_send_psn);
		emu_sq_reset(emu, &qp->sq);
		qp->sq.state = PRM_WQ_STATE_RDY;
	}
	return PRM_STATUS_OK;
}

uint8_t emu_fw_rst2init_qp(EMU_FW_ARGS(rst2init_qp))
{
	return apply_qp_transition(emu, (uint32_t)prm_get(in, qpn), uid, prm_sub(in, qpc),
				   PRM_QPC_STATE_RST, PRM_QPC_STATE_INIT);
}

uint8_t emu_fw_init2rtr_qp(EMU_FW_ARGS(init2rtr_qp))
{
	return apply_qp_transition(emu, (uint32_t)prm_get(in, qpn), uid, prm_sub(in, qpc),
				   PRM_QPC_STATE_INIT, PRM_QPC_STATE_RTR);
}

uint8_t emu_fw_rtr2rts_qp(EMU_FW_ARGS(rtr2rts_qp))
{
	return apply_qp_transition(emu, (uint32_t)prm_get(in, qpn), uid, prm_sub(in, qpc),
				   PRM_QPC_STATE_RTR, PRM_QPC_STATE_RTS);
}

uint8_t emu_fw_qp_2err(EMU_FW_ARGS(qp_2err))
{
	struct emu_qp *qp = emu_use_field(emu, EMU_QP, in, qpn, uid);

	if (!qp)
		return PRM_STATUS_BAD_RES;
	emu_sq_forget(emu, &qp->sq);
	emu_sq_fail(emu, &qp->sq);
	qp->state = PRM_QPC_STATE_ERR;
	return PRM_STATUS_OK;
}

uint8_t emu_fw_qp_2rst(EMU_FW_ARGS(qp_2rst))
{
	struct emu_qp *qp = emu_use_field(emu, EMU_QP, in, qpn, uid);

	if (!qp)
		return PRM_STATUS_BAD_RES;
	emu_sq_forget(emu, &qp->sq);
	emu_sq_reset(emu, &qp->sq);
	qp->sq.state = PRM_WQ_STATE_RST;
	qp->state = PRM_QPC_STATE_RST;
	return PRM_STATUS_OK;
}
