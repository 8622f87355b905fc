/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_DEVICE_H
#define EMU_UVERBS_METHODS_DEVICE_H

#include "emu/uverbs/methods/write_command.h"

extern const struct uv_method uv_methods_device[];

/* defined in query_device.c */
int uv_write_query_device(struct uv_write *w);
int uv_write_query_device_ex(struct uv_write *w);

#endif
