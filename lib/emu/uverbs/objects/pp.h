/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_PP_H
#define EMU_UVERBS_OBJECTS_PP_H

#include "emu/uverbs/base/types.h"

/**
 * DOC: Rate limits for packet pacing
 *
 * mlx5_core keeps a table of a device's rate limits. Objects with equal contexts share an entry,
 * unless the user asks for a dedicated one. The first use of an entry sends SET_PP_RATE_LIMIT; at
 * the end of the last use, the same command frees the entry.
 *
 * Source: Linux drivers/infiniband/hw/mlx5/qos.c; mlx5/core/rl.c.
 */

/** struct uv_pp - one use of a table entry */
struct uv_pp {
	struct uv_obj obj;
	uint16_t index;
};

extern const struct uv_type uv_type_pp;

/**
 * uv_pp_create - use the table entry of a rate limit, or set up a new entry
 * @ctx: the rate limit
 * @dedicated: share the entry with no other object
 *
 * Return: 0; -EINVAL: rate out of range; -ENOSPC: no free entry; -ENOMEM; firmware's status as
 * -errno
 */
int uv_pp_create(struct uv_file *file, const struct prm_set_pp_rate_limit_context *ctx,
		 bool dedicated, struct uv_pp **pp);

#endif
