/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One object of most types: which uid may use it, which object cannot be destroyed because another
 * object refers to it, and the order in which all can be destroyed.
 */
#include "core_rig_queue.h"
#include "core_rig_steer.h"
#include "emu/firmware/object.h"
#include "emu/firmware/refuse.h"
#include "emu/steering/rss.h"

FIXTURE(all_objects)
{
	struct core_rig r;
	uint16_t stranger; /* another user context */
	uint32_t id[EMU_N_TYPES];
	uint32_t group, cq_umem, sq_umem, rq_umem, next_table, rss_tir;
};

static uint16_t make_other_user(struct core_rig *r)
{
	struct prm_create_uctx_in in = { 0 };
	struct prm_create_uctx_out out;

	CORE_RIG_OK(r, create_uctx, &in, &out);
	return (uint16_t)prm_get(&out, uid);
}

static uint32_t make_q_counter(struct core_rig *r)
{
	struct prm_alloc_q_counter_in in = { 0 };
	struct prm_alloc_q_counter_out out;

	prm_set(&in, uid, r->uid);
	CORE_RIG_OK(r, alloc_q_counter, &in, &out);
	return (uint32_t)prm_get(&out, counter_set_id);
}

static uint32_t make_flow_counter(struct core_rig *r)
{
	struct prm_alloc_flow_counter_in in = { 0 };
	struct prm_alloc_flow_counter_out out;

	prm_set(&in, uid, r->uid);
	CORE_RIG_OK(r, alloc_flow_counter, &in, &out);
	return (uint32_t)prm_get(&out, flow_counter_id);
}

static void count_rq(struct core_rig *r, uint32_t rqn, uint32_t counter)
{
	struct prm_modify_rq_in in = { 0 };
	struct prm_modify_rq_out out;

	prm_set(&in, uid, r->uid);
	prm_set(&in, rqn, rqn);
	prm_set(&in, rq_state, PRM_WQ_STATE_RDY);
	prm_set(&in, modify_bitmask, PRM_MODIFY_RQ_BITMASK_RQ_COUNTER_SET_ID);
	prm_set(prm_sub(&in, ctx), state, PRM_WQ_STATE_RDY);
	prm_set(prm_sub(&in, ctx), counter_set_id, counter);
	CORE_RIG_OK(r, modify_rq, &in, &out);
}

FIXTURE_SETUP(all_objects)
{
	static const uint8_t key[EMU_RSS_KEY_BYTES];
	struct core_rig *r = &self->r;
	struct core_rig_cq cq;
	struct core_rig_sq sq;
	struct core_rig_rq rq;

	core_rig_open(r, &(struct core_rig_config){ 0 });
	self->stranger = make_other_user(r);
	cq = core_rig_make_cq(r, 4);
	sq = core_rig_make_sq(r, 4, cq.cqn);
	rq = core_rig_make_rq(r, 4, 0, cq.cqn);
	self->id[EMU_UAR] = r->uar;
	self->id[EMU_PD] = r->pd;
	self->id[EMU_TD] = r->td;
	self->id[EMU_EQ] = r->eqn;
	self->id[EMU_TIS] = r->tis;
	self->id[EMU_MKEY] =
		core_rig_make_mkey(r, core_rig_alloc(r, CORE_RIG_PAGE), CORE_RIG_PAGE, true) >> 8;
	self->id[EMU_CQ] = cq.cqn;
	self->id[EMU_SQ] = sq.sqn;
	self->id[EMU_RQ] = rq.rqn;
	self->id[EMU_UMEM] = self->cq_umem = cq.umem;
	self->sq_umem = sq.umem;
	self->rq_umem = rq.umem;
	self->id[EMU_RQT] = core_rig_make_rqt(r, &rq.rqn, 1);
	self->rss_tir = core_rig_make_rss_tir(r, self->id[EMU_RQT], 3, key, false, false);
	self->id[EMU_TIR] = core_rig_make_tir(r, rq.rqn);
	self->id[EMU_Q_COUNTER] = make_q_counter(r);
	count_rq(r, rq.rqn, self->id[EMU_Q_COUNTER]);
	self->id[EMU_FLOW_COUNTER] = make_flow_counter(r);
	self->next_table = core_rig_make_table(r, 9, 0);
	self->id[EMU_FLOW_TABLE] = core_rig_make_table(r, 5, 4);
	self->group = core_rig_make_group(r, self->id[EMU_FLOW_TABLE], 0, 3, NULL);
	core_rig_set_root(r, self->id[EMU_FLOW_TABLE]);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_set_rule(
			  r, &(struct core_rig_rule){ .table = self->id[EMU_FLOW_TABLE],
						      .group = self->group,
						      .index = 2,
						      .action = 4 | 8,
						      .counter = self->id[EMU_FLOW_COUNTER],
						      .n_dests = 3,
						      .dest = { { 2, self->id[EMU_TIR] },
								{ 2, self->rss_tir },
								{ 1, self->next_table } } }));
}

FIXTURE_TEARDOWN(all_objects)
{
	core_rig_close(&self->r);
}

/* Sends a command of @uid with the number of one object in @field. Return: the status */
static uint8_t run_on_object(struct core_rig *r, uint16_t opcode, const char *field, uint32_t id,
			     uint16_t uid)
{
	const struct prm_command *cmd = prm_command_of(opcode);
	prm_be32 in[0x400 / 4] = { 0 }, out[0x1000 / 4];

	core_rig_set_field(in, opcode, field, id);
	prm_set((struct prm_nop_in *)in, uid, uid);
	return core_rig_exec(r, opcode, in, cmd->in->bytes, out, sizeof(out));
}

static const struct use {
	const char *name;
	uint16_t opcode;
	enum emu_type type;
	const char *field;
} uses[] = {
	{ "query_mkey", PRM_OP_query_mkey, EMU_MKEY, "mkey_index" },
	{ "query_cq", PRM_OP_query_cq, EMU_CQ, "cqn" },
	{ "modify_cq", PRM_OP_modify_cq, EMU_CQ, "cqn" },
	{ "query_sq", PRM_OP_query_sq, EMU_SQ, "sqn" },
	{ "query_rq", PRM_OP_query_rq, EMU_RQ, "rqn" },
	{ "query_tis", PRM_OP_query_tis, EMU_TIS, "tisn" },
	{ "modify_tis", PRM_OP_modify_tis, EMU_TIS, "tisn" },
	{ "query_tir", PRM_OP_query_tir, EMU_TIR, "tirn" },
	{ "modify_tir", PRM_OP_modify_tir, EMU_TIR, "tirn" },
	{ "query_rqt", PRM_OP_query_rqt, EMU_RQT, "rqtn" },
	{ "modify_rqt", PRM_OP_modify_rqt, EMU_RQT, "rqtn" },
	{ "query_q_counter", PRM_OP_query_q_counter, EMU_Q_COUNTER, "counter_set_id" },
	{ "query_flow_counter", PRM_OP_query_flow_counter, EMU_FLOW_COUNTER, "flow_counter_id" },
	{ "query_flow_table", PRM_OP_query_flow_table, EMU_FLOW_TABLE, "table_id" },
	{ "modify_flow_table", PRM_OP_modify_flow_table, EMU_FLOW_TABLE, "table_id" },
};

static const struct use destroys[] = {
	{ "dealloc_uar", PRM_OP_dealloc_uar, EMU_UAR, "uar" },
	{ "dealloc_pd", PRM_OP_dealloc_pd, EMU_PD, "pd" },
	{ "dealloc_transport_domain", PRM_OP_dealloc_transport_domain, EMU_TD, "transport_domain" },
	{ "destroy_eq", PRM_OP_destroy_eq, EMU_EQ, "eq_number" },
	{ "destroy_umem", PRM_OP_destroy_umem, EMU_UMEM, "umem_id" },
	{ "destroy_cq", PRM_OP_destroy_cq, EMU_CQ, "cqn" },
	{ "destroy_rq", PRM_OP_destroy_rq, EMU_RQ, "rqn" },
	{ "destroy_tis", PRM_OP_destroy_tis, EMU_TIS, "tisn" },
	{ "destroy_tir", PRM_OP_destroy_tir, EMU_TIR, "tirn" },
	{ "destroy_rqt", PRM_OP_destroy_rqt, EMU_RQT, "rqtn" },
	{ "dealloc_q_counter", PRM_OP_dealloc_q_counter, EMU_Q_COUNTER, "counter_set_id" },
	{ "dealloc_flow_counter", PRM_OP_dealloc_flow_counter, EMU_FLOW_COUNTER,
	  "flow_counter_id" },
	{ "destroy_flow_table", PRM_OP_destroy_flow_table, EMU_FLOW_TABLE, "table_id" },
	/* No object refers to the mkey and the SQ. */
	{ "destroy_mkey", PRM_OP_destroy_mkey, EMU_MKEY, "mkey_index" },
	{ "destroy_sq", PRM_OP_destroy_sq, EMU_SQ, "sqn" },
};
enum { N_REFERRED = sizeof(destroys) / sizeof(destroys[0]) - 2 };

TEST_F(all_objects, every_object_can_be_used_by_its_owner_and_the_kernel)
{
	FOR_EACH_ROW (row, uses) {
		const bool kernels =
			row->type == EMU_FLOW_TABLE; /* core_rig_make_table() uses uid 0 */

		EXPECT_EQ(PRM_STATUS_OK,
			  run_on_object(&self->r, row->opcode, row->field, self->id[row->type], 0));
		EXPECT_EQ(kernels ? PRM_STATUS_BAD_RES : PRM_STATUS_OK,
			  run_on_object(&self->r, row->opcode, row->field, self->id[row->type],
					self->r.uid));
	}
}

TEST_F(all_objects, an_rq_of_a_user_may_name_a_queue_counter_of_the_kernel)
{
	struct prm_alloc_q_counter_in in = { 0 };
	struct prm_alloc_q_counter_out out;
	uint32_t id;

	CORE_RIG_OK(&self->r, alloc_q_counter, &in, &out);
	id = (uint32_t)prm_get(&out, counter_set_id);
	count_rq(&self->r, self->id[EMU_RQ], id);
	EXPECT_EQ(PRM_STATUS_BAD_RES, run_on_object(&self->r, PRM_OP_dealloc_q_counter,
						    "counter_set_id", id, self->r.uid));
	count_rq(&self->r, self->id[EMU_RQ], self->id[EMU_Q_COUNTER]);
	EXPECT_EQ(PRM_STATUS_OK,
		  run_on_object(&self->r, PRM_OP_dealloc_q_counter, "counter_set_id", id, 0));
}

TEST_F(all_objects, another_user_finds_no_object)
{
	FOR_EACH_ROW (row, uses) {
		EXPECT_EQ(PRM_STATUS_BAD_RES, run_on_object(&self->r, row->opcode, row->field,
							    self->id[row->type], self->stranger));
		EXPECT_EQ(EMU_SYND_NO_OBJECT, core_rig_get_syndrome(&self->r));
	}
	FOR_EACH_ROW (row, destroys) {
		EXPECT_NE(PRM_STATUS_OK, run_on_object(&self->r, row->opcode, row->field,
						       self->id[row->type], self->stranger));
		EXPECT_EQ(PRM_STATUS_OK,
			  run_on_object(&self->r, PRM_OP_query_cq, "cqn", self->id[EMU_CQ], 0));
	}
}

TEST_F(all_objects, destroy_refuses_objects_in_use)
{
	for (int i = 0; i < N_REFERRED; i++) {
		SCOPED_TRACE("%s", destroys[i].name);
		EXPECT_EQ(PRM_STATUS_BAD_RES_STATE,
			  run_on_object(&self->r, destroys[i].opcode, destroys[i].field,
					self->id[destroys[i].type], 0));
		EXPECT_EQ(destroys[i].type == EMU_PD ? EMU_SYND_PD_BUSY : EMU_SYND_BUSY,
			  core_rig_get_syndrome(&self->r));
	}
}

static void expect_destroyed(struct core_rig *r, uint16_t opcode, const char *field, uint32_t id)
{
	SCOPED_TRACE("%s", prm_command_of(opcode)->name);
	core_rig_expect_ok(__FILE__, __LINE__, r, prm_command_of(opcode)->name,
			   run_on_object(r, opcode, field, id, 0));
	EXPECT_EQ(PRM_STATUS_BAD_RES, run_on_object(r, opcode, field, id, 0));
}

static void delete_rule(struct core_rig *r, uint32_t table, uint32_t group)
{
	struct prm_delete_fte_in fte = { 0 };
	struct prm_delete_fte_out fte_out;
	struct prm_destroy_flow_group_in in = { 0 };
	struct prm_destroy_flow_group_out out;

	prm_set(&in, table_id, table);
	prm_set(&in, group_id, group);
	EXPECT_EQ(PRM_STATUS_BAD_RES_STATE, CORE_RIG_EXEC(r, destroy_flow_group, &in, &out));
	EXPECT_EQ(EMU_SYND_FLOW_GROUP_BUSY, core_rig_get_syndrome(r));
	prm_set(&fte, table_id, table);
	prm_set(&fte, flow_index, 2);
	CORE_RIG_OK(r, delete_fte, &fte, &fte_out);
	EXPECT_EQ(PRM_STATUS_BAD_RES, CORE_RIG_EXEC(r, delete_fte, &fte, &fte_out));
	CORE_RIG_OK(r, destroy_flow_group, &in, &out);
}

TEST_F(all_objects, everything_can_be_destroyed_in_order)
{
	struct core_rig *r = &self->r;

	delete_rule(r, self->id[EMU_FLOW_TABLE], self->group);
	expect_destroyed(r, PRM_OP_destroy_flow_table, "table_id", self->id[EMU_FLOW_TABLE]);
	EXPECT_EQ(NULL, r->emu->rx_root);
	expect_destroyed(r, PRM_OP_destroy_flow_table, "table_id", self->next_table);
	expect_destroyed(r, PRM_OP_destroy_tir, "tirn", self->id[EMU_TIR]);
	expect_destroyed(r, PRM_OP_destroy_tir, "tirn", self->rss_tir);
	expect_destroyed(r, PRM_OP_destroy_rqt, "rqtn", self->id[EMU_RQT]);
	expect_destroyed(r, PRM_OP_destroy_rq, "rqn", self->id[EMU_RQ]);
	expect_destroyed(r, PRM_OP_destroy_sq, "sqn", self->id[EMU_SQ]);
	expect_destroyed(r, PRM_OP_destroy_tis, "tisn", self->id[EMU_TIS]);
	expect_destroyed(r, PRM_OP_destroy_cq, "cqn", self->id[EMU_CQ]);
	expect_destroyed(r, PRM_OP_destroy_mkey, "mkey_index", self->id[EMU_MKEY]);
	expect_destroyed(r, PRM_OP_destroy_umem, "umem_id", self->cq_umem);
	expect_destroyed(r, PRM_OP_destroy_umem, "umem_id", self->sq_umem);
	expect_destroyed(r, PRM_OP_destroy_umem, "umem_id", self->rq_umem);
	expect_destroyed(r, PRM_OP_dealloc_q_counter, "counter_set_id", self->id[EMU_Q_COUNTER]);
	expect_destroyed(r, PRM_OP_dealloc_flow_counter, "flow_counter_id",
			 self->id[EMU_FLOW_COUNTER]);
	expect_destroyed(r, PRM_OP_destroy_eq, "eq_number", self->id[EMU_EQ]);
	expect_destroyed(r, PRM_OP_dealloc_uar, "uar", self->id[EMU_UAR]);
	EXPECT_EQ(0, r->emu->n_uars);
	expect_destroyed(r, PRM_OP_dealloc_pd, "pd", self->id[EMU_PD]);
	expect_destroyed(r, PRM_OP_dealloc_transport_domain, "transport_domain", self->id[EMU_TD]);
	for (int type = EMU_UAR; type < EMU_N_TYPES; type++) {
		SCOPED_TRACE("%s", emu_type_name(type));
		EXPECT_EQ(0, r->emu->table[type].n_used);
	}
}

static uint8_t destroy_uctx(struct core_rig *r, uint16_t uid)
{
	struct prm_destroy_uctx_in in = { 0 };
	struct prm_destroy_uctx_out out;

	prm_set(&in, uid, uid);
	return CORE_RIG_EXEC(r, destroy_uctx, &in, &out);
}

TEST_F(all_objects, user_context_is_destroyed_only_when_empty)
{
	EXPECT_EQ(PRM_STATUS_BAD_RES_STATE, destroy_uctx(&self->r, self->r.uid));
	EXPECT_EQ(EMU_SYND_BUSY, core_rig_get_syndrome(&self->r));
	EXPECT_EQ(PRM_STATUS_OK, destroy_uctx(&self->r, self->stranger));
	EXPECT_EQ(PRM_STATUS_BAD_RES, destroy_uctx(&self->r, self->stranger));
	EXPECT_EQ(PRM_STATUS_BAD_PARAM,
		  run_on_object(&self->r, PRM_OP_nop, "opcode", 0, self->stranger));
	EXPECT_EQ(EMU_SYND_UID, core_rig_get_syndrome(&self->r));
}

TEST_F(all_objects, user_cannot_free_a_uar_of_the_kernel)
{
	EXPECT_EQ(PRM_STATUS_BAD_RES, run_on_object(&self->r, PRM_OP_dealloc_uar, "uar",
						    self->id[EMU_UAR], self->r.uid));
}

/* ---- limits of the smallest profile ------------------------------------------------ */

static const struct limit {
	const char *name;
	uint16_t opcode;
	enum emu_type type;
	uint32_t syndrome;
} limits[] = {
	{ "create_uctx", PRM_OP_create_uctx, EMU_UCTX, EMU_SYND_LIMIT },
	{ "alloc_uar", PRM_OP_alloc_uar, EMU_UAR, EMU_SYND_UAR_LIMIT },
	{ "alloc_pd", PRM_OP_alloc_pd, EMU_PD, EMU_SYND_LIMIT },
	{ "alloc_transport_domain", PRM_OP_alloc_transport_domain, EMU_TD, EMU_SYND_LIMIT },
	{ "alloc_q_counter", PRM_OP_alloc_q_counter, EMU_Q_COUNTER, EMU_SYND_LIMIT },
	{ "alloc_flow_counter", PRM_OP_alloc_flow_counter, EMU_FLOW_COUNTER, EMU_SYND_LIMIT },
	{ "create_flow_table", PRM_OP_create_flow_table, EMU_FLOW_TABLE, EMU_SYND_LIMIT },
	{ "alloc_xrcd", PRM_OP_alloc_xrcd, EMU_XRCD, EMU_SYND_LIMIT },
};

TEST_EACH(limit, refuses_one_object_more, struct limit, limits)
{
	prm_be32 in[0x200 / 4] = { 0 }, out[4];
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .profile = "small", .no_context = true });
	for (uint32_t i = 0; i < r.emu->table[row->type].max; i++)
		EXPECT_EQ(PRM_STATUS_OK,
			  core_rig_exec(&r, row->opcode, in, prm_command_of(row->opcode)->in->bytes,
					out, sizeof(out)));
	EXPECT_EQ(PRM_STATUS_LIM_ERR,
		  core_rig_exec(&r, row->opcode, in, prm_command_of(row->opcode)->in->bytes, out,
				sizeof(out)));
	EXPECT_EQ(row->syndrome, core_rig_get_syndrome(&r));
	core_rig_close(&r);
}

/* Bits of the narrowest type that a public driver keeps a number in (doc/emu.md, "Numbers"). */
TEST(object_number, fits_the_types_of_public_drivers)
{
	static const unsigned bits[EMU_N_TYPES] = {
		[EMU_EQ] = 8,
		[EMU_Q_COUNTER] = 8,
		[EMU_UCTX] = 16,
		[EMU_XRCD] = 16,
	};
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ 0 });
	for (int type = 0; type < EMU_N_TYPES; type++) {
		const struct emu_table *t = &r.emu->table[type];

		SCOPED_TRACE("%s", emu_type_name(type));
		EXPECT_GE(1ull << (bits[type] ? bits[type] : 24), (uint64_t)t->first_id + t->max);
	}
	core_rig_close(&r);
}
