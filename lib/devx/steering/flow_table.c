/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx/cmd.h"
#include "devx/core/fail.h"
#include "devx/flow_table.h"
#include "devx/steering/flow_match.h"

int devx_flow_table_create(struct devx_flow_table *table, struct devx_dev *dev, uint8_t log2_n)
{
	struct prm_create_flow_table_in in = { 0 };
	struct prm_create_flow_table_out out = { 0 };
	struct prm_flow_table_context *ctx = prm_sub(&in, flow_table_context);
	const struct devx_caps *caps = &dev->caps;
	int rc = devx_match_validate(dev, &(struct devx_match){ 0 });

	if (rc)
		return rc;
	if (log2_n > caps->log_max_ft_size)
		return devx_fail(dev, -EINVAL,
				 "flow table: log2_n %u is too large (valid: 0 to %u, capability "
				 "log_max_ft_size)",
				 log2_n, caps->log_max_ft_size);
	if (!caps->max_ft_level)
		return devx_fail(dev, -ENOTSUP,
				 "flow table: unsupported (capability max_ft_level is 0)");
	prm_set(&in, opcode, PRM_OP_create_flow_table);
	prm_set(&in, table_type, PRM_FLOW_TABLE_TYPE_NIC_RX);
	prm_set(ctx, level, caps->max_ft_level - 1);
	prm_set(ctx, log_size, log2_n);
	rc = devx_cmd_create(dev, &in, sizeof(in), &out, sizeof(out), &table->obj);
	if (rc)
		return rc;
	table->dev = dev;
	table->table_id = (uint32_t)prm_get(&out, table_id);
	return 0;
}

int devx_flow_group_create(struct devx_flow_group *group, const struct devx_flow_table *table,
			   const struct devx_match *like, uint32_t first, uint32_t n)
{
	struct prm_create_flow_group_in in = { 0 };
	struct prm_create_flow_group_out out = { 0 };
	struct prm_fte_match_param value = { 0 };
	struct devx_dev *dev = table->dev;
	int rc = devx_match_validate(dev, like);

	if (rc)
		return rc;
	if (!n)
		return devx_fail(dev, -EINVAL, "flow group: 0 entries are invalid (valid: from 1)");
	prm_set(&in, opcode, PRM_OP_create_flow_group);
	prm_set(&in, table_type, PRM_FLOW_TABLE_TYPE_NIC_RX);
	prm_set(&in, table_id, table->table_id);
	prm_set(&in, start_flow_index, first);
	prm_set(&in, end_flow_index, first + n - 1);
	devx_match_fill(prm_sub(&in, match_criteria), &value, like);
	prm_set(&in, match_criteria_enable, devx_match_get_criteria(prm_sub(&in, match_criteria)));
	rc = devx_cmd_create(dev, &in, sizeof(in), &out, sizeof(out), &group->obj);
	if (rc)
		return rc;
	group->table = table;
	group->group_id = (uint32_t)prm_get(&out, group_id);
	return 0;
}

int devx_flow_entry_create(struct devx_flow_entry *entry, const struct devx_flow_group *group,
			   uint32_t index, const struct devx_match *match,
			   const struct devx_tir *tir)
{
	struct {
		struct prm_set_fte_in in;
		struct prm_dest_format_struct to;
	} cmd = { 0 };
	struct prm_set_fte_out out = { 0 };
	struct prm_flow_context *ctx = prm_sub(&cmd.in, flow_context);
	struct prm_fte_match_param mask = { 0 };
	struct devx_dev *dev = group->table->dev;
	int rc = devx_match_validate(dev, match);

	if (rc)
		return rc;
	if (!tir || !tir->obj)
		return devx_fail(dev, -EINVAL,
				 "flow entry: no TIR; pass one that devx_tir_create() made");
	prm_set(&cmd.in, opcode, PRM_OP_set_fte);
	prm_set(&cmd.in, op_mod, PRM_SET_FTE_OP_MOD_SET);
	prm_set(&cmd.in, table_type, PRM_FLOW_TABLE_TYPE_NIC_RX);
	prm_set(&cmd.in, table_id, group->table->table_id);
	prm_set(&cmd.in, flow_index, index);
	prm_set(ctx, group_id, group->group_id);
	prm_set(ctx, action, PRM_FLOW_CONTEXT_ACTION_FWD_DEST);
	prm_set(ctx, destination_list_size, 1);
	devx_match_fill(&mask, prm_sub(ctx, match_value), match);
	prm_set(&cmd.to, destination_type, PRM_FLOW_DESTINATION_TYPE_TIR);
	prm_set(&cmd.to, destination_id, tir->tirn);
	rc = devx_cmd_create(dev, &cmd, sizeof(cmd), &out, sizeof(out), &entry->obj);
	if (!rc)
		entry->dev = dev;
	return rc;
}

void devx_flow_entry_destroy(struct devx_flow_entry *entry)
{
	devx_cmd_destroy(entry->dev, entry->obj);
	*entry = (struct devx_flow_entry){ 0 };
}

void devx_flow_group_destroy(struct devx_flow_group *group)
{
	if (group->obj)
		devx_cmd_destroy(group->table->dev, group->obj);
	*group = (struct devx_flow_group){ 0 };
}

void devx_flow_table_destroy(struct devx_flow_table *table)
{
	devx_cmd_destroy(table->dev, table->obj);
	*table = (struct devx_flow_table){ 0 };
}
