/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_FILES_CONTEXT_H
#define EMU_UVERBS_FILES_CONTEXT_H

#include "emu/uverbs/base/types.h"

/** uv_context_open - GET_CONTEXT: a ucontext for this file. @devx: with a DEVX user id */
int uv_context_open(struct uv_file *file, bool devx);
void uv_context_close(struct uv_file *file);

#endif
