/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Commands for user contexts, UAR pages, protection domains and transport domains.
 */
#include "emu/base/mkey.h"
#include "emu/firmware/cmd.h"
#include "emu/queue/doorbell.h"
#include "emu/queue/sq.h"

/* Makes the engine stop watching the page of a UAR. */
static void drop_uar(struct emu *emu, struct emu_obj *obj)
{
	unsigned n = 0;

	for (unsigned i = 0; i < emu->n_uars; i++)
		if (&emu->uars[i]->obj != obj)
			emu->uars[n++] = emu->uars[i];
	emu->n_uars = n;
}

uint8_t emu_fw_create_uctx(EMU_FW_ARGS(create_uctx))
{
	const uint32_t cap = (uint32_t)prm_get(prm_sub(in, uctx), cap);
	struct emu_uctx *uctx;

	if (cap & ~emu_cap(emu, uctx_cap))
		return emu_refuse_bits(emu, EMU_SYND_NO_CAP, "cap", cap, emu_cap(emu, uctx_cap));
	uctx = emu_make_object(emu, EMU_UCTX, 0, sizeof(*uctx), NULL);
	if (!uctx)
		return PRM_STATUS_LIM_ERR;
	uctx->cap = cap;
	prm_set(out, uid, uctx->obj.id);
	return PRM_STATUS_OK;
}

static const struct emu_obj *find_first_object(const struct emu *emu, uint16_t uid)
{
	for (int type = 0; type < EMU_N_TYPES; type++) {
		const struct emu_table *t = &emu->table[type];

		for (uint32_t i = 0; i < t->n_slots; i++)
			if (t->slot[i] && t->slot[i]->uid == uid)
				return t->slot[i];
	}
	return NULL;
}

/*
 * PRM-MISSING: DESTROY_UCTX is refused while objects of the uid are left. (Linux destroys them
 * first, mlx5_ib_dealloc_ucontext, so a refusal reveals a leak in a front or a driver.)
 */
uint8_t emu_fw_destroy_uctx(EMU_FW_ARGS(destroy_uctx))
{
	const uint16_t id = (uint16_t)prm_get(in, uid);
	const struct emu_obj *left;

	if (!emu_use_field(emu, EMU_UCTX, in, uid, 0))
		return PRM_STATUS_BAD_RES;
	left = find_first_object(emu, id);
	if (left)
		return emu_refuse(
			emu, PRM_STATUS_BAD_RES_STATE, EMU_SYND_BUSY,
			"uid: user context 0x%x still owns %s 0x%x; destroy its objects first", id,
			emu_type_name(left->type), left->id);
	return emu_destroy_field(emu, EMU_UCTX, in, uid, 0);
}

uint8_t emu_fw_alloc_uar(EMU_FW_ARGS(alloc_uar))
{
	struct emu_uar *uar = emu_make_object(emu, EMU_UAR, uid, sizeof(*uar), drop_uar);

	if (!uar)
		return PRM_STATUS_LIM_ERR;
	prm_set(out, uar, uar->obj.id);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_dealloc_uar(EMU_FW_ARGS(dealloc_uar))
{
	return emu_destroy_field(emu, EMU_UAR, in, uar, uid);
}

uint8_t emu_fw_alloc_pd(EMU_FW_ARGS(alloc_pd))
{
	struct emu_pd *pd = emu_make_object(emu, EMU_PD, uid, sizeof(*pd), NULL);

	if (!pd)
		return PRM_STATUS_LIM_ERR;
	prm_set(out, pd, pd->obj.id);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_dealloc_pd(EMU_FW_ARGS(dealloc_pd))
{
	return emu_destroy_field(emu, EMU_PD, in, pd, uid);
}

uint8_t emu_fw_alloc_transport_domain(EMU_FW_ARGS(alloc_transport_domain))
{
	struct emu_td *td = emu_make_object(emu, EMU_TD, uid, sizeof(*td), NULL);

	if (!td)
		return PRM_STATUS_LIM_ERR;
	prm_set(out, transport_domain, td->obj.id);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_dealloc_transport_domain(EMU_FW_ARGS(dealloc_transport_domain))
{
	return emu_destroy_field(emu, EMU_TD, in, transport_domain, uid);
}
