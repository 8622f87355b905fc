/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_FILES_CONTEXT_H
#define EMU_UVERBS_FILES_CONTEXT_H

#include "emu/uverbs/base/types.h"

/**
 * uv_context_open - create the user context of a file, for GET_CONTEXT
 * @devx: true: with a DEVX user id
 *
 * Return: 0 or -errno
 */
int uv_context_open(struct uv_file *file, bool devx);
/** uv_context_close - destroy what uv_context_open() created */
void uv_context_close(struct uv_file *file);

#endif
