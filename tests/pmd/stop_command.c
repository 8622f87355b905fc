/* SPDX-License-Identifier: BSD-3-Clause */
#include "stop_command.h"

#include <dlfcn.h>
#include <infiniband/mlx5dv.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "prm/prm.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*watcher)(void *arg, const struct mlx5dv_devx_obj *obj);
static void *watcher_arg;

void stop_command_watch(void (*before)(void *arg, const struct mlx5dv_devx_obj *obj), void *arg)
{
	pthread_mutex_lock(&lock);
	watcher = before;
	watcher_arg = arg;
	pthread_mutex_unlock(&lock);
}

static void call_watcher(const struct mlx5dv_devx_obj *obj)
{
	pthread_mutex_lock(&lock);
	if (watcher)
		watcher(watcher_arg, obj);
	pthread_mutex_unlock(&lock);
}

/* MODIFY_RQ and MODIFY_SQ have the same layout. */
static bool resets_queue(const struct prm_modify_sq_in *in)
{
	const uint64_t op = prm_get(in, opcode);

	return (op == PRM_OP_modify_sq || op == PRM_OP_modify_rq) &&
	       prm_get(prm_sub(in, ctx), state) == PRM_WQ_STATE_RST;
}

int mlx5dv_devx_obj_modify(struct mlx5dv_devx_obj *obj, const void *in, size_t in_bytes, void *out,
			   size_t out_bytes)
{
	const uintptr_t symbol = (uintptr_t)dlsym(RTLD_NEXT, "mlx5dv_devx_obj_modify");

	if (resets_queue(in))
		call_watcher(obj);
	return ((int (*)(struct mlx5dv_devx_obj *, const void *, size_t, void *, size_t))symbol)(
		obj, in, in_bytes, out, out_bytes);
}

int mlx5dv_devx_obj_destroy(struct mlx5dv_devx_obj *obj)
{
	const uintptr_t symbol = (uintptr_t)dlsym(RTLD_NEXT, "mlx5dv_devx_obj_destroy");

	call_watcher(obj);
	return ((int (*)(struct mlx5dv_devx_obj *))symbol)(obj);
}
