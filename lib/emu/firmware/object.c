/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/firmware/object.h"

#include <stdio.h>

#include "emu/firmware/refuse.h"

static const struct type {
	const char *name;
	uint32_t busy, full; /* syndromes; 0: EMU_SYND_BUSY, EMU_SYND_LIMIT */
} types[EMU_N_TYPES] = {
	[EMU_UCTX] = { "user context" },
	[EMU_UAR] = { "UAR", .full = EMU_SYND_UAR_LIMIT },
	[EMU_PD] = { "PD", .busy = EMU_SYND_PD_BUSY },
	[EMU_TD] = { "transport domain" },
	[EMU_UMEM] = { "umem" },
	[EMU_MKEY] = { "mkey", .full = EMU_SYND_MKEY_LIMIT },
	[EMU_EQ] = { "EQ" },
	[EMU_CQ] = { "CQ" },
	[EMU_SQ] = { "SQ" },
	[EMU_RQ] = { "RQ" },
	[EMU_RMP] = { "RMP" },
	[EMU_TIS] = { "TIS" },
	[EMU_TIR] = { "TIR" },
	[EMU_RQT] = { "RQT" },
	[EMU_Q_COUNTER] = { "queue counter" },
	[EMU_FLOW_TABLE] = { "flow table" },
	[EMU_FLOW_COUNTER] = { "flow counter" },
	[EMU_XRCD] = { "XRC domain" },
	[EMU_SRQ] = { "SRQ" },
	[EMU_QP] = { "QP" },
};

const char *emu_type_name(enum emu_type type)
{
	return types[type].name;
}

/*
 * PRM-MISSING: an object that does not exist, or belongs to another uid, is refused with BAD_RES.
 * (The name of the status suggests it; no report shows it. rdma-core maps it to the same errno as
 * BAD_PARAM, mlx5_cmd_status_to_err.)
 */
void *emu_use_object(struct emu *emu, enum emu_type type, const char *field, uint32_t id,
		     uint16_t uid)
{
	void *obj = emu_obj_find(emu, type, id, uid);

	if (!obj)
		emu_refuse(emu, PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT,
			   "%s: no such %s 0x%x for uid 0x%x", field, types[type].name, id, uid);
	return obj;
}

void *emu_make_object(struct emu *emu, enum emu_type type, uint16_t uid, size_t bytes,
		      emu_drop_fn *drop)
{
	const struct emu_table *t = &emu->table[type];
	struct emu_obj *obj = emu_obj_new(emu, type, uid, bytes);

	if (obj)
		obj->drop = drop;
	else if (t->n_used < t->max)
		emu_refuse_memory(emu);
	else
		emu_refuse(emu, PRM_STATUS_LIM_ERR,
			   types[type].full ? types[type].full : EMU_SYND_LIMIT,
			   "%s: limit reached (valid: up to %u in this profile); destroy one first",
			   types[type].name, t->max);
	return obj;
}

static void free_object(struct emu *emu, struct emu_obj *obj)
{
	if (obj->drop)
		obj->drop(emu, obj);
	emu_obj_free(emu, obj);
}

uint8_t emu_destroy_object(struct emu *emu, enum emu_type type, const char *field, uint32_t id,
			   uint16_t uid)
{
	struct emu_obj *obj = emu_use_object(emu, type, field, id, uid);

	if (!obj)
		return PRM_STATUS_BAD_RES;
	if (uid && obj->uid != uid)
		return emu_refuse(emu, PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT,
				  "%s: %s 0x%x belongs to the kernel (valid: objects of uid 0x%x)",
				  field, types[type].name, id, uid);
	if (obj->refs)
		return emu_refuse(emu, PRM_STATUS_BAD_RES_STATE,
				  types[type].busy ? types[type].busy : EMU_SYND_BUSY,
				  "%s: %s 0x%x is still used by %u objects; destroy these first",
				  field, types[type].name, id, obj->refs);
	free_object(emu, obj);
	return PRM_STATUS_OK;
}

unsigned emu_describe_objects(const struct emu *emu, char *line, size_t bytes, unsigned *n_users)
{
	unsigned sum = 0;
	size_t used = 0;

	line[0] = '\0';
	*n_users = 0;
	for (int type = 0; type < EMU_N_TYPES; type++) {
		const struct emu_table *t = &emu->table[type];

		for (uint32_t i = 0; i < t->n_slots; i++)
			*n_users += t->slot[i] && t->slot[i]->uid;
		sum += t->n_used;
		if (t->n_used && used < bytes)
			used += (size_t)snprintf(line + used, bytes - used, "%s%s %u",
						 used ? ", " : "", types[type].name, t->n_used);
	}
	return sum;
}

/* Each pass frees the unreferenced objects. References have no cycles, so the loop ends. */
void emu_release_all(struct emu *emu)
{
	for (bool again = true; again;) {
		again = false;
		for (int type = 0; type < EMU_N_TYPES; type++) {
			const struct emu_table *t = &emu->table[type];

			for (uint32_t i = 0; i < t->n_slots; i++) {
				if (!t->slot[i] || t->slot[i]->refs)
					continue;
				free_object(emu, t->slot[i]);
				again = true;
			}
		}
	}
}
