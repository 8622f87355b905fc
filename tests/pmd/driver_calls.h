/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRIVER_CALLS_H
#define DRIVER_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "devx/dev.h"

/**
 * DOC: Calls that the driver, lib/devx and the tests make to other libraries
 *
 * The linker redirects these calls to driver_calls.c (-Wl,--wrap=NAME in meson.build). Those inside
 * other libraries stay as they are.
 *
 * Each mutex is an error-checking one: a thread that locks its own mutex again, or unlocks one that
 * it does not hold, is a failure of the test. So is a command or a registration that a thread sends
 * to the device of a port without the lock of the port.
 */

/** WRAP - define a call of @type that the linker redirects here; __real_@name is the function */
#define WRAP(type, name, parameters)                                                               \
	type __real_##name parameters;                                                             \
	type __wrap_##name parameters;                                                             \
	type __wrap_##name parameters

/**
 * driver_calls_fail_alloc - make one allocation of the process fail
 * @k: number of allocations before the one that fails; < 0: none fails
 */
void driver_calls_fail_alloc(int k);
/**
 * driver_calls_count_allocations - allocations minus frees
 *
 * Counts those of the driver, of lib/devx and of the test, but not those of EAL. Two results around
 * functions of the driver are equal if these leak nothing.
 */
int driver_calls_count_allocations(void);
/** driver_calls_get_pending_fault - get the allocations left before the failing one; < 0: none */
int driver_calls_get_pending_fault(void);
/** driver_calls_fail_netdev - as driver_calls_fail_alloc(), for calls about network interfaces */
void driver_calls_fail_netdev(int k);
/** driver_calls_get_pending_netdev_fault - as driver_calls_get_pending_fault() */
int driver_calls_get_pending_netdev_fault(void);
/** driver_calls_query - devx_cmd_query() under the lock of the port of @dev */
int driver_calls_query(struct devx_dev *dev, struct mlx5dv_devx_obj *obj, const void *in,
		       size_t in_bytes, void *out, size_t out_bytes);
/** driver_calls_hold - check whether the calling thread holds @mutex */
bool driver_calls_hold(const void *mutex);

#endif
