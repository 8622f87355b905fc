/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>

#include "devx/fail.h"
#include "devx/uar.h"

int devx_uar_create(struct devx_uar *uar, struct devx_dev *dev, enum devx_uar_type type)
{
	const bool nc = type == DEVX_UAR_NC;

	if (type != DEVX_UAR_BF && type != DEVX_UAR_NC)
		return devx_fail(dev, -EINVAL,
				 "UAR: type %u is invalid (valid: 0 = BlueFlame, 1 = non-cached)",
				 type);
	errno = 0;
	uar->uar = mlx5dv_devx_alloc_uar(dev->ctx,
					 nc ? MLX5DV_UAR_ALLOC_TYPE_NC : MLX5DV_UAR_ALLOC_TYPE_BF);
	if (!uar->uar)
		return devx_fail_sys(dev, errno ? errno : ENOMEM, "cannot allocate a %s UAR page",
				     nc ? "non-cached" : "BlueFlame");
	uar->reg = uar->uar->reg_addr;
	uar->base = uar->uar->base_addr;
	uar->page_id = uar->uar->page_id;
	uar->nc = nc;
	uar->shared = nc; /* libmlx5 has a single non-cached page per device */
	return 0;
}

void devx_uar_destroy(struct devx_uar *uar)
{
	if (uar->uar)
		mlx5dv_devx_free_uar(uar->uar);
	*uar = (struct devx_uar){ 0 };
}
