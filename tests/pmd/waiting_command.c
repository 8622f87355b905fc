/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "wait_limit.h"
#include "waiting_command.h"

enum { STEP_MS = 1, MAX_STEPS = WAIT_LIMIT_MS / STEP_MS };

static atomic_uint n_calls;
static atomic_bool hold, held, hold_replies;

unsigned waiting_command_count(void)
{
	return n_calls;
}

void waiting_command_hold(void)
{
	hold = true;
}

bool waiting_command_is_held(void)
{
	return held;
}

void waiting_command_release(void)
{
	hold = false;
}

void waiting_command_hold_replies(bool on)
{
	hold_replies = on;
}

static void hold_if_asked(void)
{
	const struct timespec step = { .tv_nsec = STEP_MS * 1000000L };

	held = hold;
	for (int i = 0; hold && i < MAX_STEPS; i++)
		nanosleep(&step, NULL);
	hold = false;
	held = false;
}

int mlx5dv_devx_obj_query(struct mlx5dv_devx_obj *obj, const void *in, size_t in_bytes, void *out,
			  size_t out_bytes)
{
	const uintptr_t symbol = (uintptr_t)dlsym(RTLD_NEXT, "mlx5dv_devx_obj_query");

	n_calls++;
	hold_if_asked();
	return ((int (*)(struct mlx5dv_devx_obj *, const void *, size_t, void *, size_t))symbol)(
		obj, in, in_bytes, out, out_bytes);
}

int mlx5dv_devx_general_cmd(struct ibv_context *ctx, const void *in, size_t in_bytes, void *out,
			    size_t out_bytes)
{
	const uintptr_t symbol = (uintptr_t)dlsym(RTLD_NEXT, "mlx5dv_devx_general_cmd");

	hold_if_asked();
	return ((int (*)(struct ibv_context *, const void *, size_t, void *, size_t))symbol)(
		ctx, in, in_bytes, out, out_bytes);
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
