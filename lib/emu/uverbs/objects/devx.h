/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_DEVX_H
#define EMU_UVERBS_OBJECTS_DEVX_H

#include <stddef.h>

#include "emu/uverbs/base/types.h"

enum { UV_DESTROY_DWORDS = 16 };

/** struct uv_devx - a DEVX object */
struct uv_devx {
	struct uv_obj obj;
	uint16_t created_by; /* opcode of its create command, enum prm_opcode */
	uint32_t id;
	uint32_t bulk; /* number of flow counters in the object, 0: one */
	/* the command that destroys the object */
	prm_be32 destroy[UV_DESTROY_DWORDS];
	size_t destroy_bytes;
};

extern const struct uv_type uv_type_devx;

/**
 * uv_devx_check_subject - check that a modify or query command is allowed and names @obj
 * @modify: true: a modify command; false: a query command
 *
 * Return: 0 or -EINVAL
 */
int uv_devx_check_subject(const void *in, size_t in_bytes, bool modify, const struct uv_obj *obj);

/**
 * uv_devx_plan_destroy - fill in number and destroy command of an object that firmware has created
 * @in: the create command
 * @out: its output
 */
void uv_devx_plan_destroy(struct uv_devx *o, const void *in, const void *out);

/**
 * uv_devx_force_umem - set the *_umem_valid bits of command @in
 *
 * A user then cannot pass physical addresses. Memory keys over other memory keys are unchanged.
 */
void uv_devx_force_umem(void *in, size_t bytes);

#endif
