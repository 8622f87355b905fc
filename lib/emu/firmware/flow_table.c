/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "emu/firmware/flow.h"
#include "emu/firmware/cmd.h"
#include "emu/steering/flow.h"

/* Finds the table for frames that match no entry; NULL: emu drops them. */
static uint8_t find_miss(struct emu *emu, uint16_t uid, unsigned level,
			 const struct prm_flow_table_context *ctx, struct emu_flow_table **miss)
{
	const unsigned action = (unsigned)prm_get(ctx, table_miss_action);

	*miss = NULL;
	if (action != PRM_FLOW_TABLE_MISS_ACTION_DEF && action != PRM_FLOW_TABLE_MISS_ACTION_FWD)
		return emu_refuse_value(emu, EMU_SYND_TYPE, "table_miss_action", action,
					"0 = default, 1 = table");
	if (action == PRM_FLOW_TABLE_MISS_ACTION_DEF)
		return PRM_STATUS_OK;
	*miss = emu_use_field(emu, EMU_FLOW_TABLE, ctx, table_miss_id, uid);
	if (!*miss)
		return PRM_STATUS_BAD_RES;
	if ((*miss)->level <= level)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_LEVEL,
				  "table_miss_id: table 0x%x has level %u (valid: levels above %u)",
				  (*miss)->obj.id, (*miss)->level, level);
	return PRM_STATUS_OK;
}

static void drop_flow_table(struct emu *emu, struct emu_obj *obj)
{
	struct emu_flow_table *ft = (struct emu_flow_table *)obj;

	while (ft->groups) {
		struct emu_flow_group *group = ft->groups;

		ft->groups = group->next;
		while (group->ftes)
			emu_fte_free(emu_group_remove(group, &group->ftes));
		emu_group_free(group);
	}
	emu_unref(ft->miss);
	if (emu->rx_root == ft)
		emu->rx_root = NULL;
}

uint8_t emu_fw_create_flow_table(EMU_FW_ARGS(create_flow_table))
{
	const struct prm_flow_table_context *ctx = prm_sub(in, flow_table_context);
	const unsigned level = (unsigned)prm_get(ctx, level);
	const unsigned log_size = (unsigned)prm_get(ctx, log_size);
	struct emu_flow_table *ft, *miss;
	uint8_t status = emu_flow_check_type(emu, (uint32_t)prm_get(in, table_type));

	if (status != PRM_STATUS_OK)
		return status;
	if (level > emu_rx_flow_cap(emu, max_ft_level))
		return emu_refuse_range(emu, EMU_SYND_SIZE, "level", level, 0,
					emu_rx_flow_cap(emu, max_ft_level));
	if (log_size > emu_rx_flow_cap(emu, log_max_ft_size))
		return emu_refuse_range(emu, EMU_SYND_SIZE, "log_size", log_size, 0,
					emu_rx_flow_cap(emu, log_max_ft_size));
	status = find_miss(emu, uid, level, ctx, &miss);
	if (status != PRM_STATUS_OK)
		return status;
	ft = emu_make_object(emu, EMU_FLOW_TABLE, uid, sizeof(*ft), drop_flow_table);
	if (!ft)
		return PRM_STATUS_LIM_ERR;
	ft->type = PRM_FLOW_TABLE_TYPE_NIC_RX;
	ft->level = (uint8_t)level;
	ft->log_size = (uint8_t)log_size;
	ft->miss_action = miss ? PRM_FLOW_TABLE_MISS_ACTION_FWD : PRM_FLOW_TABLE_MISS_ACTION_DEF;
	ft->miss = miss;
	emu_ref(miss);
	prm_set(out, table_id, ft->obj.id);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_query_flow_table(EMU_FW_ARGS(query_flow_table))
{
	uint8_t status;
	const struct emu_flow_table *ft = emu_flow_table_of(emu, in, uid, &status);
	struct prm_flow_table_context *ctx = prm_sub(out, flow_table_context);

	if (!ft)
		return status;
	prm_set(ctx, level, ft->level);
	prm_set(ctx, log_size, ft->log_size);
	prm_set(ctx, table_miss_action, ft->miss_action);
	prm_set(ctx, table_miss_id, ft->miss ? ft->miss->obj.id : 0);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_modify_flow_table(EMU_FW_ARGS(modify_flow_table))
{
	const uint32_t select = (uint32_t)prm_get(in, modify_field_select);
	uint8_t status;
	struct emu_flow_table *miss, *ft = emu_flow_table_of(emu, in, uid, &status);

	if (!ft)
		return status;
	if (select & ~(uint32_t)PRM_MODIFY_FLOW_TABLE_MISS_TABLE_ID)
		return emu_refuse_bits(emu, EMU_SYND_BITMASK, "modify_field_select", select,
				       PRM_MODIFY_FLOW_TABLE_MISS_TABLE_ID);
	if (!(select & PRM_MODIFY_FLOW_TABLE_MISS_TABLE_ID))
		return PRM_STATUS_OK;
	status = find_miss(emu, uid, ft->level, prm_sub(in, flow_table_context), &miss);
	if (status != PRM_STATUS_OK)
		return status;
	emu_ref(miss);
	emu_unref(ft->miss);
	ft->miss = miss;
	ft->miss_action = miss ? PRM_FLOW_TABLE_MISS_ACTION_FWD : PRM_FLOW_TABLE_MISS_ACTION_DEF;
	return PRM_STATUS_OK;
}

/* Counts no reference to the root table, because a kernel destroys that table while it is root. */
uint8_t emu_fw_set_flow_table_root(EMU_FW_ARGS(set_flow_table_root))
{
	const unsigned op_mod = (unsigned)prm_get(in, op_mod);
	uint8_t status = emu_flow_check_type(emu, (uint32_t)prm_get(in, table_type));
	struct emu_flow_table *ft = NULL;

	if (status != PRM_STATUS_OK)
		return status;
	if (op_mod != PRM_SET_FLOW_TABLE_ROOT_OP_MOD_CONNECT &&
	    op_mod != PRM_SET_FLOW_TABLE_ROOT_OP_MOD_DISCONNECT)
		return emu_refuse_value(emu, EMU_SYND_OP_MOD, "op_mod", op_mod,
					"0 = connect, 1 = disconnect");
	if (op_mod == PRM_SET_FLOW_TABLE_ROOT_OP_MOD_CONNECT) {
		ft = emu_use_field(emu, EMU_FLOW_TABLE, in, table_id, uid);
		if (!ft)
			return PRM_STATUS_BAD_RES;
	}
	emu->rx_root = ft;
	return PRM_STATUS_OK;
}

uint8_t emu_fw_destroy_flow_table(EMU_FW_ARGS(destroy_flow_table))
{
	const uint32_t id = (uint32_t)prm_get(in, table_id);
	uint8_t status;
	const struct emu_flow_table *ft =
		emu_flow_table_use(emu, (uint32_t)prm_get(in, table_type), id, uid, &status);

	if (!ft && status == PRM_STATUS_BAD_RES)
		emu->syndrome = EMU_SYND_FLOW_TABLE_ID;
	if (!ft)
		return status;
	if (ft->groups)
		return emu_refuse(
			emu, PRM_STATUS_BAD_RES_STATE, EMU_SYND_BUSY,
			"table_id: flow table 0x%x still has group %u; destroy its groups "
			"first",
			id, ft->groups->id);
	return emu_destroy_field(emu, EMU_FLOW_TABLE, in, table_id, uid);
}
