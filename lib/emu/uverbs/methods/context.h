/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_CONTEXT_H
#define EMU_UVERBS_METHODS_CONTEXT_H

#include "emu/uverbs/methods/write_command.h"

extern const struct uv_method uv_methods_context[];

int uv_write_get_context(struct uv_write *w);

#endif
