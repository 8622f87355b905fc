/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_PRELOAD_OPEN_H
#define EMU_UVERBS_PRELOAD_OPEN_H

#include <stdbool.h>

struct uv_path;

/**
 * uv_open_serve - serve an open of a translated path, unless it is libc's
 * @dir, @flags: as for openat()
 * @fd: receives a descriptor, or -1 with errno
 *
 * Return: false: the caller calls libc's function
 */
bool uv_open_serve(int dir, const struct uv_path *path, int flags, int *fd);

#endif
