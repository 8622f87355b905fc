/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <infiniband/mlx5dv.h>
#include <netlink/errno.h>
#include <netlink/route/link.h>
#include <netlink/route/neighbour.h>
#include <rte_errno.h>
#include <rte_interrupts.h>
#include <rte_malloc.h>
#include <rte_memzone.h>

#include "ct.h"
#include "attach/devx_ethdev.h"
#include "devx/cmd.h"
#include "devx_port.h"
#include "driver_calls.h"
#include "driver_objects.h"

/* ---- allocations ------------------------------------------------------------------------ */

static atomic_int left = -1; /* allocations before the one that fails; < 0: none fails */

void driver_calls_fail_alloc(int k)
{
	left = k;
}

int driver_calls_get_pending_fault(void)
{
	return left;
}

/* Counts a call down. Return: whether it is the one that fails */
static bool take_call(atomic_int *calls)
{
	int n = *calls;

	while (n >= 0)
		if (atomic_compare_exchange_weak(calls, &n, n - 1))
			return n == 0;
	return false;
}

static bool should_fail(void)
{
	return take_call(&left);
}

static atomic_int n_allocations;

int driver_calls_count_allocations(void)
{
	return n_allocations;
}

static void *count_allocation(void *p)
{
	n_allocations += p != NULL;
	return p;
}

WRAP(void *, malloc, (size_t bytes))
{
	return should_fail() ? NULL : count_allocation(__real_malloc(bytes));
}

WRAP(void *, calloc, (size_t n, size_t bytes))
{
	return should_fail() ? NULL : count_allocation(__real_calloc(n, bytes));
}

WRAP(void *, realloc, (void *old, size_t bytes))
{
	void *p = should_fail() ? NULL : __real_realloc(old, bytes);

	return old ? p : count_allocation(p);
}

WRAP(int, posix_memalign, (void **p, size_t align, size_t bytes))
{
	const int rc = should_fail() ? ENOMEM : __real_posix_memalign(p, align, bytes);

	n_allocations += !rc;
	return rc;
}

WRAP(void *, aligned_alloc, (size_t align, size_t bytes))
{
	return should_fail() ? NULL : count_allocation(__real_aligned_alloc(align, bytes));
}

/* The caller frees the text. */
WRAP(FILE *, open_memstream, (char **text, size_t *bytes))
{
	return count_allocation(should_fail() ? NULL : __real_open_memstream(text, bytes));
}

WRAP(void, free, (void *p))
{
	n_allocations -= p != NULL;
	__real_free(p);
}

WRAP(void *, rte_malloc, (const char *type, size_t bytes, unsigned align))
{
	return should_fail() ? NULL : __real_rte_malloc(type, bytes, align);
}

WRAP(void *, rte_malloc_socket, (const char *type, size_t bytes, unsigned align, int socket))
{
	return should_fail() ? NULL : __real_rte_malloc_socket(type, bytes, align, socket);
}

WRAP(void *, rte_zmalloc_socket, (const char *type, size_t bytes, unsigned align, int socket))
{
	return should_fail() ? NULL : __real_rte_zmalloc_socket(type, bytes, align, socket);
}

WRAP(const struct rte_memzone *, rte_memzone_reserve,
     (const char *name, size_t bytes, int socket, unsigned flags))
{
	return should_fail() ? NULL : __real_rte_memzone_reserve(name, bytes, socket, flags);
}

WRAP(int, rte_mempool_event_callback_register, (rte_mempool_event_callback * call, void *arg))
{
	int rc = -1;

	rte_errno = ENOMEM;
	if (!should_fail())
		rc = __real_rte_mempool_event_callback_register(call, arg);
	driver_objects_add(DRIVER_MEMPOOL_CALLBACK, rc ? 0 : 1);
	return rc;
}

WRAP(int, rte_mempool_event_callback_unregister, (rte_mempool_event_callback * call, void *arg))
{
	const int rc = __real_rte_mempool_event_callback_unregister(call, arg);

	driver_objects_add(DRIVER_MEMPOOL_CALLBACK, rc ? 0 : -1);
	return rc;
}

WRAP(struct rte_intr_handle *, rte_intr_instance_alloc, (uint32_t flags))
{
	struct rte_intr_handle *h = should_fail() ? NULL : __real_rte_intr_instance_alloc(flags);

	driver_objects_add(DRIVER_INTERRUPT_HANDLE, h ? 1 : 0);
	return h;
}

WRAP(void, rte_intr_instance_free, (struct rte_intr_handle * h))
{
	driver_objects_add(DRIVER_INTERRUPT_HANDLE, h ? -1 : 0);
	__real_rte_intr_instance_free(h);
}

WRAP(struct rte_eth_dev *, rte_eth_dev_allocate, (const char *name))
{
	return should_fail() ? NULL : __real_rte_eth_dev_allocate(name);
}

/* ---- network interfaces ----------------------------------------------------------------- */

static atomic_int netdev_left = -1; /* calls before the one that fails; < 0: none fails */

void driver_calls_fail_netdev(int k)
{
	netdev_left = k;
}

int driver_calls_get_pending_netdev_fault(void)
{
	return netdev_left;
}

/* Wraps a call of libnl. */
#define NETLINK(name, parameters, arguments)                                                       \
	WRAP(int, name, parameters)                                                                \
	{                                                                                          \
		return take_call(&netdev_left) ? -NLE_BUSY : __real_##name arguments;              \
	}

NETLINK(rtnl_link_get_kernel,
	(struct nl_sock * sock, int index, const char *name, struct rtnl_link **link),
	(sock, index, name, link))
NETLINK(rtnl_link_change,
	(struct nl_sock * sock, struct rtnl_link *link, struct rtnl_link *change, int flags),
	(sock, link, change, flags))
NETLINK(rtnl_neigh_add, (struct nl_sock * sock, struct rtnl_neigh *entry, int flags),
	(sock, entry, flags))
NETLINK(rtnl_neigh_delete, (struct nl_sock * sock, struct rtnl_neigh *entry, int flags),
	(sock, entry, flags))

/* Those of ethtool, and the test's own. */
WRAP(int, ioctl, (int fd, unsigned long request, void *arg))
{
	if (take_call(&netdev_left)) {
		errno = EBUSY;
		return -1;
	}
	return __real_ioctl(fd, request, arg);
}

/* ---- mutexes ---------------------------------------------------------------------------- */

enum { HELD_MAX = 16 };
static __thread const pthread_mutex_t *held[HELD_MAX]; /* by this thread; NULL: a free place */

static const pthread_mutex_t **find_held(const void *mutex)
{
	for (int i = 0; i < HELD_MAX; i++)
		if (held[i] == mutex)
			return &held[i];
	return NULL;
}

bool driver_calls_hold(const void *mutex)
{
	return find_held(mutex) != NULL;
}

static void note_lock(const pthread_mutex_t *mutex)
{
	const pthread_mutex_t **place = find_held(NULL);

	if (place)
		*place = mutex;
	else
		ADD_FAILURE("a thread holds more than %d mutexes", HELD_MAX);
}

WRAP(int, pthread_mutex_lock, (pthread_mutex_t * mutex))
{
	int rc;

	if (find_held(mutex)) {
		ADD_FAILURE("mutex %p: the thread holds it already", (void *)mutex);
		abort(); /* otherwise the thread never returns */
	}
	rc = __real_pthread_mutex_lock(mutex);
	if (!rc)
		note_lock(mutex);
	return rc;
}

WRAP(int, pthread_mutex_trylock, (pthread_mutex_t * mutex))
{
	const int rc = __real_pthread_mutex_trylock(mutex);

	if (!rc)
		note_lock(mutex);
	return rc;
}

WRAP(int, pthread_mutex_unlock, (pthread_mutex_t * mutex))
{
	const pthread_mutex_t **place = find_held(mutex);

	if (!place) {
		ADD_FAILURE("mutex %p: unlocked by a thread that does not hold it", (void *)mutex);
		return EPERM;
	}
	*place = NULL;
	return __real_pthread_mutex_unlock(mutex);
}

/* ---- the device ------------------------------------------------------------------------- */

/* Returns the port whose device has this context and that other threads may use, or NULL. */
static struct devx_eth *find_port(const struct ibv_context *ctx)
{
	for (uint16_t i = 0; i < RTE_MAX_ETHPORTS; i++) {
		struct devx_eth *eth;

		if (rte_eth_devices[i].state != RTE_ETH_DEV_ATTACHED ||
		    rte_eth_devices[i].dev_ops != &devx_eth_ops)
			continue;
		eth = devx_eth_port_get(&rte_eth_devices[i]);
		if (eth->dev.ctx == ctx && eth->recovery.ready)
			return eth;
	}
	return NULL;
}

static void expect_lock(const struct ibv_context *ctx, const char *call)
{
	const struct devx_eth *eth = find_port(ctx);

	if (eth && !driver_calls_hold(&eth->lock))
		ADD_FAILURE("%s() without the lock of %s", call, eth->name);
}

int driver_calls_query(struct devx_dev *dev, struct mlx5dv_devx_obj *obj, const void *in,
		       size_t in_bytes, void *out, size_t out_bytes)
{
	struct devx_eth *eth = find_port(dev->ctx);
	int rc;

	pthread_mutex_lock(&eth->lock);
	rc = devx_cmd_query(dev, obj, in, in_bytes, out, out_bytes);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

WRAP(int, devx_cmd_general,
     (struct devx_dev * dev, const void *in, size_t in_bytes, void *out, size_t out_bytes))
{
	expect_lock(dev->ctx, "devx_cmd_general");
	return __real_devx_cmd_general(dev, in, in_bytes, out, out_bytes);
}

WRAP(int, devx_cmd_create,
     (struct devx_dev * dev, const void *in, size_t in_bytes, void *out, size_t out_bytes,
      struct mlx5dv_devx_obj **obj))
{
	expect_lock(dev->ctx, "devx_cmd_create");
	return __real_devx_cmd_create(dev, in, in_bytes, out, out_bytes, obj);
}

WRAP(int, devx_cmd_modify,
     (struct devx_dev * dev, struct mlx5dv_devx_obj *obj, const void *in, size_t in_bytes,
      void *out, size_t out_bytes))
{
	expect_lock(dev->ctx, "devx_cmd_modify");
	return __real_devx_cmd_modify(dev, obj, in, in_bytes, out, out_bytes);
}

WRAP(int, devx_cmd_query,
     (struct devx_dev * dev, struct mlx5dv_devx_obj *obj, const void *in, size_t in_bytes,
      void *out, size_t out_bytes))
{
	expect_lock(dev->ctx, "devx_cmd_query");
	return __real_devx_cmd_query(dev, obj, in, in_bytes, out, out_bytes);
}

WRAP(void, devx_cmd_destroy, (struct devx_dev * dev, struct mlx5dv_devx_obj *obj))
{
	if (obj)
		expect_lock(dev->ctx, "devx_cmd_destroy");
	__real_devx_cmd_destroy(dev, obj);
}

WRAP(struct ibv_mr *, ibv_reg_mr_iova2,
     (struct ibv_pd * pd, void *addr, size_t bytes, uint64_t iova, unsigned access))
{
	struct ibv_mr *mr;

	expect_lock(pd->context, "ibv_reg_mr_iova2");
	mr = __real_ibv_reg_mr_iova2(pd, addr, bytes, iova, access);
	driver_objects_add(DRIVER_MR, mr ? 1 : 0);
	return mr;
}

WRAP(int, ibv_dereg_mr, (struct ibv_mr * mr))
{
	expect_lock(mr->context, "ibv_dereg_mr");
	driver_objects_add(DRIVER_MR, -1);
	return __real_ibv_dereg_mr(mr);
}
