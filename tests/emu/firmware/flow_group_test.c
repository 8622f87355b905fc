/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_refuse.h"
#include "core_rig_steer.h"
#include "emu/base/dev.h"
#include "emu/firmware/refuse.h"
#include "flow_commands.h"

#define BAD PRM_STATUS_BAD_PARAM
#define GONE PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT

FIXTURE(flow_group)
{
	struct core_rig r;
	struct flow_commands good;
};

FIXTURE_SETUP(flow_group)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
	flow_commands_fill(&self->r, &self->good);
}

FIXTURE_TEARDOWN(flow_group)
{
	core_rig_close(&self->r);
}

static const struct core_rig_refusal bad_groups[] = {
	{ "backwards", "end_flow_index", LAST, BAD, EMU_SYND_FLOW_INDEX,
	  "range 8 to 7 is invalid (valid: ascending, below 16," },
	{ "past_the_table", "end_flow_index", 1 << LOG_SIZE, BAD, EMU_SYND_FLOW_INDEX },
	{ "overlaps_at_its_start", "start_flow_index", LAST, BAD, EMU_SYND_FLOW_INDEX },
	{ "covers_another", "start_flow_index", 0, BAD, EMU_SYND_FLOW_INDEX },
	{ "mask_without_criteria", "match_criteria_enable", 0, BAD, EMU_SYND_CRITERIA },
	{ "mask_of_another_part", "match_criteria_enable", 2, BAD, EMU_SYND_CRITERIA,
	  "match_criteria_enable: 0x2 lacks bit 0, but match_criteria has bits in part 0" },
	{ "unknown_part", "match_criteria_enable", 0x81, BAD, EMU_SYND_CRITERIA,
	  "0x81 has unsupported bits (valid: bits of 0x7f)" },
	{ "no_table", "table_id", 1, GONE },
};

TEST_F(flow_group, a_bad_group_is_refused)
{
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_groups, PRM_OP_create_flow_group,
				 self->good.group_in);
}

TEST_F(flow_group, create_names_a_field_that_steering_cannot_extract)
{
	const struct core_rig_refusal bad = { "vni", "match_criteria.misc_parameters.geneve_vni", 1,
					      BAD, EMU_SYND_UNMODELLED };

	prm_set(&self->good.group_in, match_criteria_enable,
		PRM_MATCH_OUTER_HEADERS | PRM_MATCH_MISC_PARAMETERS);
	core_rig_expect_refusal(&self->r, &bad, PRM_OP_create_flow_group, &self->good.group_in,
				sizeof(self->good.group_in));
	EXPECT_SUBSTR("misc_parameters.geneve_vni", self->r.emu->detail);
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

TEST_F(flow_group, a_group_is_queried_as_created)
{
	struct prm_query_flow_group_in in = { 0 };
	struct prm_query_flow_group_out out;

	prm_set(&in, table_id, self->good.table);
	prm_set(&in, group_id, self->good.group);
	CORE_RIG_OK(&self->r, query_flow_group, &in, &out);
	EXPECT_EQ(FIRST, prm_get(&out, start_flow_index));
	EXPECT_EQ(LAST, prm_get(&out, end_flow_index));
	EXPECT_EQ(OUTER, prm_get(&out, match_criteria_enable));
	EXPECT_MEMEQ(&self->good.mask, prm_sub(&out, match_criteria), sizeof(self->good.mask));
	prm_set(&in, group_id, self->good.group + 1);
	EXPECT_EQ(PRM_STATUS_BAD_RES, CORE_RIG_EXEC(&self->r, query_flow_group, &in, &out));
	EXPECT_EQ(EMU_SYND_NO_OBJECT, core_rig_get_syndrome(&self->r));
}

static uint8_t destroy_group(struct core_rig *r, uint32_t table, uint32_t group)
{
	struct prm_destroy_flow_group_in in = { 0 };
	struct prm_destroy_flow_group_out out;

	prm_set(&in, table_id, table);
	prm_set(&in, group_id, group);
	return CORE_RIG_EXEC(r, destroy_flow_group, &in, &out);
}

/* Groups before, between and behind others: any may go first. */
TEST_F(flow_group, groups_are_destroyed_in_any_order)
{
	struct core_rig *r = &self->r;
	const uint32_t first = core_rig_make_group(r, self->good.table, 0, FIRST - 1, NULL);
	const uint32_t last =
		core_rig_make_group(r, self->good.table, LAST + 1, (1 << LOG_SIZE) - 1, NULL);

	EXPECT_EQ(PRM_STATUS_BAD_RES, destroy_group(r, self->good.table, last + 1));
	EXPECT_EQ(EMU_SYND_NO_OBJECT, core_rig_get_syndrome(r));
	EXPECT_EQ(PRM_STATUS_OK, destroy_group(r, self->good.table, self->good.group));
	EXPECT_EQ(PRM_STATUS_BAD_RES, destroy_group(r, self->good.table, self->good.group));
	EXPECT_EQ(PRM_STATUS_OK, destroy_group(r, self->good.table, last));
	EXPECT_EQ(PRM_STATUS_OK, destroy_group(r, self->good.table, first));
	core_rig_make_group(r, self->good.table, 0, (1 << LOG_SIZE) - 1, NULL);
}
