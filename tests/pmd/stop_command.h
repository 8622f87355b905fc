/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STOP_COMMAND_H
#define STOP_COMMAND_H

struct mlx5dv_devx_obj;

/**
 * DOC: The commands that take a queue away from the device
 *
 * Until a MODIFY to RST or a DESTROY takes effect, the device may read and write the buffers of an
 * SQ or RQ. This program interposes mlx5dv_devx_obj_modify() and mlx5dv_devx_obj_destroy() of
 * libmlx5, so that a test can look at the queue at the last moment before such a command.
 */

/**
 * stop_command_watch - call a function before each MODIFY of a queue to RST, and each DESTROY
 * @before: the function; it may run in the thread of the recovery timer. NULL: none
 * @arg: its first argument; the second is the object of the command
 */
void stop_command_watch(void (*before)(void *arg, const struct mlx5dv_devx_obj *obj), void *arg);

#endif
