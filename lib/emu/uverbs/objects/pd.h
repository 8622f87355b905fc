/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_PD_H
#define EMU_UVERBS_OBJECTS_PD_H

#include "emu/uverbs/base/types.h"

/** struct uv_pd - a protection domain */
struct uv_pd {
	struct uv_obj obj;
	uint32_t pdn;
};

extern const struct uv_type uv_type_pd;

/**
 * uv_pd_create - allocate a PD in firmware; its object has no handle yet
 *
 * Return: 0, -ENOMEM, or firmware's status as -errno
 */
int uv_pd_create(struct uv_file *file, struct uv_pd **pd);

#endif
