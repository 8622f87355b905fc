/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_PP_H
#define EMU_UVERBS_OBJECTS_PP_H

#include "emu/uverbs/base/types.h"

/**
 * DOC: Rate limits for packet pacing
 *
 * mlx5_core keeps a table of the rate limits of a device. Objects with equal contexts share an
 * entry, unless a dedicated one is asked for. The first user of an entry sends SET_PP_RATE_LIMIT,
 * and the last one frees it by the same command.
 *
 * Source: Linux drivers/infiniband/hw/mlx5/qos.c; mlx5/core/rl.c.
 */

/** struct uv_pp - a user of an entry */
struct uv_pp {
	struct uv_obj obj;
	uint16_t index;
};

extern const struct uv_type uv_type_pp;

/**
 * uv_pp_create - use the entry of a rate limit, or set a new one
 * @ctx: the rate limit
 * @dedicated: use an entry that no other object uses
 *
 * Return: 0; -EINVAL: rate out of range; -ENOSPC: no free entry; -ENOMEM; firmware's status as
 * -errno
 */
int uv_pp_create(struct uv_file *file, const struct prm_set_pp_rate_limit_context *ctx,
		 bool dedicated, struct uv_pp **pp);

#endif
