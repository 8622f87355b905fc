/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "emu/firmware/flow.h"
#include "emu/firmware/cmd.h"
#include "emu/steering/flow.h"
#include "emu/steering/rss.h"

/* the valid bits of modify_enable_mask */
enum {
	MODIFY_ALL = PRM_SET_FTE_MODIFY_ENABLE_ACTION | PRM_SET_FTE_MODIFY_ENABLE_FLOW_TAG |
		     PRM_SET_FTE_MODIFY_ENABLE_DESTINATION_LIST |
		     PRM_SET_FTE_MODIFY_ENABLE_FLOW_COUNTERS,
};

/*
 * PRM-MISSING: SET_FTE with op_mod 0 is refused with BAD_RES_STATE if the index has an entry.
 * (Linux changes an entry with op_mod 1, mlx5_cmd_update_fte; net_mlx5 never changes one.)
 */
static uint8_t insert_entry(struct emu *emu, struct emu_flow_group *group, struct emu_fte **link,
			    const struct emu_fte *want)
{
	struct emu_fte *fte;

	if (*link && (*link)->index == want->index)
		return emu_refuse(emu, PRM_STATUS_BAD_RES_STATE, EMU_SYND_FLOW_INDEX,
				  "flow_index: %u has an entry already; modify it with op_mod 1",
				  want->index);
	fte = malloc(sizeof(*fte));
	if (!fte)
		return emu_refuse_memory(emu);
	*fte = *want;
	emu_fte_ref(fte);
	emu_group_insert(group, link, fte);
	return PRM_STATUS_OK;
}

/* Changes the parts of an entry that @select names. Its match cannot change. */
static uint8_t modify_entry(struct emu *emu, struct emu_fte *fte, unsigned select,
			    const struct emu_fte *want)
{
	struct emu_fte next = *fte;

	if (select & ~(unsigned)MODIFY_ALL)
		return emu_refuse_bits(emu, EMU_SYND_BITMASK, "modify_enable_mask", select,
				       MODIFY_ALL);
	if (memcmp(fte->value, want->value, sizeof(fte->value)))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_VALUE,
				  "match_value: an entry cannot change its match (valid: the same "
				  "value)");
	if (select & PRM_SET_FTE_MODIFY_ENABLE_ACTION)
		next.action = want->action;
	if (select & PRM_SET_FTE_MODIFY_ENABLE_FLOW_TAG)
		next.flow_tag = want->flow_tag;
	if (select & PRM_SET_FTE_MODIFY_ENABLE_DESTINATION_LIST) {
		next.n_dests = want->n_dests;
		memcpy(next.dest, want->dest, sizeof(next.dest));
	}
	if (select & PRM_SET_FTE_MODIFY_ENABLE_FLOW_COUNTERS)
		next.counter = want->counter;
	if (!(next.action & PRM_FLOW_CONTEXT_ACTION_FWD_DEST) != !next.n_dests ||
	    !(next.action & PRM_FLOW_CONTEXT_ACTION_COUNT) != !next.counter)
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_ACTION,
			"modify_enable_mask: 0x%x would leave action 0x%x with %u destinations and "
			"%u counters, which do not match it",
			select, next.action, next.n_dests, next.counter ? 1 : 0);
	emu_fte_ref(&next);
	emu_fte_unref(fte);
	*fte = next;
	return PRM_STATUS_OK;
}

uint8_t emu_fw_set_fte(EMU_FW_ARGS(set_fte))
{
	const struct prm_flow_context *ctx = prm_sub(in, flow_context);
	const uint64_t n =
		prm_get(ctx, destination_list_size) + prm_get(ctx, flow_counter_list_size);
	const uint32_t index = (uint32_t)prm_get(in, flow_index);
	const unsigned op_mod = (unsigned)prm_get(in, op_mod);
	struct emu_fte want = { 0 }, **link;
	struct emu_flow_group *group;
	uint8_t status;
	struct emu_flow_table *ft = emu_flow_table_of(emu, in, uid, &status);

	if (!ft)
		return status;
	if (op_mod != PRM_SET_FTE_OP_MOD_SET && op_mod != PRM_SET_FTE_OP_MOD_MODIFY)
		return emu_refuse_value(emu, EMU_SYND_OP_MOD, "op_mod", op_mod,
					"0 = set, 1 = modify");
	if ((in_bytes - sizeof(*in)) / prm_dest_format_struct_bytes != n)
		return emu_refuse_list(emu, PRM_STATUS_BAD_INP_LEN, EMU_SYND_LENGTH,
				       "destination_list_size + flow_counter_list_size", n,
				       (in_bytes - sizeof(*in)) / prm_dest_format_struct_bytes);
	group = emu_flow_group_at(ft, index);
	if (!group)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_FLOW_INDEX,
				  "flow_index: %u is in no group of flow table 0x%x", index,
				  ft->obj.id);
	status = emu_fte_read(emu, uid, ft, group, in, &want);
	if (status != PRM_STATUS_OK)
		return status;
	link = emu_fte_at(group, index);
	if (op_mod == PRM_SET_FTE_OP_MOD_SET)
		return insert_entry(emu, group, link, &want);
	if (!*link || (*link)->index != index)
		return emu_refuse(emu, PRM_STATUS_BAD_RES_STATE, EMU_SYND_FLOW_INDEX,
				  "flow_index: no such entry %u; set it with op_mod 0", index);
	return modify_entry(emu, *link, (unsigned)prm_get(in, modify_enable_mask), &want);
}

/* Finds the entry at @index. Returns its list link, or refuses the command and returns NULL. */
static struct emu_fte **use_fte(struct emu *emu, struct emu_flow_table *ft, uint32_t index)
{
	struct emu_flow_group *group = emu_flow_group_at(ft, index);
	struct emu_fte **link = group ? emu_fte_at(group, index) : NULL;

	if (link && *link && (*link)->index == index)
		return link;
	emu_refuse(emu, PRM_STATUS_BAD_RES, EMU_SYND_FLOW_INDEX,
		   "flow_index: no such entry %u in flow table 0x%x", index, ft->obj.id);
	return NULL;
}

/* Writes the first @room entries of the list: destinations, then the counter. */
static void write_list(const struct emu_fte *fte, struct prm_flow_context *ctx, size_t room)
{
	struct prm_dest_format_struct *entry = prm_sub(
		prm_sub(prm_sub_at(ctx, destination, 0), extended_dest_format), destination_entry);

	for (unsigned i = 0; i < fte->n_dests && i < room; i++, entry++) {
		const struct emu_flow_dest *dest = &fte->dest[i];

		prm_set(entry, destination_type, dest->type);
		prm_set(entry, destination_id, dest->tir ? dest->tir->obj.id : dest->table->obj.id);
	}
	if (fte->counter && fte->n_dests < room)
		entry->dw[0] = prm_be32_of(fte->counter->obj.id);
}

uint8_t emu_fw_query_fte(EMU_FW_ARGS(query_fte))
{
	struct prm_flow_context *ctx = prm_sub(out, flow_context);
	struct emu_fte **link;
	uint8_t status;
	struct emu_flow_table *ft = emu_flow_table_of(emu, in, uid, &status);

	if (!ft)
		return status;
	link = use_fte(emu, ft, (uint32_t)prm_get(in, flow_index));
	if (!link)
		return PRM_STATUS_BAD_RES;
	*ctx = (*link)->ctx;
	prm_set(ctx, action, (*link)->action);
	prm_set(ctx, flow_tag, (*link)->flow_tag);
	prm_set(ctx, destination_list_size, (*link)->n_dests);
	prm_set(ctx, flow_counter_list_size, (*link)->counter ? 1 : 0);
	write_list(*link, ctx, (out_bytes - sizeof(*out)) / prm_dest_format_struct_bytes);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_delete_fte(EMU_FW_ARGS(delete_fte))
{
	const uint32_t index = (uint32_t)prm_get(in, flow_index);
	struct emu_fte **link;
	uint8_t status;
	struct emu_flow_table *ft = emu_flow_table_of(emu, in, uid, &status);

	if (!ft)
		return status;
	link = use_fte(emu, ft, index);
	if (!link)
		return PRM_STATUS_BAD_RES;
	emu_fte_free(emu_group_remove(emu_flow_group_at(ft, index), link));
	return PRM_STATUS_OK;
}
