/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_DEVX_ALLOWLIST_H
#define EMU_UVERBS_OBJECTS_DEVX_ALLOWLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prm/prm.h"

/**
 * DOC: What Linux lets DEVX users do
 *
 * The kernel looks at opcodes and object numbers, not at fields: it lets only listed
 * commands through, marks them with the user's id, turns every buffer into a umem, and
 * makes the command that destroys an object out of the one that created it.
 *
 * Source: Linux drivers/infiniband/hw/mlx5/devx.c.
 */

/** uv_devx_may_create - is it on the list of commands that create objects? */
bool uv_devx_may_create(const struct prm_general_obj_in_cmd_hdr *in);
/** uv_devx_may_general - is it on the list of commands without an object? */
bool uv_devx_may_general(const struct prm_general_obj_in_cmd_hdr *in);
/**
 * uv_devx_find_subject - the object that a modify or query command names: its creator and number
 *
 * Return: false if the command is not on the list, or ends before the number
 */
bool uv_devx_find_subject(const void *in, size_t in_bytes, bool modify, uint16_t *created_by,
			  uint32_t *id);

#endif
