/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "core_rig_queue.h"
#include "core_rig_refuse.h"
#include "core_rig_steer.h"
#include "emu/control.h"
#include "emu/firmware/refuse.h"
#include "emu/steering/rss.h"

#define BAD PRM_STATUS_BAD_PARAM
#define GONE PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT

enum { N_RQS = 4 };

FIXTURE(rqt)
{
	struct core_rig r;
	uint32_t rqn[N_RQS], rqtn;
	struct {
		struct prm_create_rqt_in head;
		struct prm_rq_num rq[N_RQS];
	} rqt;
};

FIXTURE_SETUP(rqt)
{
	struct core_rig *r = &self->r;
	struct prm_rqtc *rqtc = prm_sub(&self->rqt.head, rqt_context);
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
}

FIXTURE_TEARDOWN(rqt)
{
	core_rig_close(&self->r);
}

static const struct core_rig_refusal bad_rqts[] = {
	{ "of_something_else", "rqt_context.list_q_type", 1, BAD, EMU_SYND_TYPE },
	{ "too_large", "rqt_context.rqt_max_size", 513, BAD, EMU_SYND_SIZE },
	{ "smaller_than_its_list", "rqt_context.rqt_max_size", N_RQS - 1, BAD, EMU_SYND_SIZE,
	  "rqt_actual_size: 4 is invalid (valid: powers of two up to 3)" },
	{ "empty", "rqt_context.rqt_actual_size", 0, BAD, EMU_SYND_SIZE },
	{ "three", "rqt_context.rqt_actual_size", 3, BAD, EMU_SYND_SIZE },
	{ "list_too_short", "rqt_context.rqt_actual_size", 2 * N_RQS, PRM_STATUS_BAD_INP_LEN,
	  EMU_SYND_SIZE, "rqt_actual_size: 8 is invalid (valid: 4, the number of entries listed)" },
	{ "list_too_long", "rqt_context.rqt_actual_size", N_RQS / 2, PRM_STATUS_BAD_INP_LEN,
	  EMU_SYND_SIZE },
};

TEST_F(rqt, a_bad_rqt_is_refused)
{
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_rqts, PRM_OP_create_rqt, self->rqt);
	prm_set(&self->rqt.rq[2], rq_num, 1);
	const struct core_rig_refusal no_rq = { "no_rq", "rqt_context.rqt_max_size", 8, GONE };

	core_rig_expect_refusal(&self->r, &no_rq, PRM_OP_create_rqt, &self->rqt, sizeof(self->rqt));
	EXPECT_EQ(1,
		  ((struct emu_obj *)emu_obj_at(&self->r.emu->table[EMU_RQ], self->rqn[0]))->refs);
}

TEST_F(rqt, an_rqt_is_resized_within_its_maximum)
{
	struct prm_create_rqt_out out;
	struct {
		struct prm_modify_rqt_in head;
		struct prm_rq_num rq[2];
	} in = { 0 };
	struct prm_modify_rqt_out modified;
	struct prm_query_rqt_in ask = { 0 };
	struct {
		struct prm_query_rqt_out head;
		struct prm_rq_num rq[2];
	} told;

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
	memset(&told, 0xee, sizeof(told));
	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(&self->r, PRM_OP_query_rqt, &ask, sizeof(ask), &told,
					       sizeof(told) - 4));
	EXPECT_EQ(self->rqn[3], prm_get(&told.rq[0], rq_num));
	EXPECT_EQ(0xeeeeeeee, told.rq[1].dw[0].raw);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(&self->r, PRM_OP_query_rqt, &ask, sizeof(ask), &told,
					       sizeof(told)));
	EXPECT_EQ(2, prm_get(prm_sub(&told.head, rqt_context), rqt_actual_size));
	EXPECT_EQ(2 * N_RQS, prm_get(prm_sub(&told.head, rqt_context), rqt_max_size));
	EXPECT_EQ(self->rqn[3], prm_get(&told.rq[1], rq_num));
}

/* The TIR is created while the device allows it on several RQs. */
TEST_F(rqt, modify_refuses_several_rqs_for_a_tir_without_hash_fields)
{
	static const uint8_t key[EMU_RSS_KEY_BYTES] = { 1 };
	struct core_rig *r = &self->r;
	struct {
		struct prm_modify_rqt_in head;
		struct prm_rq_num rq[2];
	} in = { 0 };
	const struct core_rig_refusal two = { "two_rqs", "ctx.rqt_actual_size", 2, BAD,
					      EMU_SYND_HASH };
	struct prm_destroy_tir_in destroy = { 0 };
	struct prm_destroy_tir_out destroyed;
	struct prm_modify_rqt_out out;
	uint32_t tirn;

	EXPECT_EQ(0, emu_set_option(r->adapter, "unhashed_tables", 1));
	prm_set(&destroy, uid, r->uid);
	prm_set(&in.head, uid, r->uid);
	prm_set(&in.head, rqtn, self->rqtn);
	prm_set(prm_sub(&in.head, bitmask), rqn_list, 1);
	prm_set(prm_sub(&in.head, ctx), rqt_actual_size, 2);
	prm_set(&in.rq[0], rq_num, self->rqn[3]);
	prm_set(&in.rq[1], rq_num, self->rqn[2]);
	tirn = core_rig_make_rss_tir(r, self->rqtn, 0, key, false, false);
	EXPECT_EQ(1, emu_set_option(r->adapter, "unhashed_tables", 0));
	core_rig_expect_refusal(r, &two, PRM_OP_modify_rqt, &in, sizeof(in));
	prm_set(&destroy, tirn, tirn);
	CORE_RIG_OK(r, destroy_tir, &destroy, &destroyed);
	core_rig_expect_ok(__FILE__, __LINE__, r, "modify_rqt",
			   core_rig_exec(r, PRM_OP_modify_rqt, &in, sizeof(in), &out, sizeof(out)));
}
