/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads and checks the flow context of SET_FTE: action, destinations, counter, match.
 */
#include "emu/firmware/flow.h"

#include "emu/firmware/object.h"
#include "emu/firmware/refuse.h"

static uint8_t check_action(struct emu *emu, const struct prm_flow_context *ctx)
{
	const unsigned action = (unsigned)prm_get(ctx, action);
	const unsigned way =
		action & (PRM_FLOW_CONTEXT_ACTION_ALLOW | PRM_FLOW_CONTEXT_ACTION_DROP |
			  PRM_FLOW_CONTEXT_ACTION_FWD_DEST);
	const unsigned dests = (unsigned)prm_get(ctx, destination_list_size);
	const unsigned counters = (unsigned)prm_get(ctx, flow_counter_list_size);

	if (action & ~(way | PRM_FLOW_CONTEXT_ACTION_COUNT))
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_UNMODELLED,
			"action: 0x%x has unsupported bits (valid: 1 = allow, 2 = drop, 4 = "
			"forward, 8 = count)",
			action);
	if (!way || way & (way - 1))
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_ACTION,
			"action: 0x%x is invalid (valid: exactly one of 1 = allow, 2 = drop, 4 = "
			"forward)",
			action);
	if (way == PRM_FLOW_CONTEXT_ACTION_FWD_DEST ? !dests || dests > EMU_MAX_DESTS : dests)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_ACTION,
				  "destination_list_size: %u is invalid with action 0x%x (valid: 1 "
				  "to %u if action has 4 = forward, else 0)",
				  dests, action, EMU_MAX_DESTS);
	if (counters != !!(action & PRM_FLOW_CONTEXT_ACTION_COUNT))
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_ACTION,
			"flow_counter_list_size: %u is invalid with action 0x%x (valid: 1 "
			"if action has 8 = count, else 0)",
			counters, action);
	return PRM_STATUS_OK;
}

/* Returns element @i of the list, which has half the size that Linux declares (fields.c). */
static const struct prm_dest_format_struct *get_list_element(const struct prm_flow_context *ctx,
							     unsigned i)
{
	const struct prm_dest_format_struct *first = prm_sub(
		prm_sub(prm_sub_at(ctx, destination, 0), extended_dest_format), destination_entry);

	return first + i;
}

static uint8_t find_dest(struct emu *emu, uint16_t uid, const struct emu_flow_table *from,
			 const struct prm_dest_format_struct *entry, struct emu_flow_dest *dest)
{
	const uint32_t id = (uint32_t)prm_get(entry, destination_id);

	dest->type = (uint8_t)prm_get(entry, destination_type);
	if (dest->type == PRM_FLOW_DESTINATION_TYPE_TIR) {
		dest->tir = emu_use_object(emu, EMU_TIR, "destination_id", id, uid);
		return dest->tir ? PRM_STATUS_OK : PRM_STATUS_BAD_RES;
	}
	if (dest->type != PRM_FLOW_DESTINATION_TYPE_FLOW_TABLE)
		return emu_refuse_value(emu, EMU_SYND_TYPE, "destination_type", dest->type,
					"1 = flow table, 2 = TIR");
	dest->table = emu_use_object(emu, EMU_FLOW_TABLE, "destination_id", id, uid);
	if (!dest->table)
		return PRM_STATUS_BAD_RES;
	if (dest->table->level <= from->level)
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_LEVEL,
			"destination_id: table 0x%x has level %u (valid: levels above %u)", id,
			dest->table->level, from->level);
	return PRM_STATUS_OK;
}

static uint8_t find_targets(struct emu *emu, uint16_t uid, const struct emu_flow_table *ft,
			    const struct prm_flow_context *ctx, struct emu_fte *fte)
{
	uint8_t status = PRM_STATUS_OK;

	fte->n_dests = (unsigned)prm_get(ctx, destination_list_size);
	for (unsigned i = 0; status == PRM_STATUS_OK && i < fte->n_dests; i++)
		status = find_dest(emu, uid, ft, get_list_element(ctx, i), &fte->dest[i]);
	if (status != PRM_STATUS_OK || !prm_get(ctx, flow_counter_list_size))
		return status;
	fte->counter =
		emu_use_object(emu, EMU_FLOW_COUNTER, "flow_counter_id",
			       prm_be32_get(get_list_element(ctx, fte->n_dests)->dw[0]), uid);
	return fte->counter ? PRM_STATUS_OK : PRM_STATUS_BAD_RES;
}

static uint8_t check_value(struct emu *emu, const struct emu_flow_group *group,
			   const struct emu_fte *fte)
{
	for (unsigned i = 0; i < EMU_MATCH_DWORDS; i++) {
		const uint32_t outside = fte->value[i] & ~group->mask[i];
		char name[96];

		if (!outside)
			continue;
		prm_name_of(&prm_layout_fte_match_param, i * 32 + (unsigned)__builtin_clz(outside),
			    name, sizeof(name));
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_VALUE,
				  "match_value.%s: has bits outside match_criteria of group %u",
				  name, group->id);
	}
	return PRM_STATUS_OK;
}

/* PRM-MISSING: group_id must be the group that contains flow_index (as in Linux, insert_fte). */
uint8_t emu_fte_read(struct emu *emu, uint16_t uid, const struct emu_flow_table *ft,
		     const struct emu_flow_group *group, const struct prm_set_fte_in *in,
		     struct emu_fte *fte)
{
	const struct prm_flow_context *ctx = prm_sub(in, flow_context);
	uint8_t status = check_action(emu, ctx);

	if (status != PRM_STATUS_OK)
		return status;
	if (prm_get(ctx, group_id) != group->id)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_FLOW_INDEX,
				  "group_id: %u is invalid (valid: %u, the group of flow_index)",
				  (unsigned)prm_get(ctx, group_id), group->id);
	fte->index = (uint32_t)prm_get(in, flow_index);
	fte->action = (uint16_t)prm_get(ctx, action);
	fte->flow_tag = (uint32_t)prm_get(ctx, flow_tag);
	fte->ctx = *ctx;
	emu_match_read(prm_sub(ctx, match_value), fte->value);
	status = check_value(emu, group, fte);
	return status == PRM_STATUS_OK ? find_targets(emu, uid, ft, ctx, fte) : status;
}
