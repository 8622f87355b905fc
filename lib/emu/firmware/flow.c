/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds, references and frees flow tables, flow groups and flow entries for the commands.
 */
#include "emu/firmware/flow.h"

#include <stdlib.h>

#include "emu/firmware/object.h"
#include "emu/firmware/refuse.h"

uint8_t emu_flow_check_type(struct emu *emu, uint32_t type)
{
	if (type == PRM_FLOW_TABLE_TYPE_NIC_RX)
		return PRM_STATUS_OK;
	return emu_refuse_value(emu, EMU_SYND_TYPE, "table_type", type, "0 = NIC_RX");
}

struct emu_flow_table *emu_flow_table_use(struct emu *emu, uint32_t type, uint32_t id, uint16_t uid,
					  uint8_t *status)
{
	struct emu_flow_table *ft;

	*status = emu_flow_check_type(emu, type);
	if (*status != PRM_STATUS_OK)
		return NULL;
	ft = emu_use_object(emu, EMU_FLOW_TABLE, "table_id", id, uid);
	if (!ft)
		*status = PRM_STATUS_BAD_RES;
	return ft;
}

struct emu_flow_group *emu_flow_group_at(const struct emu_flow_table *ft, uint32_t index)
{
	struct emu_flow_group *group = ft->groups;

	while (group && group->last < index)
		group = group->next;
	return group && group->first <= index ? group : NULL;
}

struct emu_fte **emu_fte_at(struct emu_flow_group *group, uint32_t index)
{
	struct emu_fte **link = &group->ftes;

	while (*link && (*link)->index < index)
		link = &(*link)->next;
	return link;
}

void emu_fte_ref(const struct emu_fte *fte)
{
	for (unsigned i = 0; i < fte->n_dests; i++) {
		emu_ref(fte->dest[i].tir);
		emu_ref(fte->dest[i].table);
	}
	emu_ref(fte->counter);
}

void emu_fte_unref(const struct emu_fte *fte)
{
	for (unsigned i = 0; i < fte->n_dests; i++) {
		emu_unref(fte->dest[i].tir);
		emu_unref(fte->dest[i].table);
	}
	emu_unref(fte->counter);
}

void emu_fte_free(struct emu_fte *fte)
{
	emu_fte_unref(fte);
	free(fte);
}

void emu_match_read(const struct prm_fte_match_param *match, uint32_t dw[EMU_MATCH_DWORDS])
{
	for (int i = 0; i < EMU_MATCH_DWORDS; i++)
		dw[i] = prm_be32_get(match->dw[i]);
}
