/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_CMD_H
#define DEVX_CMD_H

#include <stddef.h>
#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: Firmware commands
 *
 * A command is a mailbox of a layout of lib/prm, with its opcode set. The kernel checks who
 * asks and for which object, sets the user id, and hands it to firmware unread; the answer
 * begins with a status byte and a syndrome.
 *
 *     in:  | opcode  uid | op_mod | object number, context ...
 *     out: | status      | syndrome | number of the new object, context ...
 *
 * An object lives as long as its handle (struct mlx5dv_devx_obj). There are no destroy
 * mailboxes: the kernel makes them from the ones that created.
 *
 * All four keep a refusal in the device, so that devx_strerror() can say it. All of them:
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: 0, or
 *   -EREMOTEIO  firmware refused
 *   -EINVAL     the kernel does not let users send this, or the handle is of another object
 *   -ENOMEM     out of memory
 *   -EIO        the device is gone
 *   others      as the kernel returned them; kernels before 5.19 turn a refusal into one
 *               of these and keep status and syndrome in their log
 *
 * Source: Linux drivers/infiniband/hw/mlx5/devx.c; rdma-core mlx5dv_devx_obj_create(3).
 */

struct mlx5dv_devx_obj;

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_cmd_create - create an object
 * @dev: open device
 * @in: the mailbox
 * @in_bytes: its length; firmware refuses any but the layout's own
 * @out: zeroed; receives the answer
 * @out_bytes: its length
 * @obj: receives the handle; ends with devx_cmd_destroy()
 */
int devx_cmd_create(struct devx_dev *dev, const void *in, size_t in_bytes, void *out,
		    size_t out_bytes, struct mlx5dv_devx_obj **obj);

/** devx_cmd_modify - change an object; arguments as devx_cmd_create(), @obj is the object's */
int devx_cmd_modify(struct devx_dev *dev, struct mlx5dv_devx_obj *obj, const void *in,
		    size_t in_bytes, void *out, size_t out_bytes);

/** devx_cmd_query - read an object; arguments as devx_cmd_create(), @obj is the object's */
int devx_cmd_query(struct devx_dev *dev, struct mlx5dv_devx_obj *obj, const void *in,
		   size_t in_bytes, void *out, size_t out_bytes);

/** devx_cmd_general - a command without an object; arguments as devx_cmd_create() */
int devx_cmd_general(struct devx_dev *dev, const void *in, size_t in_bytes, void *out,
		     size_t out_bytes);

/**
 * devx_cmd_destroy - destroy an object
 * @dev: its device
 * @obj: its handle, or NULL for nothing; gone afterwards
 *
 * Firmware refuses while another object refers to this one. Nothing can be done about it
 * then; the object is counted in @dev->n_stuck and ends with the device.
 */
void devx_cmd_destroy(struct devx_dev *dev, struct mlx5dv_devx_obj *obj);

#ifdef __cplusplus
}
#endif

#endif
