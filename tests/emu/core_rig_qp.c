/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_qp.h"

void core_rig_fill_qp(const struct core_rig *r, const struct core_rig_qp *qp,
		      struct core_rig_qp_in *in)
{
	struct prm_qpc *qpc = prm_sub(&in->head, qpc);

	*in = (struct core_rig_qp_in){
		.bytes = sizeof(in->head) + qp->n_pages * sizeof(in->page[0]),
	};
	prm_set(qpc, st, qp->st);
	prm_set(qpc, pm_state, PRM_QPC_PM_STATE_MIGRATED);
	prm_set(qpc, log_sq_size, qp->log_sq);
	prm_set(qpc, uar_page, r->uar);
	prm_set(qpc, cqn_snd, qp->cqn);
	prm_set(qpc, cqn_rcv, qp->cqn);
	prm_set(qpc, page_offset, qp->page_offset);
	prm_set(qpc, dbr_addr, (uintptr_t)qp->dbr);
	if (qp->st == PRM_QPC_ST_REG_UMR) {
		prm_set(qpc, rq_type, PRM_QPC_RQ_TYPE_ZERO_LEN_RQ);
	} else {
		prm_set(qpc, pd, r->pd);
		prm_set(qpc, log_rq_size, qp->log_rq);
		prm_set(qpc, log_rq_stride, qp->log_rq_stride);
	}
	for (unsigned i = 0; i < qp->n_pages; i++)
		in->page[i] = prm_be64_of((uintptr_t)qp->pages + i * CORE_RIG_PAGE);
}

uint8_t core_rig_create_qp(struct core_rig *r, struct core_rig_qp_in *in, uint32_t *qpn)
{
	struct prm_create_qp_out out;
	const uint8_t status = core_rig_exec(r, PRM_OP_create_qp, in, in->bytes, &out, sizeof(out));

	*qpn = (uint32_t)prm_get(&out, qpn);
	return status;
}

void core_rig_fill_qp_move(const struct core_rig *r, const struct core_rig_qp *qp, uint32_t qpn,
			   struct prm_rst2init_qp_in *in)
{
	struct prm_qpc *qpc = prm_sub(in, qpc);

	*in = (struct prm_rst2init_qp_in){ 0 };
	prm_set(in, qpn, qpn);
	prm_set(qpc, st, qp->st);
	prm_set(qpc, pm_state, PRM_QPC_PM_STATE_MIGRATED);
	prm_set(qpc, pd, r->pd);
	prm_set(qpc, cqn_snd, qp->cqn);
}

uint8_t core_rig_move_umr_qp(struct core_rig *r, uint32_t qpn, uint32_t cqn, uint16_t opcode)
{
	const struct core_rig_qp qp = { .st = PRM_QPC_ST_REG_UMR, .cqn = cqn };
	struct prm_rst2init_qp_in in;
	struct prm_rst2init_qp_out out;

	core_rig_fill_qp_move(r, &qp, qpn, &in);
	return core_rig_exec(r, opcode, &in, sizeof(in), &out, sizeof(out));
}

void core_rig_start_umr_qp(struct core_rig *r, uint32_t qpn, uint32_t cqn)
{
	for (uint16_t op = PRM_OP_rst2init_qp; op <= PRM_OP_rtr2rts_qp; op++)
		EXPECT_EQ(PRM_STATUS_OK, core_rig_move_umr_qp(r, qpn, cqn, op));
}

struct core_rig_sq core_rig_make_umr_qp(struct core_rig *r, unsigned log_n, uint32_t cqn)
{
	struct core_rig_sq sq = { .n = 1u << log_n,
				  .ring = core_rig_alloc(r, CORE_RIG_PAGE),
				  .dbr = core_rig_alloc(r, CORE_RIG_PAGE) };
	const struct core_rig_qp qp = { .st = PRM_QPC_ST_REG_UMR,
					.cqn = cqn,
					.log_sq = (uint8_t)log_n,
					.dbr = sq.dbr,
					.pages = sq.ring,
					.n_pages = 1 };
	struct core_rig_qp_in in;

	core_rig_fill_qp(r, &qp, &in);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_create_qp(r, &in, &sq.sqn));
	core_rig_start_umr_qp(r, sq.sqn, cqn);
	return sq;
}
