/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "emu/flow.h"

enum { OP_SET = 0, OP_MODIFY = 1 };

/* modify_enable_mask of SET_FTE. Linux enum, MLX5_SET_FTE_MODIFY_ENABLE_MASK_*. */
enum {
	MODIFY_ACTION = 1 << 0,
	MODIFY_TAG = 1 << 1,
	MODIFY_DESTINATIONS = 1 << 2,
	MODIFY_COUNTERS = 1 << 3,
	MODIFY_ALL = MODIFY_ACTION | MODIFY_TAG | MODIFY_DESTINATIONS | MODIFY_COUNTERS,
};

struct emu_fte **emu_fte_at(struct emu_flow_group *group, uint32_t index)
{
	struct emu_fte **link = &group->ftes;

	while (*link && (*link)->index < index)
		link = &(*link)->next;
	return link;
}

static void ref_targets(const struct emu_fte *fte)
{
	for (unsigned i = 0; i < fte->n_dests; i++) {
		emu_ref(fte->dest[i].tir);
		emu_ref(fte->dest[i].table);
	}
	emu_ref(fte->counter);
}

static void unref_targets(const struct emu_fte *fte)
{
	for (unsigned i = 0; i < fte->n_dests; i++) {
		emu_unref(fte->dest[i].tir);
		emu_unref(fte->dest[i].table);
	}
	emu_unref(fte->counter);
}

void emu_fte_free(struct emu_fte *fte)
{
	unref_targets(fte);
	free(fte);
}

/* ---- what a flow context asks for ---------------------------------------------- */

static uint8_t check_action(struct emu *emu, const struct prm_flow_context *ctx)
{
	const unsigned action = (unsigned)prm_get(ctx, action);
	const unsigned way = action & (EMU_ACTION_ALLOW | EMU_ACTION_DROP | EMU_ACTION_FORWARD);
	const unsigned dests = (unsigned)prm_get(ctx, destination_list_size);
	const unsigned counters = (unsigned)prm_get(ctx, flow_counter_list_size);

	if (action & ~(way | EMU_ACTION_COUNT)) {
		emu_mistake(emu, EMU_MISTAKE_unmodelled_field, "set_fte: action 0x%x", action);
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_UNMODELLED,
				  "action 0x%x: 1 (allow), 2 (drop), 4 (forward) and 8 (count) are modelled",
				  action);
	}
	if (!way || way & (way - 1))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_ACTION,
				  "action 0x%x: exactly one of allow, drop and forward", action);
	if (way == EMU_ACTION_FORWARD ? !dests || dests > EMU_MAX_DESTS : dests)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_ACTION,
				  "%u destinations with action 0x%x; forward has 1 to %u, others none", dests,
				  action, EMU_MAX_DESTS);
	if (counters != !!(action & EMU_ACTION_COUNT))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_ACTION,
				  "%u counters with action 0x%x; count has 1", counters, action);
	return PRM_STATUS_OK;
}

/* Without extended_destination an element is half of what Linux declares: see fields.c. */
static const struct prm_dest_format_struct *listed(const struct prm_flow_context *ctx, unsigned i)
{
	const struct prm_dest_format_struct *first =
		prm_sub(prm_sub(prm_sub_at(ctx, destination, 0), extended_dest_format), destination_entry);

	return first + i;
}

static uint8_t find_dest(struct emu *emu, uint16_t uid, const struct emu_flow_table *from,
			 const struct prm_dest_format_struct *entry, struct emu_flow_dest *dest)
{
	const uint32_t id = (uint32_t)prm_get(entry, destination_id);

	dest->type = (uint8_t)prm_get(entry, destination_type);
	if (dest->type == EMU_DEST_TIR) {
		dest->tir = emu_use(emu, EMU_TIR, id, uid);
		return dest->tir ? PRM_STATUS_OK : PRM_STATUS_BAD_RES;
	}
	if (dest->type != EMU_DEST_TABLE)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_TYPE,
				  "destination_type %u, there are 1 (table) and 2 (TIR)", dest->type);
	dest->table = emu_use(emu, EMU_FLOW_TABLE, id, uid);
	if (!dest->table)
		return PRM_STATUS_BAD_RES;
	if (dest->table->level <= from->level)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_LEVEL,
				  "from level %u to level %u: only up", from->level, dest->table->level);
	return PRM_STATUS_OK;
}

static uint8_t find_targets(struct emu *emu, uint16_t uid, const struct emu_flow_table *ft,
			    const struct prm_flow_context *ctx, struct emu_fte *fte)
{
	uint8_t status = PRM_STATUS_OK;

	fte->n_dests = (unsigned)prm_get(ctx, destination_list_size);
	for (unsigned i = 0; status == PRM_STATUS_OK && i < fte->n_dests; i++)
		status = find_dest(emu, uid, ft, listed(ctx, i), &fte->dest[i]);
	if (status != PRM_STATUS_OK || !prm_get(ctx, flow_counter_list_size))
		return status;
	fte->counter = emu_use(emu, EMU_FLOW_COUNTER, prm_be32_get(listed(ctx, fte->n_dests)->dw[0]), uid);
	return fte->counter ? PRM_STATUS_OK : PRM_STATUS_BAD_RES;
}

static uint8_t check_value(struct emu *emu, const struct emu_flow_group *group, const struct emu_fte *fte)
{
	for (unsigned i = 0; i < EMU_MATCH_DWORDS; i++) {
		const uint32_t outside = fte->value[i] & ~group->mask[i];
		char name[96];

		if (!outside)
			continue;
		prm_name_of(&prm_layout_fte_match_param, i * 32 + (unsigned)__builtin_clz(outside), name,
			    sizeof(name));
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_VALUE,
				  "value of %s has bits that the group's mask has not", name);
	}
	return PRM_STATUS_OK;
}

/* The whole of an entry, read and checked; nothing is referenced yet. */
static uint8_t read_fte(struct emu *emu, uint16_t uid, const struct emu_flow_table *ft,
			const struct emu_flow_group *group, const struct prm_set_fte_in *in,
			struct emu_fte *fte)
{
	const struct prm_flow_context *ctx = prm_sub(in, flow_context);
	uint8_t status = check_action(emu, ctx);

	if (status != PRM_STATUS_OK)
		return status;
	if (prm_get(ctx, group_id) != group->id)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_FLOW_INDEX,
				  "flow_index is in group %u, group_id says %u", group->id,
				  (unsigned)prm_get(ctx, group_id));
	fte->index = (uint32_t)prm_get(in, flow_index);
	fte->action = (uint16_t)prm_get(ctx, action);
	fte->flow_tag = (uint32_t)prm_get(ctx, flow_tag);
	fte->ctx = *ctx;
	emu_match_read(prm_sub(ctx, match_value), fte->value);
	status = check_value(emu, group, fte);
	return status == PRM_STATUS_OK ? find_targets(emu, uid, ft, ctx, fte) : status;
}

/* ---- commands ------------------------------------------------------------------- */

static uint8_t insert(struct emu *emu, struct emu_fte **link, const struct emu_fte *want)
{
	struct emu_fte *fte;

	if (*link && (*link)->index == want->index)
		return emu_refuse(emu, PRM_STATUS_BAD_RES_STATE, EMU_SYND_FLOW_INDEX,
				  "there is an entry at %u; op_mod 1 modifies it", want->index);
	fte = malloc(sizeof(*fte));
	if (!fte)
		return emu_refuse(emu, PRM_STATUS_NO_RES_ERR, EMU_SYND_NO_MEMORY, "out of memory");
	*fte = *want;
	ref_targets(fte);
	fte->next = *link;
	*link = fte;
	return PRM_STATUS_OK;
}

/* Everything that is not selected, and the match always, must be as it stands. */
static uint8_t modify(struct emu *emu, struct emu_fte *fte, unsigned select, const struct emu_fte *want)
{
	struct emu_fte next = *fte;

	if (select & ~(unsigned)MODIFY_ALL)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_BITMASK,
				  "modify_enable_mask 0x%x, there are 0x%x", select, MODIFY_ALL);
	if (memcmp(fte->value, want->value, sizeof(fte->value)))
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_VALUE,
				  "the match of an entry cannot be modified");
	if (select & MODIFY_ACTION)
		next.action = want->action;
	if (select & MODIFY_TAG)
		next.flow_tag = want->flow_tag;
	if (select & MODIFY_DESTINATIONS) {
		next.n_dests = want->n_dests;
		memcpy(next.dest, want->dest, sizeof(next.dest));
	}
	if (select & MODIFY_COUNTERS)
		next.counter = want->counter;
	if (!(next.action & EMU_ACTION_FORWARD) != !next.n_dests ||
	    !(next.action & EMU_ACTION_COUNT) != !next.counter)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_ACTION,
				  "modify_enable_mask 0x%x leaves action 0x%x with %u destinations%s", select,
				  next.action, next.n_dests, next.counter ? " and a counter" : "");
	ref_targets(&next);
	unref_targets(fte);
	*fte = next;
	return PRM_STATUS_OK;
}

EMU_FW(set_fte)
{
	const struct prm_flow_context *ctx = prm_sub(in, flow_context);
	const uint64_t n = prm_get(ctx, destination_list_size) + prm_get(ctx, flow_counter_list_size);
	const uint32_t index = (uint32_t)prm_get(in, flow_index);
	const unsigned op_mod = (unsigned)prm_get(in, op_mod);
	struct emu_fte want = {0}, **link;
	struct emu_flow_group *group;
	uint8_t status;
	struct emu_flow_table *ft = emu_flow_table_use(
		emu, (uint32_t)prm_get(in, table_type), (uint32_t)prm_get(in, table_id), uid, &status);

	if (!ft)
		return status;
	if (op_mod != OP_SET && op_mod != OP_MODIFY)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_OP_MOD,
				  "op_mod %u, there are 0 (set) and 1 (modify)", op_mod);
	if ((in_bytes - sizeof(*in)) / prm_dest_format_struct_bytes != n)
		return emu_refuse(emu, PRM_STATUS_BAD_INP_LEN, EMU_SYND_LENGTH,
				  "%llu destinations and counters announced, %zu listed", (unsigned long long)n,
				  (in_bytes - sizeof(*in)) / prm_dest_format_struct_bytes);
	group = emu_flow_group_at(ft, index);
	if (!group)
		return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_FLOW_INDEX,
				  "flow_index %u is in no group of the table", index);
	status = read_fte(emu, uid, ft, group, in, &want);
	if (status != PRM_STATUS_OK)
		return status;
	link = emu_fte_at(group, index);
	if (op_mod == OP_SET)
		return insert(emu, link, &want);
	if (!*link || (*link)->index != index)
		return emu_refuse(emu, PRM_STATUS_BAD_RES_STATE, EMU_SYND_FLOW_INDEX,
				  "there is no entry at %u to modify", index);
	return modify(emu, *link, (unsigned)prm_get(in, modify_enable_mask), &want);
}

/* Return: the link to an entry that is there, or NULL, refused */
static struct emu_fte **use_fte(struct emu *emu, struct emu_flow_table *ft, uint32_t index)
{
	struct emu_flow_group *group = emu_flow_group_at(ft, index);
	struct emu_fte **link = group ? emu_fte_at(group, index) : NULL;

	if (link && *link && (*link)->index == index)
		return link;
	emu_refuse(emu, PRM_STATUS_BAD_RES, EMU_SYND_FLOW_INDEX, "flow table 0x%x has no entry at %u",
		   ft->obj.id, index);
	return NULL;
}

static void write_list(const struct emu_fte *fte, struct prm_flow_context *ctx)
{
	struct prm_dest_format_struct *entry =
		prm_sub(prm_sub(prm_sub_at(ctx, destination, 0), extended_dest_format), destination_entry);

	for (unsigned i = 0; i < fte->n_dests; i++, entry++) {
		const struct emu_flow_dest *dest = &fte->dest[i];

		prm_set(entry, destination_type, dest->type);
		prm_set(entry, destination_id, dest->tir ? dest->tir->obj.id : dest->table->obj.id);
	}
	if (fte->counter)
		entry->dw[0] = prm_be32_of(fte->counter->obj.id);
}

EMU_FW(query_fte)
{
	struct prm_flow_context *ctx = prm_sub(out, flow_context);
	struct emu_fte **link;
	size_t n;
	uint8_t status;
	struct emu_flow_table *ft = emu_flow_table_use(
		emu, (uint32_t)prm_get(in, table_type), (uint32_t)prm_get(in, table_id), uid, &status);

	if (!ft)
		return status;
	link = use_fte(emu, ft, (uint32_t)prm_get(in, flow_index));
	if (!link)
		return PRM_STATUS_BAD_RES;
	n = (*link)->n_dests + !!(*link)->counter;
	if (out_bytes < sizeof(*out) + n * prm_dest_format_struct_bytes)
		return emu_refuse(emu, PRM_STATUS_BAD_OUTP_LEN, EMU_SYND_LENGTH,
				  "output of %zu bytes, with its list of %zu it is %zu", out_bytes, n,
				  sizeof(*out) + n * prm_dest_format_struct_bytes);
	*ctx = (*link)->ctx;
	prm_set(ctx, action, (*link)->action);
	prm_set(ctx, flow_tag, (*link)->flow_tag);
	prm_set(ctx, destination_list_size, (*link)->n_dests);
	prm_set(ctx, flow_counter_list_size, (*link)->counter ? 1 : 0);
	write_list(*link, ctx);
	return PRM_STATUS_OK;
}

EMU_FW(delete_fte)
{
	struct emu_fte *fte, **link;
	uint8_t status;
	struct emu_flow_table *ft = emu_flow_table_use(
		emu, (uint32_t)prm_get(in, table_type), (uint32_t)prm_get(in, table_id), uid, &status);

	if (!ft)
		return status;
	link = use_fte(emu, ft, (uint32_t)prm_get(in, flow_index));
	if (!link)
		return PRM_STATUS_BAD_RES;
	fte = *link;
	*link = fte->next;
	emu_fte_free(fte);
	return PRM_STATUS_OK;
}
