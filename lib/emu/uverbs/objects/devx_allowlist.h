/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_DEVX_ALLOWLIST_H
#define EMU_UVERBS_OBJECTS_DEVX_ALLOWLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prm/prm.h"

/**
 * DOC: The commands that Linux allows DEVX users to send
 *
 * The kernel checks opcode and object number of a DEVX command, and few other fields. It allows
 * only the commands on its lists. It writes the uid of the context into a command, and forces every
 * buffer to be a umem. It derives an object's destroy command from the create command.
 *
 * Source: Linux drivers/infiniband/hw/mlx5/devx.c.
 */

/** uv_devx_may_create - tell whether Linux allows @in as a command that creates an object */
bool uv_devx_may_create(const struct prm_general_obj_in_cmd_hdr *in);
/** uv_devx_may_general - tell whether Linux allows @in as a command without an object */
bool uv_devx_may_general(const struct prm_general_obj_in_cmd_hdr *in);
/**
 * uv_devx_find_subject - read which object a modify or query command names
 * @modify: true: allow modify commands only; false: query commands only
 * @created_by: receives the opcode that creates such an object
 * @id: receives the number of the object
 *
 * Return: false if Linux does not allow the command, or if @in ends before the number
 */
bool uv_devx_find_subject(const void *in, size_t in_bytes, bool modify, uint16_t *created_by,
			  uint32_t *id);

#endif
