/* SPDX-License-Identifier: BSD-3-Clause */
#include <infiniband/mlx5dv.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include <ethdev_driver.h>
#include <rte_cycles.h>
#include <rte_malloc.h>
#include <rte_mempool.h>

#include "ct.h"
#include "driver_calls.h"
#include "driver_objects.h"

static struct driver_objects live;

void driver_objects_add(enum driver_object kind, int n)
{
	__atomic_add_fetch(&live.n[kind], n, __ATOMIC_RELAXED);
}

static unsigned int count_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	const struct dirent *entry;
	unsigned int n = 0;
	char name[80];

	while (dir && (entry = readdir(dir))) {
		const ssize_t bytes = readlinkat(dirfd(dir), entry->d_name, name, sizeof(name));

		n += bytes > 0 && !memmem(name, (size_t)bytes, "[eventpoll]", 11);
	}
	if (dir)
		closedir(dir);
	return n;
}

uint64_t driver_objects_count_heap_bytes(void)
{
	struct rte_malloc_socket_stats stats = { 0 };

	/* Since 23.11 ethdev frees its shared data with the last port; a search allocates it. */
	EXPECT_EQ(NULL, rte_eth_dev_allocated("no_port"));
	EXPECT_EQ(0, rte_malloc_get_socket_stats(0, &stats));
	return stats.heap_allocsz_bytes;
}

static void count_pool(struct rte_mempool *pool, void *n)
{
	RTE_SET_USED(pool);
	++*(unsigned int *)n;
}

struct driver_objects driver_objects_count(void)
{
	struct driver_objects now = live;

	now.allocations = driver_calls_count_allocations();
	now.descriptors = count_descriptors();
	rte_mempool_walk(count_pool, &now.n_pools);
	now.heap_bytes = driver_objects_count_heap_bytes();
	return now;
}

void driver_objects_expect(const struct driver_objects *then)
{
	for (int i = 0; i < DRIVER_N_OBJECTS; i++) {
		SCOPED_TRACE("objects of kind %d (driver_objects.h)", i);
		EXPECT_EQ(then->n[i], live.n[i]);
	}
}

void driver_objects_expect_all(const struct driver_objects *then)
{
	struct driver_objects now = driver_objects_count();

	/* a thread of emu may have one more for a moment */
	for (int ms = 0; then->descriptors && now.descriptors > then->descriptors && ms < 1000;
	     ms++) {
		rte_delay_us_sleep(1000);
		now.descriptors = count_descriptors();
	}
	driver_objects_expect(then);
	EXPECT_EQ(then->allocations, now.allocations);
	if (then->descriptors)
		EXPECT_GE(then->descriptors, now.descriptors);
	if (then->n_pools == now.n_pools)
		EXPECT_EQ(then->heap_bytes, now.heap_bytes);
}

/* Wraps a call that creates an object and returns it. */
#define CREATE(kind, type, name, parameters, arguments)                                            \
	type *__real_##name parameters;                                                            \
	type *__wrap_##name parameters;                                                            \
	type *__wrap_##name parameters                                                             \
	{                                                                                          \
		type *made = __real_##name arguments;                                              \
                                                                                                   \
		driver_objects_add(kind, made ? 1 : 0);                                            \
		return made;                                                                       \
	}

/* Wraps a call that destroys an object. */
#define DESTROY(kind, result, name, type)                                                          \
	result __real_##name(type *object);                                                        \
	result __wrap_##name(type *object);                                                        \
	result __wrap_##name(type *object)                                                         \
	{                                                                                          \
		driver_objects_add(kind, -1);                                                      \
		return __real_##name(object);                                                      \
	}

/* clang-format off */
CREATE(DRIVER_COMMAND_OBJECT, struct mlx5dv_devx_obj, mlx5dv_devx_obj_create,
       (struct ibv_context *ctx, const void *in, size_t in_bytes, void *out, size_t out_bytes),
       (ctx, in, in_bytes, out, out_bytes))
DESTROY(DRIVER_COMMAND_OBJECT, int, mlx5dv_devx_obj_destroy, struct mlx5dv_devx_obj)
CREATE(DRIVER_MR, struct ibv_mr, ibv_reg_dmabuf_mr,
       (struct ibv_pd *pd, uint64_t offset, size_t bytes, uint64_t iova, int fd, int access),
       (pd, offset, bytes, iova, fd, access))
#ifdef DEVX_HAS_REG_DMABUF_MR
CREATE(DRIVER_MR, struct ibv_mr, mlx5dv_reg_dmabuf_mr,
       (struct ibv_pd *pd, uint64_t offset, size_t bytes, uint64_t iova, int fd, int access,
	int mlx5_access),
       (pd, offset, bytes, iova, fd, access, mlx5_access))
#endif
CREATE(DRIVER_UMEM, struct mlx5dv_devx_umem, mlx5dv_devx_umem_reg,
       (struct ibv_context *ctx, void *addr, size_t bytes, uint32_t access),
       (ctx, addr, bytes, access))
CREATE(DRIVER_UMEM, struct mlx5dv_devx_umem, mlx5dv_devx_umem_reg_ex,
       (struct ibv_context *ctx, struct mlx5dv_devx_umem_in *in),
       (ctx, in))
DESTROY(DRIVER_UMEM, int, mlx5dv_devx_umem_dereg, struct mlx5dv_devx_umem)
CREATE(DRIVER_UAR, struct mlx5dv_devx_uar, mlx5dv_devx_alloc_uar,
       (struct ibv_context *ctx, uint32_t flags),
       (ctx, flags))
DESTROY(DRIVER_UAR, void, mlx5dv_devx_free_uar, struct mlx5dv_devx_uar)
CREATE(DRIVER_EVENT_CHANNEL, struct mlx5dv_devx_event_channel, mlx5dv_devx_create_event_channel,
       (struct ibv_context *ctx, enum mlx5dv_devx_create_event_channel_flags flags),
       (ctx, flags))
DESTROY(DRIVER_EVENT_CHANNEL, void, mlx5dv_devx_destroy_event_channel,
	struct mlx5dv_devx_event_channel)
CREATE(DRIVER_CMD_COMP, struct mlx5dv_devx_cmd_comp, mlx5dv_devx_create_cmd_comp,
       (struct ibv_context *ctx),
       (ctx))
DESTROY(DRIVER_CMD_COMP, void, mlx5dv_devx_destroy_cmd_comp, struct mlx5dv_devx_cmd_comp)
CREATE(DRIVER_MATCHER, struct mlx5dv_flow_matcher, mlx5dv_create_flow_matcher,
       (struct ibv_context *ctx, struct mlx5dv_flow_matcher_attr *attr),
       (ctx, attr))
DESTROY(DRIVER_MATCHER, int, mlx5dv_destroy_flow_matcher, struct mlx5dv_flow_matcher)
CREATE(DRIVER_RATE_LIMIT, struct mlx5dv_pp, mlx5dv_pp_alloc,
       (struct ibv_context *ctx, size_t bytes, const void *context, uint32_t flags),
       (ctx, bytes, context, flags))
DESTROY(DRIVER_RATE_LIMIT, void, mlx5dv_pp_free, struct mlx5dv_pp)
CREATE(DRIVER_DEVICE, struct ibv_context, mlx5dv_open_device,
       (struct ibv_device *device, struct mlx5dv_context_attr *attr),
       (device, attr))
DESTROY(DRIVER_DEVICE, int, ibv_close_device, struct ibv_context)
/* clang-format on */

WRAP(int, pthread_mutex_init, (pthread_mutex_t * mutex, const pthread_mutexattr_t *attr))
{
	driver_objects_add(DRIVER_MUTEX, 1);
	return __real_pthread_mutex_init(mutex, attr);
}

WRAP(int, pthread_mutex_destroy, (pthread_mutex_t * mutex))
{
	const int rc = __real_pthread_mutex_destroy(mutex);

	EXPECT_EQ(0, rc); /* no thread holds it */
	driver_objects_add(DRIVER_MUTEX, -1);
	return rc;
}
