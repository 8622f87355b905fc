/* SPDX-License-Identifier: BSD-3-Clause */
#include "sweep_pieces.h"

int sweep_create_mkey_list(union object *o, struct devx_rig *rig)
{
	const struct devx_mkey_piece piece = { rig->mr.lkey, 100, rig->mr.addr };

	return devx_mkey_create_list((struct devx_mkey *)o, &rig->dev, 0, &piece, 1);
}

int sweep_create_mkey_fixed(union object *o, struct devx_rig *rig)
{
	const struct devx_mkey_piece piece = { rig->mr.lkey, 0, rig->mr.addr };

	return devx_mkey_create_fixed((struct devx_mkey *)o, &rig->dev, 0, 12, &piece, 1);
}

int sweep_create_mkey_strided(union object *o, struct devx_rig *rig)
{
	const struct devx_mkey_stride stride = { rig->mr.lkey, 8, 16, rig->mr.addr };

	return devx_mkey_create_strided((struct devx_mkey *)o, &rig->dev, 0, 4, &stride, 1);
}

int sweep_create_pp(union object *o, struct devx_rig *rig)
{
	const struct devx_pp_attr attr = { .kbps = 1000, .dedicated = true };

	return devx_pp_create((struct devx_pp *)o, &rig->dev, &attr);
}
