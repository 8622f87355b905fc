/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_queue.h"
#include "core_rig_refuse.h"
#include "core_rig_steer.h"
#include "emu/base/profile.h"
#include "emu/control.h"
#include "emu/firmware/refuse.h"

#define BAD PRM_STATUS_BAD_PARAM
#define GONE PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT

enum {
	N_RQS = 4,
	IPV4_TCP_ALL = PRM_HASH_FIELD_SEL_SRC_IP | PRM_HASH_FIELD_SEL_DST_IP |
		       PRM_HASH_FIELD_SEL_L4_SPORT | PRM_HASH_FIELD_SEL_L4_DPORT,
};

FIXTURE(tir)
{
	struct core_rig r;
	uint32_t rqn[N_RQS], rqtn;
	struct prm_create_tir_in direct, rss;
};

FIXTURE_SETUP(tir)
{
	struct core_rig *r = &self->r;
	struct prm_tirc *rss = prm_sub(&self->rss, ctx);
	struct core_rig_cq cq;

	core_rig_open(r, &(struct core_rig_config){ 0 });
	cq = core_rig_make_cq(r, 6);
	for (int i = 0; i < N_RQS; i++)
		self->rqn[i] = core_rig_make_rq(r, 4, 0, cq.cqn).rqn;
	self->rqtn = core_rig_make_rqt(r, self->rqn, N_RQS);
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

FIXTURE_TEARDOWN(tir)
{
	core_rig_close(&self->r);
}

static const struct core_rig_refusal bad_direct[] = {
	{ "no_rq", "ctx.inline_rqn", 1, GONE },
	{ "no_td", "ctx.transport_domain", 1, GONE },
	{ "disp_type", "ctx.disp_type", 2, BAD, EMU_SYND_TYPE },
	{ "a_table_too", "ctx.indirect_table", 1, BAD, EMU_SYND_TYPE },
	{ "a_hash", "ctx.rx_hash_fn", 2, BAD, EMU_SYND_HASH },
	{ "hash_fields", "ctx.rx_hash_field_selector_outer.selected_fields", 3, BAD,
	  EMU_SYND_HASH },
	{ "inner_hash_fields", "ctx.rx_hash_field_selector_inner.selected_fields", 3, BAD,
	  EMU_SYND_HASH },
	{ "symmetry", "ctx.rx_hash_symmetric", 1, BAD, EMU_SYND_HASH },
};

TEST_F(tir, create_refuses_a_bad_direct_tir)
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
	{ "inner_without_tunnel", "ctx.rx_hash_field_selector_inner.selected_fields", 1, BAD,
	  EMU_SYND_HASH },
};

TEST_F(tir, create_refuses_a_bad_indirect_tir)
{
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_rss, PRM_OP_create_tir, self->rss);
}

static const struct core_rig_refusal bad_tunnel[] = {
	{ "unknown_inner_field", "ctx.rx_hash_field_selector_inner.selected_fields", 0x20, BAD,
	  EMU_SYND_HASH },
	{ "inner_without_tunnel", "ctx.tunneled_offload_en", 0, BAD, EMU_SYND_HASH },
};

TEST_F(tir, tunneled_offload_needs_a_capability)
{
	struct prm_per_protocol_networking_offload_caps *eth = &self->r.emu->caps->eth;
	const struct core_rig_refusal no_cap = { "no_capability", "ctx.tunneled_offload_en", 1, BAD,
						 EMU_SYND_NO_CAP };
	struct prm_create_tir_out out;

	prm_set(prm_sub(&self->rss, ctx), tunneled_offload_en, 1);
	prm_set(prm_sub(prm_sub(&self->rss, ctx), rx_hash_field_selector_inner), selected_fields,
		IPV4_TCP_ALL);
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_tunnel, PRM_OP_create_tir, self->rss);
	prm_set(eth, tunnel_stateless_vxlan, 0);
	prm_set(eth, tunnel_stateless_gre, 0);
	CORE_RIG_OK(&self->r, create_tir, &self->rss, &out);
	prm_set(eth, tunnel_stateless_ip_over_ip, 0);
	core_rig_expect_refusal(&self->r, &no_cap, PRM_OP_create_tir, &self->rss,
				sizeof(self->rss));
}

TEST_F(tir, an_eswitch_manager_may_forbid_tunneled_offload)
{
	const struct core_rig_refusal forbidden = { "forbidden", "ctx.tunneled_offload_en", 1, BAD,
						    0x562b00 };
	struct core_rig *r = &self->r;
	struct prm_create_tir_out out;

	EXPECT_EQ(1, emu_set_option(r->adapter, "inner_hashing", 0));
	core_rig_expect_refusal(r, &forbidden, PRM_OP_create_tir, &self->rss, sizeof(self->rss));
	core_rig_expect_refusal(r, &forbidden, PRM_OP_create_tir, &self->direct,
				sizeof(self->direct));
	CORE_RIG_OK(r, create_tir, &self->rss, &out);
	EXPECT_EQ(0, emu_set_option(r->adapter, "inner_hashing", 1));
	prm_set(prm_sub(&self->rss, ctx), tunneled_offload_en, 1);
	CORE_RIG_OK(r, create_tir, &self->rss, &out);
}

TEST_F(tir, modify_refuses_inner_fields_without_tunneled_offload)
{
	struct prm_create_tir_out out;
	struct prm_modify_tir_in in = { 0 };
	struct prm_modify_tir_out modified;

	CORE_RIG_OK(&self->r, create_tir, &self->rss, &out);
	prm_set(&in, uid, self->r.uid);
	prm_set(&in, tirn, prm_get(&out, tirn));
	prm_set(prm_sub(&in, bitmask), hash, 1);
	prm_set(prm_sub(&in, ctx), rx_hash_fn, PRM_RX_HASH_FN_TOEPLITZ);
	prm_set(prm_sub(prm_sub(&in, ctx), rx_hash_field_selector_inner), selected_fields,
		IPV4_TCP_ALL);
	EXPECT_EQ(BAD, CORE_RIG_EXEC(&self->r, modify_tir, &in, &modified));
	prm_set(prm_sub(&self->rss, ctx), tunneled_offload_en, 1);
	CORE_RIG_OK(&self->r, create_tir, &self->rss, &out);
	prm_set(&in, tirn, prm_get(&out, tirn));
	CORE_RIG_OK(&self->r, modify_tir, &in, &modified);
}

/* ---- TIRs without hash fields ---------------------------------------------------------------- */

static void clear_fields(struct prm_tirc *tirc)
{
	prm_set(prm_sub(tirc, rx_hash_field_selector_outer), selected_fields, 0);
}

static const struct core_rig_refusal no_fields = {
	"no_fields", "ctx.rx_hash_field_selector_outer.selected_fields", 0, BAD, EMU_SYND_HASH
};

TEST_F(tir, create_refuses_no_hash_fields_on_several_rqs)
{
	struct core_rig *r = &self->r;
	struct prm_create_tir_out out;

	core_rig_expect_refusal(r, &no_fields, PRM_OP_create_tir, &self->rss, sizeof(self->rss));
	prm_set(prm_sub(&self->rss, ctx), rx_hash_fn, PRM_RX_HASH_FN_INVERTED_XOR8);
	core_rig_expect_refusal(r, &no_fields, PRM_OP_create_tir, &self->rss, sizeof(self->rss));
	clear_fields(prm_sub(&self->rss, ctx));
	EXPECT_EQ(0, emu_set_option(r->adapter, "unhashed_tables", 1));
	CORE_RIG_OK(r, create_tir, &self->rss, &out);
	EXPECT_EQ(1, emu_set_option(r->adapter, "unhashed_tables", 0));
	prm_set(prm_sub(&self->rss, ctx), indirect_table, core_rig_make_rqt(r, self->rqn, 1));
	CORE_RIG_OK(r, create_tir, &self->rss, &out);
}

/* The table has one RQ when a TIR without fields is created; it may not leave such a table. */
TEST_F(tir, modify_refuses_no_hash_fields_on_several_rqs)
{
	struct core_rig *r = &self->r;
	const uint32_t one = core_rig_make_rqt(r, self->rqn, 1);
	const struct core_rig_refusal four = { "four_rqs", "ctx.indirect_table", self->rqtn, BAD,
					       EMU_SYND_HASH };
	struct prm_tirc *tirc = prm_sub(&self->rss, ctx);
	struct prm_modify_tir_in in = { 0 };
	struct prm_modify_tir_out modified;
	struct prm_create_tir_out out;

	CORE_RIG_OK(r, create_tir, &self->rss, &out);
	prm_set(&in, uid, r->uid);
	prm_set(&in, tirn, prm_get(&out, tirn));
	prm_set(prm_sub(&in, bitmask), hash, 1);
	*prm_sub(&in, ctx) = *tirc;
	prm_set(prm_sub(&in, ctx), disp_type, PRM_TIRC_DISP_TYPE_DIRECT);
	prm_set(prm_sub(&in, ctx), transport_domain, 0);
	core_rig_expect_refusal(r, &no_fields, PRM_OP_modify_tir, &in, sizeof(in));
	/* with the table of one RQ in the same command, it is allowed */
	clear_fields(prm_sub(&in, ctx));
	prm_set(prm_sub(&in, bitmask), indirect_table, 1);
	prm_set(prm_sub(&in, ctx), indirect_table, one);
	CORE_RIG_OK(r, modify_tir, &in, &modified);
	core_rig_expect_refusal(r, &four, PRM_OP_modify_tir, &in, sizeof(in));
	prm_set(prm_sub(&in, bitmask), hash, 0);
	core_rig_expect_refusal(r, &four, PRM_OP_modify_tir, &in, sizeof(in));
	/* the hash fields return together with the table of four RQs */
	prm_set(prm_sub(&in, bitmask), hash, 1);
	*prm_sub(&in, ctx) = *tirc;
	prm_set(prm_sub(&in, ctx), disp_type, PRM_TIRC_DISP_TYPE_DIRECT);
	prm_set(prm_sub(&in, ctx), transport_domain, 0);
	CORE_RIG_OK(r, modify_tir, &in, &modified);
}

static uint8_t resize_rqt(struct core_rig *r, uint32_t rqtn, const uint32_t *rqn, unsigned n)
{
	struct {
		struct prm_modify_rqt_in head;
		struct prm_rq_num rq[N_RQS];
	} in = { 0 };
	struct prm_modify_rqt_out out;

	prm_set(&in.head, uid, r->uid);
	prm_set(&in.head, rqtn, rqtn);
	prm_set(prm_sub(&in.head, bitmask), rqn_list, 1);
	prm_set(prm_sub(&in.head, ctx), rqt_actual_size, n);
	for (unsigned i = 0; i < n; i++)
		prm_set(&in.rq[i], rq_num, rqn[i]);
	return core_rig_exec(r, PRM_OP_modify_rqt, &in, sizeof(in.head) + n * sizeof(in.rq[0]),
			     &out, sizeof(out));
}

/* A TIR without hash fields goes from one table to another: only its own must have one RQ. */
TEST_F(tir, a_table_without_the_tir_may_have_several_rqs_again)
{
	struct core_rig *r = &self->r;
	const uint32_t other = core_rig_make_rqt(r, self->rqn, N_RQS);
	struct prm_modify_tir_in in = { 0 };
	struct prm_modify_tir_out modified;
	struct prm_create_tir_out out;

	EXPECT_EQ(PRM_STATUS_OK, resize_rqt(r, self->rqtn, self->rqn, 1));
	EXPECT_EQ(PRM_STATUS_OK, resize_rqt(r, other, self->rqn, 1));
	clear_fields(prm_sub(&self->rss, ctx));
	CORE_RIG_OK(r, create_tir, &self->rss, &out);
	EXPECT_EQ(BAD, resize_rqt(r, self->rqtn, self->rqn, 2));
	prm_set(&in, uid, r->uid);
	prm_set(&in, tirn, prm_get(&out, tirn));
	prm_set(prm_sub(&in, bitmask), indirect_table, 1);
	prm_set(prm_sub(&in, ctx), indirect_table, other);
	CORE_RIG_OK(r, modify_tir, &in, &modified);
	EXPECT_EQ(BAD, resize_rqt(r, other, self->rqn, 2));
	EXPECT_EQ(EMU_SYND_HASH, core_rig_get_syndrome(r));
	EXPECT_EQ(PRM_STATUS_OK, resize_rqt(r, self->rqtn, self->rqn, 2));
	prm_set(prm_sub(&in, ctx), indirect_table, 1);
	EXPECT_EQ(PRM_STATUS_BAD_RES, CORE_RIG_EXEC(r, modify_tir, &in, &modified));
}

/* ---- queries --------------------------------------------------------------------------------- */

static void query_tir(struct core_rig *r, uint32_t tirn, struct prm_tirc *tirc)
{
	struct prm_query_tir_in in = { 0 };
	struct prm_query_tir_out out;

	prm_set(&in, tirn, tirn);
	CORE_RIG_OK(r, query_tir, &in, &out);
	*tirc = *prm_sub(&out, tir_context);
}

TEST_F(tir, is_queried_as_created_and_as_modified)
{
	struct prm_create_tir_out out;
	struct prm_modify_tir_in in = { 0 };
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
	prm_set(want, rx_hash_fn, PRM_RX_HASH_FN_INVERTED_XOR8);
	prm_set(prm_sub(want, rx_hash_field_selector_outer), selected_fields,
		PRM_HASH_FIELD_SEL_SRC_IP);
	prm_set_at(want, rx_hash_toeplitz_key, 9, 0x55);
	prm_set(want, indirect_table, other);
	prm_set(want, self_lb_block, PRM_TIRC_SELF_LB_BLOCK_UNICAST);
	*prm_sub(&in, ctx) = *want;
	/* MODIFY_TIR cannot change these two fields, so they stay 0 in its input. */
	prm_set(prm_sub(&in, ctx), disp_type, PRM_TIRC_DISP_TYPE_DIRECT);
	prm_set(prm_sub(&in, ctx), transport_domain, 0);
	CORE_RIG_OK(&self->r, modify_tir, &in, &modified);
	query_tir(&self->r, (uint32_t)prm_get(&out, tirn), &got);
	EXPECT_MEMEQ(want, &got, sizeof(got));
	/* The TIR refers to the new table and no longer to the old one. */
	EXPECT_EQ(1, ((struct emu_obj *)emu_obj_at(&self->r.emu->table[EMU_RQT], other))->refs);
	EXPECT_EQ(0,
		  ((struct emu_obj *)emu_obj_at(&self->r.emu->table[EMU_RQT], self->rqtn))->refs);
}

TEST_F(tir, modify_refuses_hash_and_table_of_a_direct_tir)
{
	struct prm_create_tir_out out;
	struct prm_modify_tir_in in = { 0 };
	const struct core_rig_refusal bad[] = {
		{ "hash", "ctx.rx_hash_fn", PRM_RX_HASH_FN_TOEPLITZ, BAD, EMU_SYND_HASH },
		{ "table", "bitmask.indirect_table", 1, BAD, EMU_SYND_BITMASK },
	};

	CORE_RIG_OK(&self->r, create_tir, &self->direct, &out);
	prm_set(&in, tirn, prm_get(&out, tirn));
	prm_set(prm_sub(&in, bitmask), hash, 1);
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad, PRM_OP_modify_tir, in);
}

TEST(tir_without_capability, refuses_self_lb_en)
{
	struct core_rig r;
	struct prm_create_tir_in in = { 0 };
	struct prm_create_tir_out out;
	struct prm_modify_tir_in modify = { 0 };
	struct prm_modify_tir_out modified;

	core_rig_open(&r, &(struct core_rig_config){ .profile = "cx6dx,self_lb_en_modifiable=0" });
	prm_set(prm_sub(&in, ctx), inline_rqn,
		core_rig_make_rq(&r, 4, 0, core_rig_make_cq(&r, 6).cqn).rqn);
	CORE_RIG_OK(&r, create_tir, &in, &out);
	prm_set(&modify, tirn, prm_get(&out, tirn));
	prm_set(prm_sub(&modify, bitmask), self_lb_en, 1);
	EXPECT_EQ(BAD, CORE_RIG_EXEC(&r, modify_tir, &modify, &modified));
	EXPECT_EQ(EMU_SYND_NO_CAP, core_rig_get_syndrome(&r));
	core_rig_close(&r);
}
