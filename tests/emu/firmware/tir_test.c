/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "core_rig_queue.h"
#include "core_rig_refuse.h"
#include "core_rig_steer.h"
#include "emu/firmware/refuse.h"

#define BAD PRM_STATUS_BAD_PARAM
#define GONE PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT

enum {
	N_RQS = 4,
	IPV4_TCP_ALL = PRM_HASH_FIELD_SEL_SRC_IP | PRM_HASH_FIELD_SEL_DST_IP |
		       PRM_HASH_FIELD_SEL_L4_SPORT | PRM_HASH_FIELD_SEL_L4_DPORT,
};

FIXTURE(tir) {
	struct core_rig r;
	uint32_t rqn[N_RQS], rqtn;
	struct prm_create_tir_in direct, rss;
	struct { struct prm_create_rqt_in head; struct prm_rq_num rq[N_RQS]; } rqt;
};

FIXTURE_SETUP(tir)
{
	struct core_rig *r = &self->r;
	struct prm_rqtc *rqtc = prm_sub(&self->rqt.head, rqt_context);
	struct prm_tirc *rss = prm_sub(&self->rss, ctx);
	struct core_rig_cq cq;

	core_rig_open(r, &(struct core_rig_config){ 0 });
	cq = core_rig_make_cq(r, 6);
	for (int i = 0; i < N_RQS; i++) {
		self->rqn[i] = core_rig_make_rq(r, 4, 0, cq.cqn).rqn;
		prm_set(&self->rqt.rq[i], rq_num, self->rqn[i]);
	}
	self->rqtn = core_rig_make_rqt(r, self->rqn, N_RQS);
	prm_set(&self->rqt.head, uid, r->uid);
	prm_set(rqtc, rqt_max_size, 2 * N_RQS);
	prm_set(rqtc, rqt_actual_size, N_RQS);
	prm_set(&self->direct, uid, r->uid);
	prm_set(prm_sub(&self->direct, ctx), inline_rqn, self->rqn[0]);
	prm_set(prm_sub(&self->direct, ctx), transport_domain, r->td);
	prm_set(&self->rss, uid, r->uid);
	prm_set(rss, disp_type, PRM_TIRC_DISP_TYPE_INDIRECT);
	prm_set(rss, indirect_table, self->rqtn);
	prm_set(rss, rx_hash_fn, PRM_RX_HASH_FN_TOEPLITZ);
	prm_set(rss, transport_domain, r->td);
	prm_set(prm_sub(rss, rx_hash_field_selector_outer), selected_fields, IPV4_TCP_ALL);
	for (int i = 0; i < 10; i++)
		prm_set_at(rss, rx_hash_toeplitz_key, i,
			   0x01020304u * (unsigned)(i + 1) & 0x7fffffff);
}

FIXTURE_TEARDOWN(tir) { core_rig_close(&self->r); }

static const struct core_rig_refusal bad_direct[] = {
	{ "no_rq", "ctx.inline_rqn", 1, GONE },
	{ "no_td", "ctx.transport_domain", 1, GONE },
	{ "disp_type", "ctx.disp_type", 2, BAD, EMU_SYND_TYPE },
	{ "a_table_too", "ctx.indirect_table", 1, BAD, EMU_SYND_TYPE },
	{ "a_hash", "ctx.rx_hash_fn", 2, BAD, EMU_SYND_HASH },
	{ "hash_fields", "ctx.rx_hash_field_selector_outer.selected_fields", 3, BAD,
	  EMU_SYND_HASH },
	{ "symmetry", "ctx.rx_hash_symmetric", 1, BAD, EMU_SYND_HASH },
};

TEST_F(tir, a_bad_direct_one_is_refused)
{
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_direct, PRM_OP_create_tir, self->direct);
}

static const struct core_rig_refusal bad_rss[] = {
	{ "no_table", "ctx.indirect_table", 1, GONE },
	{ "an_rq_too", "ctx.inline_rqn", 1, BAD, EMU_SYND_TYPE },
	{ "no_hash", "ctx.rx_hash_fn", 0, BAD, EMU_SYND_HASH },
	{ "unknown_hash", "ctx.rx_hash_fn", 3, BAD, EMU_SYND_HASH },
	{ "unknown_field", "ctx.rx_hash_field_selector_outer.selected_fields", 0x20, BAD,
	  EMU_SYND_HASH },
};

TEST_F(tir, a_bad_indirect_one_is_refused)
{
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_rss, PRM_OP_create_tir, self->rss);
}

static void query_tir(struct core_rig *r, uint32_t tirn, struct prm_tirc *tirc)
{
	struct prm_query_tir_in in = {0};
	struct prm_query_tir_out out;

	prm_set(&in, tirn, tirn);
	CORE_RIG_OK(r, query_tir, &in, &out);
	*tirc = *prm_sub(&out, tir_context);
}

TEST_F(tir, is_queried_as_created_and_as_modified)
{
	struct prm_create_tir_out out;
	struct prm_modify_tir_in in = {0};
	struct prm_modify_tir_out modified;
	struct prm_tirc got, *want = prm_sub(&self->rss, ctx);
	const uint32_t other = core_rig_make_rqt(&self->r, &self->rqn[1], 1);

	CORE_RIG_OK(&self->r, create_tir, &self->rss, &out);
	query_tir(&self->r, (uint32_t)prm_get(&out, tirn), &got);
	EXPECT_MEMEQ(want, &got, sizeof(got));

	prm_set(&in, uid, self->r.uid);
	prm_set(&in, tirn, prm_get(&out, tirn));
	prm_set(prm_sub(&in, bitmask), hash, 1);
	prm_set(prm_sub(&in, bitmask), indirect_table, 1);
	prm_set(prm_sub(&in, bitmask), self_lb_en, 1);
	prm_set(want, rx_hash_symmetric, 1);
	prm_set(want, indirect_table, other);
	prm_set(want, self_lb_block, PRM_TIRC_SELF_LB_BLOCK_UNICAST);
	*prm_sub(&in, ctx) = *want;
	/* what cannot be modified is not sent */
	prm_set(prm_sub(&in, ctx), disp_type, PRM_TIRC_DISP_TYPE_DIRECT);
	prm_set(prm_sub(&in, ctx), transport_domain, 0);
	CORE_RIG_OK(&self->r, modify_tir, &in, &modified);
	query_tir(&self->r, (uint32_t)prm_get(&out, tirn), &got);
	EXPECT_MEMEQ(want, &got, sizeof(got));
	/* the new table is held now, the old one free */
	EXPECT_EQ(1, ((struct emu_obj *)emu_obj_at(&self->r.emu->table[EMU_RQT], other))->refs);
	EXPECT_EQ(0,
		  ((struct emu_obj *)emu_obj_at(&self->r.emu->table[EMU_RQT], self->rqtn))->refs);
}

TEST_F(tir, a_direct_one_takes_no_hash_and_no_table_later)
{
	struct prm_create_tir_out out;
	struct prm_modify_tir_in in = {0};
	const struct core_rig_refusal bad[] = {
		{ "hash", "ctx.rx_hash_fn", PRM_RX_HASH_FN_TOEPLITZ, BAD, EMU_SYND_HASH },
		{ "table", "bitmask.indirect_table", 1, BAD, EMU_SYND_BITMASK },
	};

	CORE_RIG_OK(&self->r, create_tir, &self->direct, &out);
	prm_set(&in, tirn, prm_get(&out, tirn));
	prm_set(prm_sub(&in, bitmask), hash, 1);
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad, PRM_OP_modify_tir, in);
}

/* ---- tables of RQs ------------------------------------------------------------------- */

static const struct core_rig_refusal bad_rqts[] = {
	{ "of_something_else", "rqt_context.list_q_type", 1, BAD, EMU_SYND_TYPE },
	{ "too_large", "rqt_context.rqt_max_size", 513, BAD, EMU_SYND_SIZE },
	{ "smaller_than_its_list", "rqt_context.rqt_max_size", N_RQS - 1, BAD, EMU_SYND_SIZE },
	{ "empty", "rqt_context.rqt_actual_size", 0, BAD, EMU_SYND_SIZE },
	{ "three", "rqt_context.rqt_actual_size", 3, BAD, EMU_SYND_SIZE },
	{ "list_too_short", "rqt_context.rqt_actual_size", 2 * N_RQS, PRM_STATUS_BAD_INP_LEN,
	  EMU_SYND_SIZE },
	{ "list_too_long", "rqt_context.rqt_actual_size", N_RQS / 2, PRM_STATUS_BAD_INP_LEN,
	  EMU_SYND_SIZE },
};

TEST_F(tir, a_bad_rqt_is_refused)
{
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_rqts, PRM_OP_create_rqt, self->rqt);
	prm_set(&self->rqt.rq[2], rq_num, 1);
	const struct core_rig_refusal no_rq = { "no_rq", "rqt_context.rqt_max_size", 8, GONE };

	core_rig_expect_refusal(&self->r, &no_rq, PRM_OP_create_rqt, &self->rqt, sizeof(self->rqt));
	EXPECT_EQ(1,
		  ((struct emu_obj *)emu_obj_at(&self->r.emu->table[EMU_RQ], self->rqn[0]))->refs);
}

TEST_F(tir, an_rqt_is_resized_within_its_maximum)
{
	struct prm_create_rqt_out out;
	struct { struct prm_modify_rqt_in head; struct prm_rq_num rq[2]; } in = {0};
	struct prm_modify_rqt_out modified;
	struct prm_query_rqt_in ask = {0};
	struct { struct prm_query_rqt_out head; struct prm_rq_num rq[2]; } told;

	core_rig_expect_ok(__FILE__, __LINE__, &self->r, "create_rqt",
			   core_rig_exec(&self->r, PRM_OP_create_rqt, &self->rqt, sizeof(self->rqt),
					 &out, sizeof(out)));
	prm_set(&in.head, rqtn, prm_get(&out, rqtn));
	prm_set(prm_sub(&in.head, bitmask), rqn_list, 1);
	prm_set(prm_sub(&in.head, ctx), rqt_actual_size, 2);
	prm_set(&in.rq[0], rq_num, self->rqn[3]);
	prm_set(&in.rq[1], rq_num, self->rqn[3]);
	core_rig_expect_ok(__FILE__, __LINE__, &self->r, "modify_rqt",
			   core_rig_exec(&self->r, PRM_OP_modify_rqt, &in, sizeof(in), &modified,
					 sizeof(modified)));
	prm_set(&ask, rqtn, prm_get(&out, rqtn));
	EXPECT_EQ(PRM_STATUS_BAD_OUTP_LEN, core_rig_exec(&self->r, PRM_OP_query_rqt, &ask,
							 sizeof(ask), &told, sizeof(told) - 4));
	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(&self->r, PRM_OP_query_rqt, &ask, sizeof(ask), &told,
					       sizeof(told)));
	EXPECT_EQ(2, prm_get(prm_sub(&told.head, rqt_context), rqt_actual_size));
	EXPECT_EQ(2 * N_RQS, prm_get(prm_sub(&told.head, rqt_context), rqt_max_size));
	EXPECT_EQ(self->rqn[3], prm_get(&told.rq[1], rq_num));
}

/* ---- TIS ------------------------------------------------------------------------------ */

TEST_F(tir, a_tis_keeps_what_it_was_told)
{
	struct prm_modify_tis_in in = {0};
	struct prm_modify_tis_out out;
	struct prm_query_tis_in ask = {0};
	struct prm_query_tis_out told;
	struct prm_create_tis_in bad_in = {0};
	const struct core_rig_refusal bad = { "no_td", "ctx.transport_domain", 1, GONE };

	prm_set(&in, tisn, self->r.tis);
	prm_set(prm_sub(&in, bitmask), prio, 1);
	prm_set(prm_sub(&in, ctx), prio, 6);
	CORE_RIG_OK(&self->r, modify_tis, &in, &out);
	prm_set(&ask, tisn, self->r.tis);
	CORE_RIG_OK(&self->r, query_tis, &ask, &told);
	EXPECT_EQ(6, prm_get(prm_sub(&told, tis_context), prio));
	EXPECT_EQ(self->r.td, prm_get(prm_sub(&told, tis_context), transport_domain));
	core_rig_expect_refusal(&self->r, &bad, PRM_OP_create_tis, &bad_in, sizeof(bad_in));
}
