/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "emu/firmware/flow.h"
#include "emu/firmware/cmd.h"
#include "emu/steering/flow.h"

/* A match has N_PARTS parts of 64 bytes. Bit i of match_criteria_enable enables part i. */
enum { PART_DWORDS = prm_fte_match_set_lyr_2_4_bytes / 4, N_PARTS = 7 };

static uint8_t check_criteria(struct emu *emu, unsigned enable,
			      const uint32_t mask[EMU_MATCH_DWORDS])
{
	if (enable >> N_PARTS)
		return emu_refuse_bits(emu, EMU_SYND_CRITERIA, "match_criteria_enable", enable,
				       (1u << N_PARTS) - 1);
	for (unsigned i = 0; i < EMU_MATCH_DWORDS; i++)
		if (mask[i] && !(enable >> i / PART_DWORDS & 1))
			return emu_refuse(
				emu, PRM_STATUS_BAD_PARAM, EMU_SYND_CRITERIA,
				"match_criteria_enable: 0x%x lacks bit %u, but match_criteria has "
				"bits in part %u",
				enable, i / PART_DWORDS, i / PART_DWORDS);
	return PRM_STATUS_OK;
}

/* Refuses the first mask bit that steering cannot match, and names its field. */
static uint8_t check_fields(struct emu *emu, const uint32_t mask[EMU_MATCH_DWORDS])
{
	for (unsigned i = 0; i < EMU_MATCH_DWORDS; i++) {
		for (uint32_t left = mask[i]; left;) {
			const unsigned lead = (unsigned)__builtin_clz(left);
			const uint32_t bit = 0x80000000u >> lead;
			char name[96];

			if (!emu_match_supported(i, bit)) {
				prm_name_of(&prm_layout_fte_match_param, i * 32 + lead, name,
					    sizeof(name));
				return emu_refuse(
					emu, PRM_STATUS_BAD_PARAM, EMU_SYND_UNMODELLED,
					"match_criteria.%s: emu does not model this field "
					"(valid: 0)",
					name);
			}
			left &= ~bit;
		}
	}
	return PRM_STATUS_OK;
}

/* Returns the list link where a group belongs, or NULL if it overlaps another group. */
static struct emu_flow_group **find_place(struct emu_flow_table *ft, uint32_t first, uint32_t last)
{
	struct emu_flow_group **link = &ft->groups;

	while (*link && (*link)->last < first)
		link = &(*link)->next;
	return *link && (*link)->first <= last ? NULL : link;
}

static void fill_mask(struct emu_flow_group *group, const uint32_t mask[EMU_MATCH_DWORDS])
{
	for (unsigned i = 0; i < EMU_MATCH_DWORDS; i++) {
		group->mask[i] = mask[i];
		if (mask[i])
			group->used[group->n_used++] = (uint8_t)i;
	}
}

uint8_t emu_fw_create_flow_group(EMU_FW_ARGS(create_flow_group))
{
	const uint32_t first = (uint32_t)prm_get(in, start_flow_index);
	const uint32_t last = (uint32_t)prm_get(in, end_flow_index);
	uint32_t mask[EMU_MATCH_DWORDS];
	struct emu_flow_group *group, **link;
	uint8_t status;
	struct emu_flow_table *ft = emu_flow_table_of(emu, in, uid, &status);

	if (!ft)
		return status;
	emu_match_read(prm_sub(in, match_criteria), mask);
	status = check_criteria(emu, (unsigned)prm_get(in, match_criteria_enable), mask);
	if (status == PRM_STATUS_OK)
		status = check_fields(emu, mask);
	if (status != PRM_STATUS_OK)
		return status;
	link = find_place(ft, first, last);
	if (first > last || last >= 1ull << ft->log_size || !link)
		return emu_refuse(
			emu, PRM_STATUS_BAD_PARAM, EMU_SYND_FLOW_INDEX,
			"start_flow_index: range %u to %u is invalid (valid: ascending, below "
			"%llu, outside other groups)",
			first, last, 1ull << ft->log_size);
	group = calloc(1, sizeof(*group));
	if (!group)
		return emu_refuse_memory(emu);
	group->id = ++ft->next_group_id;
	group->first = first;
	group->last = last;
	group->criteria_enable = (uint8_t)prm_get(in, match_criteria_enable);
	fill_mask(group, mask);
	group->next = *link;
	*link = group;
	prm_set(out, group_id, group->id);
	return PRM_STATUS_OK;
}

static struct emu_flow_group **find_group(struct emu *emu, struct emu_flow_table *ft, uint32_t id)
{
	struct emu_flow_group **link = &ft->groups;

	while (*link && (*link)->id != id)
		link = &(*link)->next;
	if (*link)
		return link;
	emu_refuse(emu, PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT,
		   "group_id: no such group %u in flow table 0x%x", id, ft->obj.id);
	return NULL;
}

uint8_t emu_fw_query_flow_group(EMU_FW_ARGS(query_flow_group))
{
	uint8_t status;
	struct emu_flow_table *ft = emu_flow_table_of(emu, in, uid, &status);
	struct emu_flow_group **link;

	if (!ft)
		return status;
	link = find_group(emu, ft, (uint32_t)prm_get(in, group_id));
	if (!link)
		return PRM_STATUS_BAD_RES;
	prm_set(out, start_flow_index, (*link)->first);
	prm_set(out, end_flow_index, (*link)->last);
	prm_set(out, match_criteria_enable, (*link)->criteria_enable);
	for (int i = 0; i < EMU_MATCH_DWORDS; i++)
		prm_sub(out, match_criteria)->dw[i] = prm_be32_of((*link)->mask[i]);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_destroy_flow_group(EMU_FW_ARGS(destroy_flow_group))
{
	uint8_t status;
	struct emu_flow_table *ft = emu_flow_table_of(emu, in, uid, &status);
	struct emu_flow_group *group, **link;

	if (!ft)
		return status;
	link = find_group(emu, ft, (uint32_t)prm_get(in, group_id));
	if (!link)
		return PRM_STATUS_BAD_RES;
	group = *link;
	if (group->ftes)
		return emu_refuse(
			emu, PRM_STATUS_BAD_RES_STATE, EMU_SYND_FLOW_GROUP_BUSY,
			"group_id: group %u still has an entry at flow index %u; delete its "
			"entries first",
			group->id, group->ftes->index);
	*link = group->next;
	emu_group_free(group);
	return PRM_STATUS_OK;
}
