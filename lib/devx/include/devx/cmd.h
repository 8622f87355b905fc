/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_CMD_H
#define DEVX_CMD_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: Firmware commands
 *
 * Sends commands for which the library has no function of its own. A command is a mailbox of
 * big-endian dwords, which the caller fills; the layouts are not installed. The kernel checks
 * whether the user may send the command, sets the user id and passes the mailbox to firmware. The
 * answer begins with a status byte and a syndrome; devx_strerror() formats both.
 *
 *     in:  | opcode  uid | op_mod | object number, context ...
 *     out: | status      | syndrome | number of the new object, context ...
 *
 * The kernel builds the destroy command of an object from the command that created it.
 *
 * Source: Linux drivers/infiniband/hw/mlx5/devx.c; rdma-core mlx5dv_devx_obj_create(3).
 */

/*
 * devx_cmd_create(), devx_cmd_modify(), devx_cmd_query() and devx_cmd_general():
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: 0, or
 *   -EREMOTEIO  firmware refused
 *   -EINVAL     the kernel does not allow users to send this command, or the object number in @in
 *               is not that of @obj
 *   -ENOMEM     out of memory
 *   -EIO        the device was removed
 *   -ENOENT     @obj is imported, and its owner destroyed it
 *   others      as the kernel returned them; if firmware refuses, a kernel before 5.19 returns an
 *               errno and writes status and syndrome only to its log
 */

struct mlx5dv_devx_obj;

/** devx_cmd_is_refused - check whether firmware may have refused; Linux before 5.19 has -EINVAL */
static inline bool devx_cmd_is_refused(int rc)
{
	return rc == -EREMOTEIO || rc == -EINVAL;
}

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_cmd_create - create an object
 * @dev: open device
 * @in: the mailbox, with its opcode set
 * @in_bytes: length of @in; firmware refuses a length other than the layout's
 * @out: all zero; receives the answer
 * @out_bytes: length of @out
 * @obj: receives the handle for devx_cmd_destroy(); unchanged on failure
 */
int devx_cmd_create(struct devx_dev *dev, const void *in, size_t in_bytes, void *out,
		    size_t out_bytes, struct mlx5dv_devx_obj **obj);

/** devx_cmd_modify - change the object @obj; other arguments as devx_cmd_create() */
int devx_cmd_modify(struct devx_dev *dev, struct mlx5dv_devx_obj *obj, const void *in,
		    size_t in_bytes, void *out, size_t out_bytes);

/** devx_cmd_query - read the object @obj; other arguments as devx_cmd_create() */
int devx_cmd_query(struct devx_dev *dev, struct mlx5dv_devx_obj *obj, const void *in,
		   size_t in_bytes, void *out, size_t out_bytes);

/** devx_cmd_general - send a command that has no object; arguments as devx_cmd_create() */
int devx_cmd_general(struct devx_dev *dev, const void *in, size_t in_bytes, void *out,
		     size_t out_bytes);

/**
 * devx_cmd_destroy - destroy an object
 * @dev: device of the object; not read when @obj is NULL
 * @obj: handle from devx_cmd_create(), invalid after the call; NULL: do nothing
 *
 * Firmware refuses while another object refers to @obj. Then @obj exists until the device is
 * closed, and @dev->n_stuck counts it. An imported object is not destroyed, and @dev stores a
 * reason with -EPERM: only the owner can destroy it (devx/share.h).
 *
 * Context: control path; one thread per device; may sleep.
 */
void devx_cmd_destroy(struct devx_dev *dev, struct mlx5dv_devx_obj *obj);

#ifdef __cplusplus
}
#endif

#endif
