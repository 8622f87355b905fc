/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Assumptions about flow tables. The tables are the user's own; only check_flow_table_level
 * connects one, with a rule for experimental frames to the own MAC address.
 */
#include <infiniband/mlx5dv.h>
#include <string.h>

#include "checks.h"
#include "devx/cmd.h"
#include "devx/flow_table.h"
#include "frames.h"

enum { LOG2_ENTRIES = 2, N_FIRST = 2, N_SECOND = 2 };

static const struct devx_match like = { .ethertype = ETHERTYPE_EXPERIMENT };

/* A table with two groups, and an entry at index 0 of the first group. */
struct tables {
	struct rig rig;
	struct devx_flow_table table;
	struct devx_flow_group first, second;
	struct devx_flow_entry entry, other;
};

static bool prepare_tables(struct tables *t, struct adapter *at, struct finding *f)
{
	int rc;

	if (!rig_prepare_send(&t->rig, at, f) || !rig_prepare_receive(&t->rig, f))
		return false;
	rc = devx_flow_table_create(&t->table, t->rig.dev, LOG2_ENTRIES);
	rc = rc ? rc : devx_flow_group_create(&t->first, &t->table, &like, 0, N_FIRST);
	rc = rc ? rc : devx_flow_group_create(&t->second, &t->table, &like, N_FIRST, N_SECOND);
	rc = rc ? rc : devx_flow_entry_create(&t->entry, &t->first, 0, &like, &t->rig.tir);
	return could_prepare(f, t->rig.dev, rc);
}

static void destroy_tables(struct tables *t)
{
	devx_flow_entry_destroy(&t->other);
	devx_flow_entry_destroy(&t->entry);
	devx_flow_group_destroy(&t->second);
	devx_flow_group_destroy(&t->first);
	devx_flow_table_destroy(&t->table);
	rig_destroy(&t->rig);
}

void check_used_entry_is_bad_res_state(struct adapter *at, struct finding *f)
{
	struct tables t = { 0 };

	if (prepare_tables(&t, at, f))
		judge_refused(f, t.rig.dev,
			      devx_flow_entry_create(&t.other, &t.first, 0, &like, &t.rig.tir),
			      PRM_STATUS_BAD_RES_STATE);
	destroy_tables(&t);
}

void check_entry_names_its_own_group(struct adapter *at, struct finding *f)
{
	struct tables t = { 0 };

	if (prepare_tables(&t, at, f))
		judge_refused(f, t.rig.dev,
			      devx_flow_entry_create(&t.other, &t.second, 1, &like, &t.rig.tir),
			      ANY_STATUS);
	destroy_tables(&t);
}

/* Fills a command that changes the flow tag of the entry, and repeats all else. */
struct modify_command {
	struct prm_set_fte_in in;
	struct prm_dest_format_struct to;
};

static void fill_modify(const struct tables *t, struct modify_command *cmd, uint32_t tag)
{
	struct prm_flow_context *ctx = prm_sub(&cmd->in, flow_context);

	prm_set(&cmd->in, opcode, PRM_OP_set_fte);
	prm_set(&cmd->in, op_mod, PRM_SET_FTE_OP_MOD_MODIFY);
	prm_set(&cmd->in, table_id, t->table.table_id);
	prm_set(&cmd->in, modify_enable_mask, PRM_SET_FTE_MODIFY_ENABLE_FLOW_TAG);
	prm_set(ctx, group_id, t->first.group_id);
	prm_set(ctx, flow_tag, tag);
	prm_set(ctx, action, PRM_FLOW_CONTEXT_ACTION_FWD_DEST);
	prm_set(ctx, destination_list_size, 1);
	prm_set(prm_sub(prm_sub(ctx, match_value), outer_headers), ethertype, like.ethertype);
	prm_set(&cmd->to, destination_type, PRM_FLOW_DESTINATION_TYPE_TIR);
	prm_set(&cmd->to, destination_id, t->rig.tir.tirn);
}

void check_set_fte_op_mod_1_modifies(struct adapter *at, struct finding *f)
{
	enum { TAG = 0x1234 };
	struct modify_command cmd = { 0 };
	struct prm_set_fte_out out = { 0 };
	struct prm_query_fte_in query = { 0 };
	struct {
		struct prm_query_fte_out out;
		struct prm_dest_format_struct to;
	} found = { 0 };
	struct tables t = { 0 };
	int rc;

	if (prepare_tables(&t, at, f)) {
		fill_modify(&t, &cmd, TAG);
		rc = devx_cmd_modify(t.rig.dev, t.entry.obj, &cmd, sizeof(cmd), &out, sizeof(out));
		if (rc)
			judge_accepted(f, t.rig.dev, rc);
		prm_set(&query, opcode, PRM_OP_query_fte);
		prm_set(&query, table_id, t.table.table_id);
		if (!rc && could_prepare(f, t.rig.dev,
					 devx_cmd_query(t.rig.dev, t.entry.obj, &query,
							sizeof(query), &found, sizeof(found))))
			judge_fact(f, prm_get(prm_sub(&found.out, flow_context), flow_tag) == TAG,
				   "the old flow tag", "the new one");
	}
	destroy_tables(&t);
}

void check_flow_table_level(struct adapter *at, struct finding *f)
{
	struct devx_match match = { .ethertype = ETHERTYPE_EXPERIMENT };
	struct devx_flow_rule rule = { 0 };
	struct tables t = { 0 };

	memset(match.dmac_mask, 0xff, sizeof(match.dmac_mask));
	memcpy(match.dmac, at->port.mac, sizeof(match.dmac));
	if (prepare_tables(&t, at, f))
		judge_accepted(f, t.rig.dev,
			       devx_flow_create_to_table(&rule, t.rig.dev, &match, 0, &t.table));
	devx_flow_destroy(&rule);
	destroy_tables(&t);
}
