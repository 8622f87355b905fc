/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The shared receive queues that a kernel creates beside its QP for UMRs: emu accepts the fields
 * that Linux sends, and refuses all others.
 */
#include "core_rig_qp.h"
#include "core_rig_refuse.h"
#include "emu/base/profile.h"
#include "emu/firmware/refuse.h"

enum { BAD = PRM_STATUS_BAD_PARAM, RES = PRM_STATUS_BAD_RES, LEN = PRM_STATUS_BAD_INP_LEN };

struct rmp_cmd {
	struct prm_create_rmp_in head;
	prm_be64 pas;
};
struct srq_cmd {
	struct prm_create_xrc_srq_in head;
	prm_be64 pas;
};

FIXTURE(srq)
{
	struct core_rig r;
	struct core_rig_cq cq;
	struct rmp_cmd rmp;
	struct srq_cmd srq;
	uint8_t *mem;
	uint32_t xrcd;
};

/* Fills in CREATE_RMP and CREATE_XRC_SRQ as mlx5_ib sends them. */
static void fill_commands(struct core_rig *r, uint32_t cqn, uint32_t xrcd, struct rmp_cmd *rmp,
			  struct srq_cmd *srq, uint8_t *mem)
{
	struct prm_rmpc *rmpc = prm_sub(&rmp->head, ctx);
	struct prm_wq *wq = prm_sub(rmpc, wq);
	struct prm_xrc_srqc *srqc = prm_sub(&srq->head, xrc_srq_context_entry);

	prm_set(rmpc, state, PRM_WQ_STATE_RDY);
	prm_set(wq, pd, r->pd);
	prm_set(wq, dbr_addr, (uintptr_t)mem + 64);
	prm_set(wq, log_wq_stride, 5);
	prm_set(wq, log_wq_sz, 7); /* one page */
	rmp->pas = prm_be64_of((uintptr_t)mem + 2 * CORE_RIG_PAGE);
	prm_set(srqc, log_xrc_srq_size, 7); /* one page */
	prm_set(srqc, log_rq_stride, 1);
	prm_set(srqc, xrcd, xrcd);
	prm_set(srqc, cqn, cqn);
	prm_set(srqc, user_index, 0xffffff);
	prm_set(srqc, pd, r->pd);
	prm_set(srqc, db_record_addr_h, (uintptr_t)mem >> 32);
	prm_set(srqc, db_record_addr_l, ((uintptr_t)mem & UINT32_MAX) >> 2);
	srq->pas = prm_be64_of((uintptr_t)mem + 2 * CORE_RIG_PAGE);
}

FIXTURE_SETUP(srq)
{
	struct prm_alloc_xrcd_in in = { 0 };
	struct prm_alloc_xrcd_out out;
	struct core_rig *r = &self->r;

	core_rig_open(r, &(struct core_rig_config){ 0 });
	self->cq = core_rig_make_cq(r, 4);
	CORE_RIG_OK(r, alloc_xrcd, &in, &out);
	self->xrcd = (uint32_t)prm_get(&out, xrcd);
	self->mem = core_rig_alloc(r, 3 * CORE_RIG_PAGE);
	r->strict = true; /* the host maps only memory of core_rig_alloc() */
	fill_commands(r, self->cq.cqn, self->xrcd, &self->rmp, &self->srq, self->mem);
}

FIXTURE_TEARDOWN(srq)
{
	core_rig_close(&self->r);
}

static const struct core_rig_refusal bad_rmps[] = {
	{ "no_pd", "ctx.wq.pd", 1, RES, EMU_SYND_NO_OBJECT },
	{ "striding", "ctx.wq.wq_type", 3, BAD, EMU_SYND_TYPE },
	{ "in_error", "ctx.state", 3, BAD, EMU_SYND_STATE },
	{ "too_large", "ctx.wq.log_wq_sz", 16, BAD, EMU_SYND_SIZE },
	{ "larger_than_its_list", "ctx.wq.log_wq_sz", 8, LEN, EMU_SYND_PAGE,
	  "pas: lists 1 pages of 1 << 12 bytes (valid: 2 for this ring)" },
	{ "record_nowhere", "ctx.wq.dbr_addr", 0x1000, BAD, EMU_SYND_HOST },
	{ "in_a_umem_with_a_list", "ctx.wq.wq_umem_valid", 1, BAD, EMU_SYND_PAGE },
	{ "record_in_no_umem", "ctx.wq.dbr_umem_valid", 1, RES, EMU_SYND_NO_OBJECT },
	{ "watermark", "ctx.wq.lwm", 1, BAD, EMU_SYND_UNMODELLED },
	{ "basic_cyclic", "ctx.basic_cyclic_rcv_wqe", 1, BAD, EMU_SYND_UNMODELLED },
};

TEST_F(srq, create_rmp_accepts_only_what_linux_sends)
{
	struct prm_create_rmp_out out;
	struct prm_modify_rmp_in in = { 0 };
	struct prm_modify_rmp_out modified;
	struct prm_query_rmp_in ask = { 0 };
	struct prm_query_rmp_out told;

	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_rmps, PRM_OP_create_rmp, self->rmp);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(&self->r, PRM_OP_create_rmp, &self->rmp,
					       sizeof(self->rmp), &out, sizeof(out)));
	prm_set(&ask, rmpn, prm_get(&out, rmpn));
	CORE_RIG_OK(&self->r, query_rmp, &ask, &told);
	EXPECT_MEMEQ(prm_sub(&self->rmp.head, ctx), prm_sub(&told, rmp_context), prm_rmpc_bytes);
	prm_set(&in, rmpn, prm_get(&out, rmpn));
	prm_set(&in, rmp_state, PRM_WQ_STATE_RST);
	prm_set(prm_sub(&in, ctx), state, PRM_WQ_STATE_RDY);
	EXPECT_EQ(PRM_STATUS_BAD_RES_STATE, CORE_RIG_EXEC(&self->r, modify_rmp, &in, &modified));
	prm_set(&in, rmp_state, PRM_WQ_STATE_RDY);
	prm_set(prm_sub(&in, ctx), state, PRM_WQ_STATE_ERR);
	CORE_RIG_OK(&self->r, modify_rmp, &in, &modified);
	CORE_RIG_OK(&self->r, query_rmp, &ask, &told);
	EXPECT_EQ(PRM_WQ_STATE_ERR, prm_get(prm_sub(&told, rmp_context), state));
	prm_set(&in, rmp_state, PRM_WQ_STATE_ERR);
	prm_set(prm_sub(&in, ctx), state, PRM_WQ_STATE_RDY);
	EXPECT_EQ(PRM_STATUS_BAD_RES_STATE, CORE_RIG_EXEC(&self->r, modify_rmp, &in, &modified));
}

#define SRQ "xrc_srq_context_entry."
static const struct core_rig_refusal bad_srqs[] = {
	{ "no_pd", SRQ "pd", 1, RES, EMU_SYND_NO_OBJECT },
	{ "no_domain", SRQ "xrcd", 1, RES, EMU_SYND_NO_OBJECT },
	{ "no_cq", SRQ "cqn", 1, RES, EMU_SYND_NO_OBJECT },
	{ "larger_than_its_list", SRQ "log_xrc_srq_size", 8, LEN, EMU_SYND_PAGE },
	{ "too_large", SRQ "log_xrc_srq_size", 15, LEN, EMU_SYND_PAGE },
	{ "stride", SRQ "log_rq_stride", 2, LEN, EMU_SYND_PAGE },
	{ "record_nowhere", SRQ "db_record_addr_l", 0x400, BAD, EMU_SYND_HOST },
	{ "watermark", SRQ "lwm", 1, BAD, EMU_SYND_UNMODELLED },
	{ "signature", SRQ "wq_signature", 1, BAD, EMU_SYND_UNMODELLED },
	{ "in_a_umem", "xrc_srq_umem_valid", 1, BAD, EMU_SYND_UNMODELLED },
};

TEST_F(srq, create_xrc_srq_accepts_only_what_linux_sends)
{
	const struct core_rig_qp umr = { .st = PRM_QPC_ST_REG_UMR,
					 .cqn = self->cq.cqn,
					 .log_sq = 6,
					 .dbr = self->mem,
					 .pages = self->mem + CORE_RIG_PAGE,
					 .n_pages = 1 };
	struct prm_create_xrc_srq_out out;
	struct prm_create_rmp_out rmp;
	const struct emu_obj *of_rmp;
	struct core_rig_qp_in qp;
	uint32_t qpn;

	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_srqs, PRM_OP_create_xrc_srq, self->srq);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(&self->r, PRM_OP_create_xrc_srq, &self->srq,
					       sizeof(self->srq), &out, sizeof(out)));
	core_rig_fill_qp(&self->r, &umr, &qp);
	prm_set(prm_sub(&qp.head, qpc), xrcd, self->xrcd);
	prm_set(prm_sub(&qp.head, qpc), srqn_rmpn_xrqn, prm_get(&out, xrc_srqn));
	EXPECT_EQ(PRM_STATUS_OK, core_rig_create_qp(&self->r, &qp, &qpn));
	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(&self->r, PRM_OP_create_rmp, &self->rmp,
					       sizeof(self->rmp), &rmp, sizeof(rmp)));
	prm_set(prm_sub(&qp.head, qpc), srqn_rmpn_xrqn, prm_get(&rmp, rmpn));
	EXPECT_EQ(PRM_STATUS_OK, core_rig_create_qp(&self->r, &qp, &qpn));
	of_rmp = emu_obj_at(&self->r.emu->table[EMU_RMP], (uint32_t)prm_get(&rmp, rmpn));
	EXPECT_EQ(1, of_rmp->refs);
}

TEST_F(srq, receive_queues_are_limited_in_size_and_number)
{
	struct core_rig *r = &self->r;
	const struct core_rig_refusal of_user = { "of_a_user", "uid", r->uid, PRM_STATUS_LIM_ERR,
						  EMU_SYND_LIMIT };
	static const struct core_rig_refusal more = { "one_more", "uid", 0, PRM_STATUS_LIM_ERR,
						      EMU_SYND_LIMIT };
	static const struct core_rig_refusal large = { "too_large", SRQ "log_xrc_srq_size", 8, BAD,
						       EMU_SYND_SIZE };
	const struct emu_obj *pd = emu_obj_at(&r->emu->table[EMU_PD], r->pd);
	const uint32_t pd_refs = pd->refs;

	core_rig_expect_refusal(r, &of_user, PRM_OP_create_rmp, &self->rmp, sizeof(self->rmp));
	prm_set(&r->emu->caps->general, log_max_srq_sz, 7);
	core_rig_expect_refusal(r, &large, PRM_OP_create_xrc_srq, &self->srq, sizeof(self->srq));
	r->emu->table[EMU_RMP].max = r->emu->table[EMU_SRQ].max = 0;
	core_rig_expect_refusal(r, &more, PRM_OP_create_rmp, &self->rmp, sizeof(self->rmp));
	core_rig_expect_refusal(r, &more, PRM_OP_create_xrc_srq, &self->srq, sizeof(self->srq));
	EXPECT_EQ(pd_refs, pd->refs);
}

TEST_F(srq, receive_queues_keep_what_they_name)
{
	struct core_rig *r = &self->r;
	const struct emu_obj *pd = emu_obj_at(&r->emu->table[EMU_PD], r->pd);
	const struct emu_obj *cq = emu_obj_at(&r->emu->table[EMU_CQ], self->cq.cqn);
	const struct emu_obj *xrcd = emu_obj_at(&r->emu->table[EMU_XRCD], self->xrcd);
	const uint32_t pd_refs = pd->refs, cq_refs = cq->refs;
	struct prm_create_xrc_srq_out srq;
	struct prm_create_rmp_out rmp;
	struct prm_destroy_rmp_in no_rmp = { 0 };
	struct prm_destroy_rmp_out no_rmp_out;
	struct prm_destroy_xrc_srq_in no_srq = { 0 };
	struct prm_destroy_xrc_srq_out no_srq_out;

	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(r, PRM_OP_create_rmp, &self->rmp, sizeof(self->rmp),
					       &rmp, sizeof(rmp)));
	EXPECT_EQ(pd_refs + 1, pd->refs);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(r, PRM_OP_create_xrc_srq, &self->srq,
					       sizeof(self->srq), &srq, sizeof(srq)));
	EXPECT_EQ(pd_refs + 2, pd->refs);
	EXPECT_EQ(cq_refs + 1, cq->refs);
	EXPECT_EQ(1, xrcd->refs);
	prm_set(&no_rmp, rmpn, prm_get(&rmp, rmpn));
	CORE_RIG_OK(r, destroy_rmp, &no_rmp, &no_rmp_out);
	prm_set(&no_srq, xrc_srqn, prm_get(&srq, xrc_srqn));
	CORE_RIG_OK(r, destroy_xrc_srq, &no_srq, &no_srq_out);
	EXPECT_EQ(pd_refs, pd->refs);
	EXPECT_EQ(cq_refs, cq->refs);
	EXPECT_EQ(0, xrcd->refs);
}
