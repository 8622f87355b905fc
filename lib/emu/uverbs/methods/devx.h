/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_DEVX_H
#define EMU_UVERBS_METHODS_DEVX_H

#include "emu/uverbs/calls/call.h"

/* Defined in devx.c (objects), devx_async.c (asynchronous queries), devx_other.c (no object). */
extern const struct uv_method uv_methods_devx[], uv_methods_devx_async[], uv_methods_devx_other[];

#endif
