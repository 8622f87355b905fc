/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_METHODS_H
#define EMU_UVERBS_METHODS_METHODS_H

#include "emu/uverbs/base/types.h"

struct uv_method;

/** uv_find_method - find the method of an ioctl (calls/call.h). Return: NULL: no such method */
const struct uv_method *uv_find_method(uint16_t object, uint16_t method);

/**
 * uv_serve_ioctl - execute an ioctl of a uverbs file. The caller holds uv_front_lock()
 *
 * Return: 0 or -errno
 */
int uv_serve_ioctl(struct uv_file *file, int fd, void *arg);

#endif
