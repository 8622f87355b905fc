/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_qp.h"

uint8_t core_rig_move_umr_qp(struct core_rig *r, uint32_t qpn, uint32_t cqn, uint16_t opcode)
{
	struct prm_rst2init_qp_in in = { 0 }; /* the other transitions have the same layout */
	struct prm_rst2init_qp_out out;
	struct prm_qpc *qpc = prm_sub(&in, qpc);

	prm_set(&in, qpn, qpn);
	prm_set(qpc, st, PRM_QPC_ST_REG_UMR);
	prm_set(qpc, pm_state, PRM_QPC_PM_STATE_MIGRATED);
	prm_set(qpc, pd, r->pd);
	prm_set(qpc, cqn_snd, cqn);
	return core_rig_exec(r, opcode, &in, sizeof(in), &out, sizeof(out));
}

struct core_rig_sq core_rig_make_umr_qp(struct core_rig *r, unsigned log_n, uint32_t cqn)
{
	struct {
		struct prm_create_qp_in head;
		prm_be64 pas;
	} in = { 0 };
	struct prm_qpc *qpc = prm_sub(&in.head, qpc);
	struct prm_create_qp_out out;
	struct core_rig_sq sq = { .n = 1u << log_n,
				  .ring = core_rig_alloc(r, CORE_RIG_PAGE),
				  .dbr = core_rig_alloc(r, CORE_RIG_PAGE) };

	prm_set(qpc, st, PRM_QPC_ST_REG_UMR);
	prm_set(qpc, pm_state, PRM_QPC_PM_STATE_MIGRATED);
	prm_set(qpc, rq_type, PRM_QPC_RQ_TYPE_ZERO_LEN_RQ);
	prm_set(qpc, log_sq_size, log_n);
	prm_set(qpc, uar_page, r->uar);
	prm_set(qpc, cqn_snd, cqn);
	prm_set(qpc, cqn_rcv, cqn);
	prm_set(qpc, dbr_addr, (uintptr_t)sq.dbr);
	in.pas = prm_be64_of((uintptr_t)sq.ring);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_exec(r, PRM_OP_create_qp, &in, sizeof(in), &out, sizeof(out)));
	sq.sqn = (uint32_t)prm_get(&out, qpn);
	for (uint16_t op = PRM_OP_rst2init_qp; op <= PRM_OP_rtr2rts_qp; op++)
		EXPECT_EQ(PRM_STATUS_OK, core_rig_move_umr_qp(r, sq.sqn, cqn, op));
	return sq;
}
