/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_refuse.h"
#include "core_rig_steer.h"
#include "emu/firmware/refuse.h"
#include "flow_commands.h"

#define BAD PRM_STATUS_BAD_PARAM
#define GONE PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT

FIXTURE(flow_table)
{
	struct core_rig r;
	struct flow_commands good;
};

FIXTURE_SETUP(flow_table)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
	flow_commands_fill(&self->r, &self->good);
}

FIXTURE_TEARDOWN(flow_table)
{
	core_rig_close(&self->r);
}

static const struct core_rig_refusal bad_tables[] = {
	{ "of_transmit", "table_type", 1, BAD, EMU_SYND_TYPE },
	{ "too_high", "flow_table_context.level", 200, BAD, EMU_SYND_SIZE,
	  "level: 200 is invalid (valid: 0 to " },
	{ "too_large", "flow_table_context.log_size", 17, BAD, EMU_SYND_SIZE,
	  "log_size: 17 is invalid (valid: 0 to 16)" },
	{ "miss_action", "flow_table_context.table_miss_action", 2, BAD, EMU_SYND_TYPE },
	{ "miss_to_nothing", "flow_table_context.table_miss_action", 1, GONE },
};

TEST_F(flow_table, a_bad_table_is_refused)
{
	const struct prm_create_flow_table_in good = { 0 };

	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_tables, PRM_OP_create_flow_table, good);
}

TEST_F(flow_table, modify_redirects_a_miss_to_higher_levels_only)
{
	struct prm_modify_flow_table_in in = { 0 };
	struct prm_modify_flow_table_out out;
	struct prm_query_flow_table_in ask = { 0 };
	struct prm_query_flow_table_out told;
	const struct core_rig_refusal bad[] = {
		{ "down", "flow_table_context.table_miss_id", self->good.lower, BAD,
		  EMU_SYND_LEVEL },
		{ "unknown_field", "modify_field_select", 1 << 15, BAD, EMU_SYND_BITMASK },
	};

	prm_set(&in, table_id, self->good.table);
	prm_set(&in, modify_field_select, PRM_MODIFY_FLOW_TABLE_MISS_TABLE_ID);
	prm_set(prm_sub(&in, flow_table_context), table_miss_action,
		PRM_FLOW_TABLE_MISS_ACTION_FWD);
	prm_set(prm_sub(&in, flow_table_context), table_miss_id, self->good.higher);
	CORE_RIG_OK(&self->r, modify_flow_table, &in, &out);
	prm_set(&ask, table_id, self->good.table);
	CORE_RIG_OK(&self->r, query_flow_table, &ask, &told);
	EXPECT_EQ(self->good.higher, prm_get(prm_sub(&told, flow_table_context), table_miss_id));
	EXPECT_EQ(PRM_FLOW_TABLE_MISS_ACTION_FWD,
		  prm_get(prm_sub(&told, flow_table_context), table_miss_action));
	EXPECT_EQ(LEVEL, prm_get(prm_sub(&told, flow_table_context), level));
	EXPECT_EQ(LOG_SIZE, prm_get(prm_sub(&told, flow_table_context), log_size));
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad, PRM_OP_modify_flow_table, in);
}

TEST_F(flow_table, the_root_is_set_and_taken_away)
{
	struct prm_set_flow_table_root_in in = { 0 };
	struct prm_set_flow_table_root_out out;
	const struct core_rig_refusal bad = { "op_mod", "op_mod", 2, BAD, EMU_SYND_OP_MOD };

	core_rig_set_root(&self->r, self->good.table);
	EXPECT_NE(NULL, self->r.emu->rx_root);
	prm_set(&in, op_mod, 1);
	CORE_RIG_OK(&self->r, set_flow_table_root, &in, &out);
	EXPECT_EQ(NULL, self->r.emu->rx_root);
	core_rig_expect_refusal(&self->r, &bad, PRM_OP_set_flow_table_root, &in, sizeof(in));
}

TEST_F(flow_table, each_command_refuses_the_type_of_another_table)
{
	const struct core_rig_refusal bad = { "of_transmit", "table_type", 1, BAD, EMU_SYND_TYPE };
	struct prm_modify_flow_table_in modify = { 0 };
	struct prm_query_flow_table_in query = { 0 };
	struct prm_set_flow_table_root_in root = { 0 };
	struct prm_destroy_flow_table_in destroy = { 0 };

	prm_set(&modify, table_id, self->good.higher);
	core_rig_expect_refusal(&self->r, &bad, PRM_OP_modify_flow_table, &modify, sizeof(modify));
	prm_set(&query, table_id, self->good.higher);
	core_rig_expect_refusal(&self->r, &bad, PRM_OP_query_flow_table, &query, sizeof(query));
	prm_set(&root, table_id, self->good.higher);
	core_rig_expect_refusal(&self->r, &bad, PRM_OP_set_flow_table_root, &root, sizeof(root));
	prm_set(&destroy, table_id, self->good.higher);
	core_rig_expect_refusal(&self->r, &bad, PRM_OP_destroy_flow_table, &destroy,
				sizeof(destroy));
}

TEST_F(flow_table, destroy_of_an_unknown_table_returns_the_syndrome_of_real_firmware)
{
	struct prm_destroy_flow_table_in in = { 0 };
	const struct core_rig_refusal bad = { "no_table", "table_id", 1, PRM_STATUS_BAD_RES,
					      EMU_SYND_FLOW_TABLE_ID };

	core_rig_expect_refusal(&self->r, &bad, PRM_OP_destroy_flow_table, &in, sizeof(in));
}
