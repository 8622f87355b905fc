/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "core_rig_refuse.h"
#include "emu/firmware/refuse.h"
#include "flow_commands.h"

#define BAD PRM_STATUS_BAD_PARAM

FIXTURE(fte)
{
	struct core_rig r;
	struct flow_commands good;
};

FIXTURE_SETUP(fte)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
	flow_commands_fill(&self->r, &self->good);
}

FIXTURE_TEARDOWN(fte)
{
	core_rig_close(&self->r);
}

static const struct core_rig_refusal bad_ftes[] = {
	{ "op_mod", "op_mod", 2, BAD, EMU_SYND_OP_MOD },
	{ "outside_every_group", "flow_index", FIRST - 1, BAD, EMU_SYND_FLOW_INDEX },
	{ "in_another_group", "flow_context.group_id", 99, BAD, EMU_SYND_FLOW_INDEX,
	  "group_id: 99 is invalid (valid: 1, the group of flow_index)" },
	{ "nothing_to_do", "flow_context.action", 0, BAD, EMU_SYND_ACTION },
	{ "forward_and_drop", "flow_context.action", FORWARD | DROP, BAD, EMU_SYND_ACTION },
	{ "drop_with_destinations", "flow_context.action", DROP, BAD, EMU_SYND_ACTION,
	  "destination_list_size: 1 is invalid with action 0x2 (" },
	{ "count_without_counter", "flow_context.action", FORWARD | COUNT, BAD, EMU_SYND_ACTION,
	  "flow_counter_list_size: 0 is invalid with action 0xc (" },
	{ "modify_header", "flow_context.action", FORWARD | 0x40, BAD, EMU_SYND_UNMODELLED },
	{ "announces_two", "flow_context.destination_list_size", 2, PRM_STATUS_BAD_INP_LEN,
	  EMU_SYND_LENGTH },
	{ "announces_none", "flow_context.destination_list_size", 0, PRM_STATUS_BAD_INP_LEN,
	  EMU_SYND_LENGTH },
	{ "value_outside_the_mask", "flow_context.match_value.outer_headers.dmac_47_16", 1, BAD,
	  EMU_SYND_VALUE },
};

TEST_F(fte, a_bad_entry_is_refused)
{
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_ftes, PRM_OP_set_fte, self->good.fte);
	EXPECT_EQ(
		0,
		((struct emu_obj *)emu_obj_at(&self->r.emu->table[EMU_TIR], self->good.tir))->refs);
}

/* Without destinations, an entry allows or drops, and does not do both. */
TEST_F(fte, an_entry_that_allows_and_drops_is_refused)
{
	const struct core_rig_refusal bad = { "allow_and_drop", "flow_context.action", ALLOW | DROP,
					      BAD, EMU_SYND_ACTION };
	struct prm_set_fte_in in = self->good.fte.head;

	prm_set(prm_sub(&in, flow_context), destination_list_size, 0);
	core_rig_expect_refusal(&self->r, &bad, PRM_OP_set_fte, &in, sizeof(in));
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

TEST_F(fte, destinations_are_tirs_and_higher_tables)
{
	EXPECT_EQ(PRM_STATUS_BAD_RES, set_forward(&self->r, &self->good.fte.head, TO_TIR, 1));
	EXPECT_EQ(PRM_STATUS_BAD_RES, set_forward(&self->r, &self->good.fte.head, TO_TABLE, 1));
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, set_forward(&self->r, &self->good.fte.head, 0, 0));
	EXPECT_EQ(EMU_SYND_TYPE, core_rig_get_syndrome(&self->r));
	EXPECT_EQ(PRM_STATUS_BAD_PARAM,
		  set_forward(&self->r, &self->good.fte.head, TO_TABLE, self->good.lower));
	EXPECT_EQ(EMU_SYND_LEVEL, core_rig_get_syndrome(&self->r));
	EXPECT_EQ(PRM_STATUS_OK,
		  set_forward(&self->r, &self->good.fte.head, TO_TABLE, self->good.higher));
	EXPECT_EQ(PRM_STATUS_BAD_RES_STATE,
		  set_forward(&self->r, &self->good.fte.head, TO_TABLE, self->good.higher));
	EXPECT_EQ(EMU_SYND_FLOW_INDEX, core_rig_get_syndrome(&self->r));
}

static uint32_t count_refs(const struct core_rig *r, enum emu_type type, uint32_t id)
{
	return ((struct emu_obj *)emu_obj_at(&r->emu->table[type], id))->refs;
}

/* Sends SET_FTE for an existing entry; @select says which of its new values apply. */
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

TEST_F(fte, an_entry_is_modified_in_what_the_mask_selects)
{
	enum {
		ACTION = PRM_SET_FTE_MODIFY_ENABLE_ACTION,
		TAG = PRM_SET_FTE_MODIFY_ENABLE_FLOW_TAG,
		DESTINATIONS = PRM_SET_FTE_MODIFY_ENABLE_DESTINATION_LIST,
		COUNTERS = PRM_SET_FTE_MODIFY_ENABLE_FLOW_COUNTERS,
	};
	struct core_rig *r = &self->r;
	struct prm_query_fte_in in = { 0 };
	struct {
		struct prm_query_fte_out head;
		struct prm_dest_format_struct list[2];
	} out;
	const struct prm_flow_context *ctx = prm_sub(&out.head, flow_context);
	struct prm_set_fte_in other = self->good.fte.head;

	EXPECT_EQ(PRM_STATUS_BAD_RES_STATE,
		  modify_fte(r, &self->good.fte.head, TAG, self->good.higher, self->good.counter));
	EXPECT_EQ(PRM_STATUS_OK, set_forward(r, &self->good.fte.head, TO_TIR, self->good.tir));
	EXPECT_EQ(1, count_refs(r, EMU_TIR, self->good.tir));
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, modify_fte(r, &self->good.fte.head, COUNTERS,
						   self->good.higher, self->good.counter));
	EXPECT_EQ(EMU_SYND_ACTION, core_rig_get_syndrome(r)); /* a counter without action "count" */
	EXPECT_EQ(PRM_STATUS_BAD_PARAM,
		  modify_fte(r, &self->good.fte.head, 16, self->good.higher, self->good.counter));
	EXPECT_EQ(EMU_SYND_BITMASK, core_rig_get_syndrome(r));
	prm_set(prm_sub(prm_sub(prm_sub(&other, flow_context), match_value), outer_headers),
		ethertype, 0x86dd);
	EXPECT_EQ(PRM_STATUS_BAD_PARAM,
		  modify_fte(r, &other, TAG, self->good.higher, self->good.counter));
	EXPECT_EQ(EMU_SYND_VALUE, core_rig_get_syndrome(r));
	EXPECT_EQ(PRM_STATUS_OK,
		  modify_fte(r, &self->good.fte.head, TAG, self->good.higher, self->good.counter));
	EXPECT_EQ(1, count_refs(r, EMU_TIR, self->good.tir));
	EXPECT_EQ(PRM_STATUS_OK,
		  modify_fte(r, &self->good.fte.head, ACTION | DESTINATIONS | COUNTERS,
			     self->good.higher, self->good.counter));
	EXPECT_EQ(0, count_refs(r, EMU_TIR, self->good.tir));
	EXPECT_EQ(1, count_refs(r, EMU_FLOW_TABLE, self->good.higher));
	EXPECT_EQ(1, count_refs(r, EMU_FLOW_COUNTER, self->good.counter));

	prm_set(&in, table_id, self->good.table);
	prm_set(&in, flow_index, FIRST);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_exec(r, PRM_OP_query_fte, &in, sizeof(in), &out, sizeof(out)));
	EXPECT_EQ(0x77, prm_get(ctx, flow_tag));
	EXPECT_EQ(FORWARD | COUNT, prm_get(ctx, action));
	EXPECT_EQ(TO_TABLE, prm_get(&out.list[0], destination_type));
	EXPECT_EQ(self->good.higher, prm_get(&out.list[0], destination_id));
	EXPECT_EQ(self->good.counter, prm_be32_get(out.list[1].dw[0]));
	memset(&out, 0xee, sizeof(out));
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_exec(r, PRM_OP_query_fte, &in, sizeof(in), &out, sizeof(out) - 8));
	EXPECT_EQ(1, prm_get(ctx, flow_counter_list_size));
	EXPECT_EQ(self->good.higher, prm_get(&out.list[0], destination_id));
	EXPECT_EQ(0xeeeeeeee, out.list[1].dw[0].raw);
	memset(&out, 0xee, sizeof(out));
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_exec(r, PRM_OP_query_fte, &in, sizeof(in), &out, sizeof(out.head)));
	EXPECT_EQ(0xeeeeeeee, out.list[0].dw[0].raw);
}

TEST_F(fte, user_cannot_set_an_entry_in_a_table_of_the_kernel)
{
	struct prm_create_flow_table_in in = { 0 };
	struct prm_create_flow_table_out out;
	struct prm_set_fte_in fte = self->good.fte.head;

	prm_set(&in, uid, self->r.uid);
	CORE_RIG_OK(&self->r, create_flow_table, &in, &out);
	prm_set(&fte, uid, self->r.uid);
	EXPECT_EQ(PRM_STATUS_BAD_RES, set_forward(&self->r, &fte, TO_TIR, self->good.tir));
}
