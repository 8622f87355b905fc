/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_CONTROL_CONTROL_H
#define EMU_UVERBS_CONTROL_CONTROL_H

#include <stdbool.h>

#include "emu/uverbs/emu_ctl.h"

/* Members of struct devx_emu_ctl: counters(), fail() and fail_pending() */
int uv_read_counters(unsigned port, struct devx_emu_counters *c, size_t bytes);
void uv_arm_failure(enum devx_emu_fail what, int64_t k, int how);
int64_t uv_query_failure(enum devx_emu_fail what);

/**
 * DOC: Removal and return of a device
 *
 * mlx5_core removes its RDMA device after a fatal error, during a reload, and when the PCI function
 * disappears. Later it registers the RDMA device again. Programs must then open the uverbs file
 * again; files opened before never get a device back.
 *
 * The caller of each function holds uv_front_lock().
 */

/**
 * uv_presence_fail - remove the device of @port from all open files; open() still finds it
 *
 * Return: 0; -EINVAL: no program has opened the device yet
 */
int uv_presence_fail(unsigned port);
/**
 * uv_presence_remove - remove the device of @port from all open files, and hide it from programs
 * @unplug: also hide the directory of the PCI function or sub-function in sysfs
 *
 * Return: 0; -EINVAL: no program has opened the device yet; or -errno of rename()
 */
int uv_presence_remove(unsigned port, bool unplug);
/** uv_presence_restore - undo uv_presence_remove(). Return: 0, or -errno of rename() */
int uv_presence_restore(unsigned port);

#endif
