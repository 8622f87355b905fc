/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/profile.h"
#include "emu/firmware/cmd.h"
#include "emu/queue/sq.h"

static void drop_tis(EMU_UNUSED struct emu *emu, struct emu_obj *obj)
{
	emu_unref(((struct emu_tis *)obj)->td);
}

/*
 * PRM-MISSING: a TIS is refused whose lag_tx_port_affinity is above num_lag_ports. (net_mlx5,
 * mlx5_setup_tis, and Linux's mlx5e create one TIS per port of a bond, numbered from 1.)
 */
uint8_t emu_fw_create_tis(EMU_FW_ARGS(create_tis))
{
	const struct prm_tisc *tisc = prm_sub(in, ctx);
	const unsigned ports = emu->profile->options.lag == EMU_LAG_NONE ? 0 : EMU_LAG_PORTS;
	struct emu_td *td = emu_use_field(emu, EMU_TD, tisc, transport_domain, uid);
	struct emu_tis *tis;

	if (!td)
		return PRM_STATUS_BAD_RES;
	if (prm_get(tisc, lag_tx_port_affinity) > ports)
		return emu_refuse_range(emu, EMU_SYND_LIMIT, "lag_tx_port_affinity",
					prm_get(tisc, lag_tx_port_affinity), 0, ports);
	tis = emu_make_object(emu, EMU_TIS, uid, sizeof(*tis), drop_tis);
	if (!tis)
		return PRM_STATUS_LIM_ERR;
	tis->td = td;
	tis->ctx = *tisc;
	emu_ref(td);
	prm_set(out, tisn, tis->obj.id);
	return PRM_STATUS_OK;
}

uint8_t emu_fw_query_tis(EMU_FW_ARGS(query_tis))
{
	const struct emu_tis *tis = emu_use_field(emu, EMU_TIS, in, tisn, uid);

	if (!tis)
		return PRM_STATUS_BAD_RES;
	*prm_sub(out, tis_context) = tis->ctx;
	return PRM_STATUS_OK;
}

/* prio has no effect: emu serves all send queues alike. */
uint8_t emu_fw_modify_tis(EMU_FW_ARGS(modify_tis))
{
	struct emu_tis *tis = emu_use_field(emu, EMU_TIS, in, tisn, uid);

	if (!tis)
		return PRM_STATUS_BAD_RES;
	if (prm_get(prm_sub(in, bitmask), prio))
		prm_set(&tis->ctx, prio, prm_get(prm_sub(in, ctx), prio));
	return PRM_STATUS_OK;
}

uint8_t emu_fw_destroy_tis(EMU_FW_ARGS(destroy_tis))
{
	return emu_destroy_field(emu, EMU_TIS, in, tisn, uid);
}
