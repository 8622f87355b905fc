/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "core_rig_queue.h"
#include "core_rig_refuse.h"
#include "core_rig_steer.h"
#include "emu/base/mistake.h"
#include "emu/firmware/refuse.h"
#include "emu/steering/flow.h"

#define BAD PRM_STATUS_BAD_PARAM
#define GONE PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT

enum { LEVEL = 5, LOG_SIZE = 4, FIRST = 4, LAST = 7 };
enum {
	ALLOW = PRM_FLOW_CONTEXT_ACTION_ALLOW,
	DROP = PRM_FLOW_CONTEXT_ACTION_DROP,
	FORWARD = PRM_FLOW_CONTEXT_ACTION_FWD_DEST,
	COUNT = PRM_FLOW_CONTEXT_ACTION_COUNT,
	TO_TABLE = PRM_FLOW_DESTINATION_TYPE_FLOW_TABLE,
	TO_TIR = PRM_FLOW_DESTINATION_TYPE_TIR,
	OUTER = PRM_MATCH_OUTER_HEADERS,
};

FIXTURE(flow) {
	struct core_rig r;
	uint32_t tir, table, group, higher, lower, counter;
	struct prm_fte_match_param mask;
	struct prm_create_flow_group_in group_in;
	struct { struct prm_set_fte_in head; struct prm_dest_format_struct dest[1]; } fte;
};

static uint32_t make_flow_counter(struct core_rig *r)
{
	struct prm_alloc_flow_counter_in in = {0};
	struct prm_alloc_flow_counter_out out;

	CORE_RIG_OK(r, alloc_flow_counter, &in, &out);
	return (uint32_t)prm_get(&out, flow_counter_id);
}

FIXTURE_SETUP(flow)
{
	struct core_rig *r = &self->r;
	struct prm_flow_context *ctx = prm_sub(&self->fte.head, flow_context);

	core_rig_open(r, &(struct core_rig_config){ 0 });
	self->tir = core_rig_make_tir(r, core_rig_make_rq(r, 4, 0, core_rig_make_cq(r, 4).cqn).rqn);
	self->table = core_rig_make_table(r, LEVEL, LOG_SIZE);
	self->higher = core_rig_make_table(r, LEVEL + 1, 0);
	self->lower = core_rig_make_table(r, LEVEL, 0);
	self->counter = make_flow_counter(r);
	prm_set(prm_sub(&self->mask, outer_headers), ethertype, 0xffff);
	self->group = core_rig_make_group(r, self->table, FIRST, LAST, &self->mask);
	prm_set(&self->group_in, table_id, self->table);
	prm_set(&self->group_in, start_flow_index, LAST + 1);
	prm_set(&self->group_in, end_flow_index, LAST + 2);
	prm_set(&self->group_in, match_criteria_enable, OUTER);
	*prm_sub(&self->group_in, match_criteria) = self->mask;
	prm_set(&self->fte.head, table_id, self->table);
	prm_set(&self->fte.head, flow_index, FIRST);
	prm_set(ctx, group_id, self->group);
	prm_set(ctx, action, FORWARD);
	prm_set(ctx, destination_list_size, 1);
	prm_set(prm_sub(prm_sub(ctx, match_value), outer_headers), ethertype, 0x0800);
	prm_set(&self->fte.dest[0], destination_type, TO_TIR);
	prm_set(&self->fte.dest[0], destination_id, self->tir);
}

FIXTURE_TEARDOWN(flow) { core_rig_close(&self->r); }

/* ---- tables ---------------------------------------------------------------------------- */

static const struct core_rig_refusal bad_tables[] = {
	{ "of_transmit", "table_type", 1, BAD, EMU_SYND_TYPE },
	{ "too_high", "flow_table_context.level", 200, BAD, EMU_SYND_SIZE },
	{ "too_large", "flow_table_context.log_size", 17, BAD, EMU_SYND_SIZE },
	{ "miss_action", "flow_table_context.table_miss_action", 2, BAD, EMU_SYND_TYPE },
	{ "miss_to_nothing", "flow_table_context.table_miss_action", 1, GONE },
};

TEST_F(flow, a_bad_table_is_refused)
{
	const struct prm_create_flow_table_in good = { 0 };

	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_tables, PRM_OP_create_flow_table, good);
}

TEST_F(flow, a_miss_goes_up_only_and_can_be_turned)
{
	struct prm_modify_flow_table_in in = {0};
	struct prm_modify_flow_table_out out;
	struct prm_query_flow_table_in ask = {0};
	struct prm_query_flow_table_out told;
	const struct core_rig_refusal bad[] = {
		{ "down", "flow_table_context.table_miss_id", self->lower, BAD, EMU_SYND_LEVEL },
		{ "unknown_field", "modify_field_select", 1 << 15, BAD, EMU_SYND_BITMASK },
	};

	prm_set(&in, table_id, self->table);
	prm_set(&in, modify_field_select, PRM_MODIFY_FLOW_TABLE_MISS_TABLE_ID);
	prm_set(prm_sub(&in, flow_table_context), table_miss_action,
		PRM_FLOW_TABLE_MISS_ACTION_FWD);
	prm_set(prm_sub(&in, flow_table_context), table_miss_id, self->higher);
	CORE_RIG_OK(&self->r, modify_flow_table, &in, &out);
	prm_set(&ask, table_id, self->table);
	CORE_RIG_OK(&self->r, query_flow_table, &ask, &told);
	EXPECT_EQ(self->higher, prm_get(prm_sub(&told, flow_table_context), table_miss_id));
	EXPECT_EQ(PRM_FLOW_TABLE_MISS_ACTION_FWD,
		  prm_get(prm_sub(&told, flow_table_context), table_miss_action));
	EXPECT_EQ(LEVEL, prm_get(prm_sub(&told, flow_table_context), level));
	EXPECT_EQ(LOG_SIZE, prm_get(prm_sub(&told, flow_table_context), log_size));
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad, PRM_OP_modify_flow_table, in);
}

TEST_F(flow, the_root_is_set_and_taken_away)
{
	struct prm_set_flow_table_root_in in = {0};
	struct prm_set_flow_table_root_out out;
	const struct core_rig_refusal bad = { "op_mod", "op_mod", 2, BAD, EMU_SYND_OP_MOD };

	core_rig_set_root(&self->r, self->table);
	EXPECT_NE(NULL, self->r.emu->rx_root);
	prm_set(&in, op_mod, 1);
	CORE_RIG_OK(&self->r, set_flow_table_root, &in, &out);
	EXPECT_EQ(NULL, self->r.emu->rx_root);
	core_rig_expect_refusal(&self->r, &bad, PRM_OP_set_flow_table_root, &in, sizeof(in));
}

TEST_F(flow, an_unknown_table_is_refused_with_firmwares_own_code)
{
	struct prm_destroy_flow_table_in in = {0};
	const struct core_rig_refusal bad = { "no_table", "table_id", 1, PRM_STATUS_BAD_RES,
					      EMU_SYND_FLOW_TABLE_ID };

	core_rig_expect_refusal(&self->r, &bad, PRM_OP_destroy_flow_table, &in, sizeof(in));
}

/* ---- groups ---------------------------------------------------------------------------- */

static const struct core_rig_refusal bad_groups[] = {
	{ "backwards", "end_flow_index", LAST, BAD, EMU_SYND_FLOW_INDEX },
	{ "past_the_table", "end_flow_index", 1 << LOG_SIZE, BAD, EMU_SYND_FLOW_INDEX },
	{ "overlaps_at_its_start", "start_flow_index", LAST, BAD, EMU_SYND_FLOW_INDEX },
	{ "covers_another", "start_flow_index", 0, BAD, EMU_SYND_FLOW_INDEX },
	{ "mask_without_criteria", "match_criteria_enable", 0, BAD, EMU_SYND_CRITERIA },
	{ "mask_of_another_part", "match_criteria_enable", 2, BAD, EMU_SYND_CRITERIA },
	{ "unknown_part", "match_criteria_enable", 0x81, BAD, EMU_SYND_CRITERIA },
	{ "no_table", "table_id", 1, GONE },
};

TEST_F(flow, a_bad_group_is_refused)
{
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_groups, PRM_OP_create_flow_group, self->group_in);
}

TEST_F(flow, a_field_that_steering_cannot_extract_is_named)
{
	const struct core_rig_refusal bad = { "vni", "match_criteria.misc_parameters.vxlan_vni", 1,
					      BAD, EMU_SYND_UNMODELLED };

	prm_set(&self->group_in, match_criteria_enable,
		PRM_MATCH_OUTER_HEADERS | PRM_MATCH_MISC_PARAMETERS);
	core_rig_expect_refusal(&self->r, &bad, PRM_OP_create_flow_group, &self->group_in,
				sizeof(self->group_in));
	EXPECT_STREQ("match on misc_parameters.vxlan_vni is not modelled", self->r.emu->detail);
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_unmodelled_field]);
}

TEST_F(flow, a_group_is_queried_as_created)
{
	struct prm_query_flow_group_in in = {0};
	struct prm_query_flow_group_out out;

	prm_set(&in, table_id, self->table);
	prm_set(&in, group_id, self->group);
	CORE_RIG_OK(&self->r, query_flow_group, &in, &out);
	EXPECT_EQ(FIRST, prm_get(&out, start_flow_index));
	EXPECT_EQ(LAST, prm_get(&out, end_flow_index));
	EXPECT_EQ(OUTER, prm_get(&out, match_criteria_enable));
	EXPECT_MEMEQ(&self->mask, prm_sub(&out, match_criteria), sizeof(self->mask));
	prm_set(&in, group_id, self->group + 1);
	EXPECT_EQ(PRM_STATUS_BAD_RES, CORE_RIG_EXEC(&self->r, query_flow_group, &in, &out));
}

/* ---- entries --------------------------------------------------------------------------- */

static const struct core_rig_refusal bad_ftes[] = {
	{ "op_mod", "op_mod", 2, BAD, EMU_SYND_OP_MOD },
	{ "outside_every_group", "flow_index", FIRST - 1, BAD, EMU_SYND_FLOW_INDEX },
	{ "in_another_group", "flow_context.group_id", 99, BAD, EMU_SYND_FLOW_INDEX },
	{ "nothing_to_do", "flow_context.action", 0, BAD, EMU_SYND_ACTION },
	{ "forward_and_drop", "flow_context.action", FORWARD | DROP, BAD, EMU_SYND_ACTION },
	{ "drop_with_destinations", "flow_context.action", DROP, BAD, EMU_SYND_ACTION },
	{ "count_without_counter", "flow_context.action", FORWARD | COUNT, BAD, EMU_SYND_ACTION },
	{ "modify_header", "flow_context.action", FORWARD | 0x40, BAD, EMU_SYND_UNMODELLED },
	{ "announces_two", "flow_context.destination_list_size", 2, PRM_STATUS_BAD_INP_LEN,
	  EMU_SYND_LENGTH },
	{ "announces_none", "flow_context.destination_list_size", 0, PRM_STATUS_BAD_INP_LEN,
	  EMU_SYND_LENGTH },
	{ "value_outside_the_mask", "flow_context.match_value.outer_headers.dmac_47_16", 1, BAD,
	  EMU_SYND_VALUE },
};

TEST_F(flow, a_bad_entry_is_refused)
{
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_ftes, PRM_OP_set_fte, self->fte);
	EXPECT_EQ(0, ((struct emu_obj *)emu_obj_at(&self->r.emu->table[EMU_TIR], self->tir))->refs);
}

static uint8_t set_forward(struct core_rig *r, const struct prm_set_fte_in *good, unsigned type,
			   uint32_t id)
{
	struct {
		struct prm_set_fte_in head;
		struct prm_dest_format_struct dest[1];
	} in = { .head = *good };
	struct prm_set_fte_out out;

	prm_set(&in.dest[0], destination_type, type);
	prm_set(&in.dest[0], destination_id, id);
	return core_rig_exec(r, PRM_OP_set_fte, &in, sizeof(in), &out, sizeof(out));
}

TEST_F(flow, destinations_are_tirs_and_higher_tables)
{
	EXPECT_EQ(PRM_STATUS_BAD_RES, set_forward(&self->r, &self->fte.head, TO_TIR, 1));
	EXPECT_EQ(PRM_STATUS_BAD_RES, set_forward(&self->r, &self->fte.head, TO_TABLE, 1));
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, set_forward(&self->r, &self->fte.head, 0, 0));
	EXPECT_EQ(EMU_SYND_TYPE, core_rig_get_syndrome(&self->r));
	EXPECT_EQ(PRM_STATUS_BAD_PARAM,
		  set_forward(&self->r, &self->fte.head, TO_TABLE, self->lower));
	EXPECT_EQ(EMU_SYND_LEVEL, core_rig_get_syndrome(&self->r));
	EXPECT_EQ(PRM_STATUS_OK, set_forward(&self->r, &self->fte.head, TO_TABLE, self->higher));
	EXPECT_EQ(PRM_STATUS_BAD_RES_STATE,
		  set_forward(&self->r, &self->fte.head, TO_TABLE, self->higher));
	EXPECT_EQ(EMU_SYND_FLOW_INDEX, core_rig_get_syndrome(&self->r));
}

static uint32_t count_refs(const struct core_rig *r, enum emu_type type, uint32_t id)
{
	return ((struct emu_obj *)emu_obj_at(&r->emu->table[type], id))->refs;
}

/* The fixture's entry with a counter, as somebody who changes it would send it. */
static uint8_t modify_fte(struct core_rig *r, const struct prm_set_fte_in *good, unsigned select,
			  uint32_t table, uint32_t counter)
{
	struct {
		struct prm_set_fte_in head;
		struct prm_dest_format_struct list[2];
	} in = { .head = *good };
	struct prm_flow_context *ctx = prm_sub(&in.head, flow_context);
	struct prm_set_fte_out out;

	prm_set(&in.head, op_mod, PRM_SET_FTE_OP_MOD_MODIFY);
	prm_set(&in.head, modify_enable_mask, select);
	prm_set(ctx, action, FORWARD | COUNT);
	prm_set(ctx, flow_tag, 0x77);
	prm_set(ctx, flow_counter_list_size, 1);
	prm_set(&in.list[0], destination_type, TO_TABLE);
	prm_set(&in.list[0], destination_id, table);
	in.list[1].dw[0] = prm_be32_of(counter);
	return core_rig_exec(r, PRM_OP_set_fte, &in, sizeof(in), &out, sizeof(out));
}

TEST_F(flow, an_entry_is_modified_in_what_the_mask_selects)
{
	enum {
		ACTION = PRM_SET_FTE_MODIFY_ENABLE_ACTION,
		TAG = PRM_SET_FTE_MODIFY_ENABLE_FLOW_TAG,
		DESTINATIONS = PRM_SET_FTE_MODIFY_ENABLE_DESTINATION_LIST,
		COUNTERS = PRM_SET_FTE_MODIFY_ENABLE_FLOW_COUNTERS,
	};
	struct core_rig *r = &self->r;
	struct prm_query_fte_in in = {0};
	struct { struct prm_query_fte_out head; struct prm_dest_format_struct list[2]; } out;
	const struct prm_flow_context *ctx = prm_sub(&out.head, flow_context);
	struct prm_set_fte_in other = self->fte.head;

	EXPECT_EQ(PRM_STATUS_BAD_RES_STATE,
		  modify_fte(r, &self->fte.head, TAG, self->higher, self->counter));
	EXPECT_EQ(PRM_STATUS_OK, set_forward(r, &self->fte.head, TO_TIR, self->tir));
	EXPECT_EQ(1, count_refs(r, EMU_TIR, self->tir));
	EXPECT_EQ(PRM_STATUS_BAD_PARAM,
		  modify_fte(r, &self->fte.head, COUNTERS, self->higher, self->counter));
	EXPECT_EQ(EMU_SYND_ACTION,
		  core_rig_get_syndrome(r)); /* a counter and no action that counts */
	EXPECT_EQ(PRM_STATUS_BAD_PARAM,
		  modify_fte(r, &self->fte.head, 16, self->higher, self->counter));
	EXPECT_EQ(EMU_SYND_BITMASK, core_rig_get_syndrome(r));
	prm_set(prm_sub(prm_sub(prm_sub(&other, flow_context), match_value), outer_headers),
		ethertype, 0x86dd);
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, modify_fte(r, &other, TAG, self->higher, self->counter));
	EXPECT_EQ(EMU_SYND_VALUE, core_rig_get_syndrome(r));
	EXPECT_EQ(PRM_STATUS_OK, modify_fte(r, &self->fte.head, TAG, self->higher, self->counter));
	EXPECT_EQ(1, count_refs(r, EMU_TIR, self->tir));
	EXPECT_EQ(PRM_STATUS_OK, modify_fte(r, &self->fte.head, ACTION | DESTINATIONS | COUNTERS,
					    self->higher, self->counter));
	EXPECT_EQ(0, count_refs(r, EMU_TIR, self->tir));
	EXPECT_EQ(1, count_refs(r, EMU_FLOW_TABLE, self->higher));
	EXPECT_EQ(1, count_refs(r, EMU_FLOW_COUNTER, self->counter));

	prm_set(&in, table_id, self->table);
	prm_set(&in, flow_index, FIRST);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_exec(r, PRM_OP_query_fte, &in, sizeof(in), &out, sizeof(out)));
	EXPECT_EQ(0x77, prm_get(ctx, flow_tag));
	EXPECT_EQ(FORWARD | COUNT, prm_get(ctx, action));
	EXPECT_EQ(self->higher, prm_get(&out.list[0], destination_id));
	EXPECT_EQ(self->counter, prm_be32_get(out.list[1].dw[0]));
	EXPECT_EQ(PRM_STATUS_BAD_OUTP_LEN,
		  core_rig_exec(r, PRM_OP_query_fte, &in, sizeof(in), &out, sizeof(out) - 1));
}

TEST_F(flow, a_users_table_leads_to_a_users_objects_only)
{
	struct prm_create_flow_table_in in = {0};
	struct prm_create_flow_table_out out;
	struct prm_set_fte_in fte = self->fte.head;

	prm_set(&in, uid, self->r.uid);
	CORE_RIG_OK(&self->r, create_flow_table, &in, &out);
	/* the kernel's table and counter are not the user's to use */
	prm_set(&fte, uid, self->r.uid);
	EXPECT_EQ(PRM_STATUS_BAD_RES, set_forward(&self->r, &fte, TO_TIR, self->tir));
}

/* ---- counters -------------------------------------------------------------------------- */

TEST_F(flow, a_counter_is_read_and_cleared)
{
	struct emu_flow_counter *counter =
		emu_obj_at(&self->r.emu->table[EMU_FLOW_COUNTER], self->counter);
	struct prm_query_flow_counter_in in = {0};
	struct { struct prm_query_flow_counter_out head; struct prm_traffic_counter c; } out;
	const struct core_rig_refusal bulk = { "bulk", "num_of_counters", 2, BAD, EMU_SYND_SIZE };

	counter->packets = 3;
	counter->bytes = 5ull << 32;
	prm_set(&in, flow_counter_id, self->counter);
	prm_set(&in, clear, 1);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(&self->r, PRM_OP_query_flow_counter, &in, sizeof(in),
					       &out, sizeof(out)));
	EXPECT_EQ(3, prm_get(&out.c, packets));
	EXPECT_EQ(5ull << 32, prm_get(&out.c, octets));
	EXPECT_EQ(0, counter->packets);
	EXPECT_EQ(PRM_STATUS_BAD_OUTP_LEN, core_rig_exec(&self->r, PRM_OP_query_flow_counter, &in,
							 sizeof(in), &out, sizeof(out.head)));
	core_rig_expect_refusal(&self->r, &bulk, PRM_OP_query_flow_counter, &in, sizeof(in));
}
