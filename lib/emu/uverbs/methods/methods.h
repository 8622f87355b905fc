/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_METHODS_H
#define EMU_UVERBS_METHODS_METHODS_H

#include "emu/uverbs/base/types.h"

/**
 * uv_serve_ioctl - execute an ioctl of a uverbs file. The caller holds uv_front_lock()
 *
 * Return: 0 or -errno
 */
int uv_serve_ioctl(struct uv_file *file, int fd, void *arg);

#endif
