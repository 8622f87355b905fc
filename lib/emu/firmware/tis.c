/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/firmware/handlers.h"
#include "emu/queue/tis.h"

static void drop_tis(EMU_UNUSED struct emu *emu, struct emu_obj *obj)
{
	emu_unref(((struct emu_tis *)obj)->td);
}

EMU_FW(create_tis)
{
	const struct prm_tisc *tisc = prm_sub(in, ctx);
	struct emu_td *td = emu_use(emu, EMU_TD, (uint32_t)prm_get(tisc, transport_domain), uid);
	struct emu_tis *tis;

	if (!td)
		return PRM_STATUS_BAD_RES;
	tis = emu_make(emu, EMU_TIS, uid, sizeof(*tis), drop_tis);
	if (!tis)
		return PRM_STATUS_LIM_ERR;
	tis->td = td;
	tis->ctx = *tisc;
	emu_ref(td);
	prm_set(out, tisn, tis->obj.id);
	return PRM_STATUS_OK;
}

EMU_FW(query_tis)
{
	const struct emu_tis *tis = emu_use(emu, EMU_TIS, (uint32_t)prm_get(in, tisn), uid);

	if (!tis)
		return PRM_STATUS_BAD_RES;
	*prm_sub(out, tis_context) = tis->ctx;
	return PRM_STATUS_OK;
}

/* prio orders traffic of different queues, and emu's wire has no congestion to order it for. */
EMU_FW(modify_tis)
{
	struct emu_tis *tis = emu_use(emu, EMU_TIS, (uint32_t)prm_get(in, tisn), uid);

	if (!tis)
		return PRM_STATUS_BAD_RES;
	if (prm_get(prm_sub(in, bitmask), prio))
		prm_set(&tis->ctx, prio, prm_get(prm_sub(in, ctx), prio));
	return PRM_STATUS_OK;
}

EMU_FW(destroy_tis)
{
	return emu_destroy(emu, EMU_TIS, (uint32_t)prm_get(in, tisn), uid);
}
