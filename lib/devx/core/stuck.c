/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx/core/stuck.h"

#include <errno.h>
#include <infiniband/mlx5dv.h>

/*
 * Asks for an event queue, which needs no firmware. The kernel answers EIO to each DEVX method of a
 * removed device. Source: Linux drivers/infiniband/core/uverbs_uapi.c, uverbs_disassociate_api.
 */
static bool is_removed(struct devx_dev *dev)
{
	uint32_t eqn;

	return mlx5dv_devx_query_eqn(dev->ctx, 0, &eqn) == EIO;
}

bool devx_stuck_count(struct devx_dev *dev)
{
	if (is_removed(dev))
		return false;
	dev->n_stuck++;
	return true;
}
