/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The kernel's QP for UMRs: emu accepts the fields that Linux sends, and refuses all others.
 */
#include "core_rig_qp.h"
#include "core_rig_refuse.h"
#include "emu/base/profile.h"
#include "emu/firmware/refuse.h"
#include "emu/queue/sq.h"

enum { BAD = PRM_STATUS_BAD_PARAM, RES = PRM_STATUS_BAD_RES, LEN = PRM_STATUS_BAD_INP_LEN };

FIXTURE(qp)
{
	struct core_rig r;
	struct core_rig_cq cq;
	struct core_rig_qp_in qp;
};

FIXTURE_SETUP(qp)
{
	struct core_rig *r = &self->r;
	struct prm_alloc_xrcd_in in = { 0 };
	struct prm_alloc_xrcd_out out;
	struct prm_qpc *qpc = prm_sub(&self->qp.head, qpc);
	struct core_rig_qp umr = { .st = PRM_QPC_ST_REG_UMR, .log_sq = 6, .n_pages = 1 };
	uint8_t *mem;

	core_rig_open(r, &(struct core_rig_config){ 0 });
	self->cq = core_rig_make_cq(r, 4);
	CORE_RIG_OK(r, alloc_xrcd, &in, &out);
	mem = core_rig_alloc(r, 2 * CORE_RIG_PAGE);
	r->strict = true; /* the host maps only memory of core_rig_alloc() */
	umr.cqn = self->cq.cqn;
	umr.dbr = mem;
	umr.pages = mem + CORE_RIG_PAGE;
	core_rig_fill_qp(r, &umr, &self->qp);
	prm_set(qpc, latency_sensitive, 1);
	prm_set(qpc, rlky, 1);
	prm_set(qpc, user_index, 0xffffff);
	prm_set(qpc, fre, 1);
	prm_set(qpc, xrcd, prm_get(&out, xrcd));
}

FIXTURE_TEARDOWN(qp)
{
	core_rig_close(&self->r);
}

static uint32_t create_qp(struct core_rig *r, struct core_rig_qp_in *in)
{
	uint32_t qpn;

	EXPECT_EQ(PRM_STATUS_OK, core_rig_create_qp(r, in, &qpn));
	return qpn;
}

static const struct core_rig_refusal bad_qps[] = {
	{ "connected", "qpc.st", 0, BAD, EMU_SYND_TYPE },
	{ "own_receive_queue", "qpc.rq_type", 0, BAD, EMU_SYND_TYPE },
	{ "armed_path", "qpc.pm_state", 0, BAD, EMU_SYND_TYPE },
	{ "too_large", "qpc.log_sq_size", 15, LEN, EMU_SYND_PAGE },
	{ "stride_of_a_receive_queue", "qpc.log_rq_stride", 1, BAD, EMU_SYND_TYPE },
	{ "no_uar", "qpc.uar_page", 1, RES, EMU_SYND_NO_OBJECT },
	{ "no_cq", "qpc.cqn_snd", 1, RES, EMU_SYND_NO_OBJECT },
	{ "no_receive_cq", "qpc.cqn_rcv", 1, RES, EMU_SYND_NO_OBJECT },
	{ "no_xrc_domain", "qpc.xrcd", 1, RES, EMU_SYND_NO_OBJECT },
	{ "no_srq", "qpc.srqn_rmpn_xrqn", 1, RES, EMU_SYND_NO_OBJECT },
	{ "no_pd", "qpc.pd", 1, RES, EMU_SYND_NO_OBJECT },
	{ "record_nowhere", "qpc.dbr_addr", 0x1000, BAD, EMU_SYND_HOST },
	{ "no_send_queue", "qpc.no_sq", 1, BAD, EMU_SYND_UNMODELLED },
	{ "receive_queue", "qpc.log_rq_size", 2, BAD, EMU_SYND_TYPE,
	  "rq_type: 3, log_rq_size 2, log_rq_stride 0 are" },
	{ "gsi", "qpc.st", 8, BAD, EMU_SYND_TYPE },
	{ "counters", "qpc.counter_set_id", 1, BAD, EMU_SYND_UNMODELLED },
	{ "real_time", "qpc.ts_format", 2, BAD, EMU_SYND_UNMODELLED },
	{ "paced", "qpc.packet_pacing_rate_limit_index", 1, BAD, EMU_SYND_UNMODELLED },
	{ "remote", "qpc.remote_qpn", 5, BAD, EMU_SYND_UNMODELLED },
	{ "in_a_umem", "wq_umem_valid", 1, BAD, EMU_SYND_UNMODELLED },
	{ "chosen_number", "input_qpn", 5, BAD, EMU_SYND_UNMODELLED },
	{ "optional_parameters", "opt_param_mask", 1, BAD, EMU_SYND_UNMODELLED },
};

TEST_F(qp, create_accepts_only_what_linux_sends)
{
	core_rig_expect_refusals(&self->r, bad_qps, sizeof(bad_qps) / sizeof(bad_qps[0]),
				 PRM_OP_create_qp, &self->qp, self->qp.bytes);
	EXPECT_EQ(0, self->r.emu->table[EMU_QP].n_used);
	create_qp(&self->r, &self->qp);
}

TEST_F(qp, create_is_limited_in_size_and_number)
{
	struct core_rig *r = &self->r;
	const struct core_rig_refusal large = { "too_large", "qpc.log_sq_size", 15, BAD,
						EMU_SYND_SIZE };
	const struct core_rig_refusal one_more = { "one_more", "qpc.log_sq_size", 6,
						   PRM_STATUS_LIM_ERR, EMU_SYND_LIMIT };
	const struct emu_obj *uar = emu_obj_at(&r->emu->table[EMU_UAR], r->uar);
	const struct emu_obj *cq = emu_obj_at(&r->emu->table[EMU_CQ], self->cq.cqn);
	const uint32_t uar_refs = uar->refs, cq_refs = cq->refs;

	prm_set(&r->emu->caps->general, log_max_qp_sz, 14);
	core_rig_expect_refusal(r, &large, PRM_OP_create_qp, &self->qp, self->qp.bytes);
	r->emu->table[EMU_QP].max = 0;
	core_rig_expect_refusal(r, &one_more, PRM_OP_create_qp, &self->qp, self->qp.bytes);
	EXPECT_EQ(uar_refs, uar->refs);
	EXPECT_EQ(cq_refs, cq->refs);
}

TEST_F(qp, create_refuses_users)
{
	const struct core_rig_refusal bad = { "of_a_user", "uid", self->r.uid, BAD,
					      EMU_SYND_KERNEL_ONLY };

	core_rig_expect_refusal(&self->r, &bad, PRM_OP_create_qp, &self->qp, self->qp.bytes);
}

/* ---- transitions ------------------------------------------------------------------- */

static const struct core_rig_refusal bad_steps[] = {
	{ "another_service", "qpc.st", 3, BAD, EMU_SYND_TYPE },
	{ "another_cq", "qpc.cqn_snd", 1, BAD, EMU_SYND_TYPE },
	{ "armed_path", "qpc.pm_state", 1, BAD, EMU_SYND_TYPE },
	{ "mtu", "qpc.mtu", 6, BAD, EMU_SYND_SIZE,
	  "mtu 6, log_msg_max 12, vhca_port_num 1 are invalid (valid: at most 5, 30, 1)" },
	{ "message", "qpc.log_msg_max", 31, BAD, EMU_SYND_SIZE,
	  "mtu 5, log_msg_max 31, vhca_port_num 1 are" },
	{ "port", "qpc.primary_address_path.vhca_port_num", 2, BAD, EMU_SYND_SIZE },
	{ "no_pd", "qpc.pd", 1, RES, EMU_SYND_NO_OBJECT },
	{ "optional_parameters", "opt_param_mask", 1, BAD, EMU_SYND_UNMODELLED },
	{ "another_receive_cq", "qpc.cqn_rcv", 1, BAD, EMU_SYND_TYPE },
	{ "another_record", "qpc.dbr_addr", 8, BAD, EMU_SYND_TYPE },
	{ "no_counters", "qpc.counter_set_id", 1, RES, EMU_SYND_NO_OBJECT },
	{ "packet_number", "qpc.next_send_psn", 1, BAD, EMU_SYND_UNMODELLED },
	{ "path", "qpc.primary_address_path.hop_limit", 1, BAD, EMU_SYND_UNMODELLED },
	{ "extended", "ece", 1, BAD, EMU_SYND_UNMODELLED },
};

TEST_F(qp, goes_from_state_to_state_as_linux_drives_it)
{
	const uint32_t qpn = create_qp(&self->r, &self->qp), cqn = self->cq.cqn;
	const struct core_rig_qp umr = { .st = PRM_QPC_ST_REG_UMR, .cqn = cqn };
	struct emu_qp *qp = emu_obj_at(&self->r.emu->table[EMU_QP], qpn);
	struct prm_rst2init_qp_in in;
	struct prm_qpc *qpc = prm_sub(&in, qpc);
	struct prm_dealloc_pd_in pd = { 0 };
	struct prm_dealloc_pd_out freed;
	struct prm_query_qp_in query = { 0 };
	struct prm_query_qp_out is;

	core_rig_fill_qp_move(&self->r, &umr, qpn, &in);
	prm_set(qpc, mtu, PRM_QPC_MTU_4K_BYTES);
	prm_set(qpc, log_msg_max, 12);
	prm_set(qpc, rlky, 1);
	prm_set(prm_sub(qpc, primary_address_path), vhca_port_num, 1);
	prm_set(qpc, log_ack_req_freq, 8);
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_steps, PRM_OP_rst2init_qp, in);
	EXPECT_EQ(PRM_STATUS_BAD_QP_STATE,
		  core_rig_move_umr_qp(&self->r, qpn, cqn, PRM_OP_init2rtr_qp));
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_exec(&self->r, PRM_OP_rst2init_qp, &in, sizeof(in), &is, 16));
	prm_set(&query, qpn, qpn);
	CORE_RIG_OK(&self->r, query_qp, &query, &is);
	EXPECT_EQ(12, prm_get(prm_sub(&is, qpc), log_msg_max));
	EXPECT_EQ(8, prm_get(prm_sub(&is, qpc), log_ack_req_freq));
	EXPECT_EQ(PRM_QPC_MTU_4K_BYTES, prm_get(prm_sub(&is, qpc), mtu));
	prm_set(&pd, uid, self->r.uid);
	prm_set(&pd, pd, self->r.pd);
	EXPECT_EQ(PRM_STATUS_BAD_RES_STATE, CORE_RIG_EXEC(&self->r, dealloc_pd, &pd, &freed));
	EXPECT_EQ(PRM_STATUS_OK, core_rig_move_umr_qp(&self->r, qpn, cqn, PRM_OP_init2rtr_qp));
	EXPECT_EQ(PRM_STATUS_OK, core_rig_move_umr_qp(&self->r, qpn, cqn, PRM_OP_rtr2rts_qp));
	prm_set(&query, qpn, qpn);
	CORE_RIG_OK(&self->r, query_qp, &query, &is);
	EXPECT_EQ(PRM_QPC_STATE_RTS, prm_get(prm_sub(&is, qpc), state));
	EXPECT_EQ(self->r.pd, prm_get(prm_sub(&is, qpc), pd));
	qp->sq.cc = 3;
	qp->sq.pc = 5;
	CORE_RIG_OK(&self->r, query_qp, &query, &is);
	EXPECT_EQ(3, prm_get(prm_sub(&is, qpc), hw_sq_wqebb_counter));
	EXPECT_EQ(5, prm_get(prm_sub(&is, qpc), sw_sq_wqebb_counter));
}

TEST_F(qp, keeps_fields_that_a_transition_leaves_0)
{
	const uint32_t qpn = create_qp(&self->r, &self->qp);
	struct prm_rst2init_qp_in init = { 0 };
	struct prm_init2rtr_qp_in rtr = { 0 };
	struct prm_rtr2rts_qp_in rts = { 0 };
	struct prm_rtr2rts_qp_out out;
	struct prm_query_qp_in query = { 0 };
	struct prm_query_qp_out is;

	prm_set(&init, qpn, qpn);
	prm_set(prm_sub(&init, qpc), pm_state, PRM_QPC_PM_STATE_MIGRATED);
	CORE_RIG_OK(&self->r, rst2init_qp, &init, &out);
	prm_set(&rtr, qpn, qpn);
	prm_set(prm_sub(&rtr, qpc), pd, self->r.pd);
	EXPECT_EQ(BAD, CORE_RIG_EXEC(&self->r, init2rtr_qp, &rtr, &out));
	prm_set(prm_sub(&rtr, qpc), pd, 0);
	CORE_RIG_OK(&self->r, init2rtr_qp, &rtr, &out);
	prm_set(&rts, qpn, qpn);
	prm_set(prm_sub(&rts, qpc), next_send_psn, 7);
	CORE_RIG_OK(&self->r, rtr2rts_qp, &rts, &out);
	prm_set(&query, qpn, qpn);
	CORE_RIG_OK(&self->r, query_qp, &query, &is);
	EXPECT_EQ(PRM_QPC_STATE_RTS, prm_get(prm_sub(&is, qpc), state));
	EXPECT_EQ(PRM_QPC_ST_REG_UMR, prm_get(prm_sub(&is, qpc), st));
	EXPECT_EQ(self->cq.cqn, prm_get(prm_sub(&is, qpc), cqn_snd));
	EXPECT_EQ(7, prm_get(prm_sub(&is, qpc), next_send_psn));
}

TEST_F(qp, keeps_the_pd_that_it_was_given)
{
	const uint32_t qpn = create_qp(&self->r, &self->qp);
	struct prm_alloc_pd_in in = { 0 };
	struct prm_alloc_pd_out out;

	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_move_umr_qp(&self->r, qpn, self->cq.cqn, PRM_OP_rst2init_qp));
	CORE_RIG_OK(&self->r, alloc_pd, &in, &out);
	self->r.pd = (uint32_t)prm_get(&out, pd);
	EXPECT_EQ(BAD, core_rig_move_umr_qp(&self->r, qpn, self->cq.cqn, PRM_OP_init2rtr_qp));
}

static uint64_t query_state(struct core_rig *r, uint32_t qpn)
{
	struct prm_query_qp_in in = { 0 };
	struct prm_query_qp_out out;

	prm_set(&in, qpn, qpn);
	CORE_RIG_OK(r, query_qp, &in, &out);
	return prm_get(prm_sub(&out, qpc), state);
}

TEST_F(qp, goes_to_err_and_to_rst_from_each_state)
{
	static const uint16_t steps[] = { PRM_OP_rst2init_qp, PRM_OP_init2rtr_qp,
					  PRM_OP_rtr2rts_qp };
	const uint32_t qpn = create_qp(&self->r, &self->qp);
	const struct emu_qp *qp = emu_obj_at(&self->r.emu->table[EMU_QP], qpn);
	struct prm_qp_2err_in err = { 0 };
	struct prm_qp_2err_out err_out;
	struct prm_qp_2rst_in rst = { 0 };
	struct prm_qp_2rst_out rst_out;

	prm_set(&err, qpn, qpn);
	prm_set(&rst, qpn, qpn);
	for (unsigned n = 0; n <= 3; n++) {
		SCOPED_TRACE("after %u transitions", n);
		for (unsigned i = 0; i < n; i++)
			EXPECT_EQ(PRM_STATUS_OK,
				  core_rig_move_umr_qp(&self->r, qpn, self->cq.cqn, steps[i]));
		EXPECT_EQ(n, query_state(&self->r, qpn));
		CORE_RIG_OK(&self->r, qp_2err, &err, &err_out);
		EXPECT_EQ(PRM_QPC_STATE_ERR, query_state(&self->r, qpn));
		EXPECT_EQ(PRM_WQ_STATE_ERR, qp->sq.state);
		EXPECT_EQ(PRM_STATUS_BAD_QP_STATE,
			  core_rig_move_umr_qp(&self->r, qpn, self->cq.cqn, steps[0]));
		CORE_RIG_OK(&self->r, qp_2rst, &rst, &rst_out);
		EXPECT_EQ(PRM_QPC_STATE_RST, query_state(&self->r, qpn));
		EXPECT_EQ(PRM_WQ_STATE_RST, qp->sq.state);
	}
	prm_set(&err, qpn, 1);
	EXPECT_EQ(PRM_STATUS_BAD_RES, CORE_RIG_EXEC(&self->r, qp_2err, &err, &err_out));
	prm_set(&rst, qpn, 1);
	EXPECT_EQ(PRM_STATUS_BAD_RES, CORE_RIG_EXEC(&self->r, qp_2rst, &rst, &rst_out));
}

/* Source: mlx5_ib names a PD in CREATE_QP, Linux' mlx5_core only in RST2INIT. */
TEST_F(qp, holds_one_reference_to_its_pd)
{
	struct core_rig *r = &self->r;
	const struct emu_obj *pd = emu_obj_at(&r->emu->table[EMU_PD], r->pd);
	const uint32_t refs = pd->refs;
	struct prm_alloc_pd_in in = { 0 };
	struct prm_alloc_pd_out out;
	struct prm_destroy_qp_in destroy = { 0 };
	struct prm_destroy_qp_out destroyed;
	const struct emu_obj *first;
	uint32_t qpn;

	CORE_RIG_OK(r, alloc_pd, &in, &out);
	first = emu_obj_at(&r->emu->table[EMU_PD], (uint32_t)prm_get(&out, pd));
	prm_set(prm_sub(&self->qp.head, qpc), pd, prm_get(&out, pd));
	qpn = create_qp(r, &self->qp);
	EXPECT_EQ(1, first->refs);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_move_umr_qp(r, qpn, self->cq.cqn, PRM_OP_rst2init_qp));
	EXPECT_EQ(0, first->refs);
	EXPECT_EQ(refs + 1, pd->refs);
	prm_set(&destroy, qpn, qpn);
	CORE_RIG_OK(r, destroy_qp, &destroy, &destroyed);
	EXPECT_EQ(refs, pd->refs);
}
