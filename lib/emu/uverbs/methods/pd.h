/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_PD_H
#define EMU_UVERBS_METHODS_PD_H

#include "emu/uverbs/methods/write_command.h"

extern const struct uv_method uv_methods_pd[];

int uv_write_alloc_pd(struct uv_write *w);

#endif
