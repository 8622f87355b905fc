/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/steering/command.h"

#include <string.h>

#include "emu/uverbs/base/exec.h"

int uv_cmd_table_create(struct uv_dev *dev, uint8_t level, uint8_t log_size, const uint32_t *miss,
			uint32_t *id)
{
	struct prm_create_flow_table_in in = { 0 };
	struct prm_create_flow_table_out out = { 0 };
	struct prm_flow_table_context *ctx = prm_sub(&in, flow_table_context);
	int rc;

	prm_set(&in, opcode, PRM_OP_create_flow_table);
	prm_set(ctx, level, level);
	prm_set(ctx, log_size, log_size);
	prm_set(ctx, table_miss_action,
		miss ? PRM_FLOW_TABLE_MISS_ACTION_FWD : PRM_FLOW_TABLE_MISS_ACTION_DEF);
	prm_set(ctx, table_miss_id, miss ? *miss : 0);
	rc = UV_EXEC(dev, in, out);
	*id = (uint32_t)prm_get(&out, table_id);
	return rc;
}

int uv_cmd_table_destroy(struct uv_dev *dev, uint32_t id)
{
	struct prm_destroy_flow_table_in in = { 0 };
	struct prm_destroy_flow_table_out out = { 0 };

	prm_set(&in, opcode, PRM_OP_destroy_flow_table);
	prm_set(&in, table_id, id);
	return UV_EXEC(dev, in, out);
}

int uv_cmd_table_set_miss(struct uv_dev *dev, uint32_t id, uint32_t miss)
{
	struct prm_modify_flow_table_in in = { 0 };
	struct prm_modify_flow_table_out out = { 0 };
	struct prm_flow_table_context *ctx = prm_sub(&in, flow_table_context);

	prm_set(&in, opcode, PRM_OP_modify_flow_table);
	prm_set(&in, table_id, id);
	prm_set(&in, modify_field_select, PRM_MODIFY_FLOW_TABLE_MISS_TABLE_ID);
	prm_set(ctx, table_miss_action, PRM_FLOW_TABLE_MISS_ACTION_FWD);
	prm_set(ctx, table_miss_id, miss);
	return UV_EXEC(dev, in, out);
}

int uv_cmd_root_set(struct uv_dev *dev, uint32_t id)
{
	struct prm_set_flow_table_root_in in = { 0 };
	struct prm_set_flow_table_root_out out = { 0 };

	prm_set(&in, opcode, PRM_OP_set_flow_table_root);
	prm_set(&in, op_mod, PRM_SET_FLOW_TABLE_ROOT_OP_MOD_CONNECT);
	prm_set(&in, table_id, id);
	return UV_EXEC(dev, in, out);
}

int uv_cmd_group_create(struct uv_dev *dev, uint32_t table, uint32_t first, uint32_t last,
			uint8_t criteria_enable, const struct prm_fte_match_param *mask,
			uint32_t *id)
{
	struct prm_create_flow_group_in in = { 0 };
	struct prm_create_flow_group_out out = { 0 };
	int rc;

	prm_set(&in, opcode, PRM_OP_create_flow_group);
	prm_set(&in, table_id, table);
	prm_set(&in, start_flow_index, first);
	prm_set(&in, end_flow_index, last);
	prm_set(&in, match_criteria_enable, criteria_enable);
	memcpy(prm_sub(&in, match_criteria), mask, sizeof(*mask));
	rc = UV_EXEC(dev, in, out);
	*id = (uint32_t)prm_get(&out, group_id);
	return rc;
}

int uv_cmd_group_destroy(struct uv_dev *dev, uint32_t table, uint32_t id)
{
	struct prm_destroy_flow_group_in in = { 0 };
	struct prm_destroy_flow_group_out out = { 0 };

	prm_set(&in, opcode, PRM_OP_destroy_flow_group);
	prm_set(&in, table_id, table);
	prm_set(&in, group_id, id);
	return UV_EXEC(dev, in, out);
}

int uv_cmd_fte_set(struct uv_dev *dev, const struct uv_fte_cmd *fte)
{
	const unsigned n_counters = fte->action & PRM_FLOW_CONTEXT_ACTION_COUNT ? 1 : 0;
	struct {
		struct prm_set_fte_in in;
		/* destinations, then counters; 8 bytes each while extended_destination is 0 */
		union {
			struct prm_dest_format_struct dest;
			struct prm_flow_counter_list counter;
		} list[UV_FS_MAX_DESTS + 1];
	} cmd = { 0 };
	struct prm_set_fte_out out = { 0 };
	struct prm_flow_context *ctx = prm_sub(&cmd.in, flow_context);
	unsigned n = 0;

	prm_set(&cmd.in, opcode, PRM_OP_set_fte);
	prm_set(&cmd.in, op_mod, fte->modify ? PRM_SET_FTE_OP_MOD_MODIFY : PRM_SET_FTE_OP_MOD_SET);
	if (fte->modify)
		prm_set(&cmd.in, modify_enable_mask,
			PRM_SET_FTE_MODIFY_ENABLE_ACTION |
				PRM_SET_FTE_MODIFY_ENABLE_DESTINATION_LIST |
				(n_counters ? PRM_SET_FTE_MODIFY_ENABLE_FLOW_COUNTERS : 0));
	prm_set(&cmd.in, table_id, fte->table);
	prm_set(&cmd.in, flow_index, fte->index);
	prm_set(ctx, group_id, fte->group);
	prm_set(ctx, flow_tag, fte->tag);
	prm_set(ctx, action, fte->action);
	memcpy(prm_sub(ctx, match_value), fte->value, sizeof(*fte->value));
	prm_set(ctx, destination_list_size, fte->n_dests);
	prm_set(ctx, flow_counter_list_size, n_counters);
	for (; n < fte->n_dests; n++) {
		prm_set(&cmd.list[n].dest, destination_type, fte->dest[n].type);
		prm_set(&cmd.list[n].dest, destination_id, fte->dest[n].id);
	}
	if (n_counters)
		prm_set(&cmd.list[n].counter, flow_counter_id, fte->counter);
	return uv_exec_kernel(dev, &cmd, sizeof(cmd.in) + (n + n_counters) * sizeof(cmd.list[0]),
			      &out, sizeof(out));
}

int uv_cmd_fte_delete(struct uv_dev *dev, uint32_t table, uint32_t index)
{
	struct prm_delete_fte_in in = { 0 };
	struct prm_delete_fte_out out = { 0 };

	prm_set(&in, opcode, PRM_OP_delete_fte);
	prm_set(&in, table_id, table);
	prm_set(&in, flow_index, index);
	return UV_EXEC(dev, in, out);
}
