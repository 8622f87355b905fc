/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_PRELOAD_OPEN_H
#define EMU_UVERBS_PRELOAD_OPEN_H

#include <stdbool.h>

struct uv_path;

/**
 * uv_open_serve - open the device that a translated path names, or refuse to change sysfs
 * @dir, @flags: as for openat()
 * @fd: receives a descriptor, or -1 with errno
 *
 * Return: whether @fd is the result. Otherwise the caller calls the function of libc.
 */
bool uv_open_serve(int dir, const struct uv_path *path, int flags, int *fd);

#endif
