/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_FILES_FILE_H
#define EMU_UVERBS_FILES_FILE_H

#include "emu/uverbs/base/types.h"

/** uv_file_open - open the uverbs file of a port. Return: a descriptor, or -errno */
int uv_file_open(unsigned port, int flags);
/** uv_file_find - the file behind a descriptor, or NULL. Lock held */
struct uv_file *uv_file_find(int fd);
/** uv_file_reap - close files that no descriptor of this process refers to any more. Lock held */
void uv_file_reap(void);
/** uv_has_files - anything open at all? Without the lock: a hint for the fast path */
bool uv_has_files(void);

#endif
