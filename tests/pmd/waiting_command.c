/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdatomic.h>
#include <stdint.h>

#include "waiting_command.h"

static atomic_uint n_calls;
static atomic_bool hold_replies;

unsigned waiting_command_count(void)
{
	return n_calls;
}

void waiting_command_hold_replies(bool on)
{
	hold_replies = on;
}

int mlx5dv_devx_obj_query(struct mlx5dv_devx_obj *obj, const void *in, size_t in_bytes, void *out,
			  size_t out_bytes)
{
	const uintptr_t symbol = (uintptr_t)dlsym(RTLD_NEXT, "mlx5dv_devx_obj_query");

	n_calls++;
	return ((int (*)(struct mlx5dv_devx_obj *, const void *, size_t, void *, size_t))symbol)(
		obj, in, in_bytes, out, out_bytes);
}

int mlx5dv_devx_get_async_cmd_comp(struct mlx5dv_devx_cmd_comp *comp,
				   struct mlx5dv_devx_async_cmd_hdr *reply, size_t bytes)
{
	const uintptr_t symbol = (uintptr_t)dlsym(RTLD_NEXT, "mlx5dv_devx_get_async_cmd_comp");

	if (hold_replies)
		return EAGAIN;
	return ((int (*)(struct mlx5dv_devx_cmd_comp *, struct mlx5dv_devx_async_cmd_hdr *,
			 size_t))symbol)(comp, reply, bytes);
}
