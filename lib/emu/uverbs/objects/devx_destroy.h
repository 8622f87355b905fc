/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_DEVX_DESTROY_H
#define EMU_UVERBS_OBJECTS_DEVX_DESTROY_H

#include "emu/uverbs/objects/devx.h"

/**
 * uv_devx_plan_destroy - fill in number and destroy command of an object that firmware has created
 * @in: the create command
 * @out: its output
 */
void uv_devx_plan_destroy(struct uv_devx *o, const void *in, const void *out);

#endif
