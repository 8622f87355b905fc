/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_METHODS_H
#define EMU_UVERBS_METHODS_METHODS_H

#include "emu/uverbs/base/types.h"

/** uv_serve_ioctl - serve an ioctl of a uverbs file. Lock held. Return: 0 or -errno */
int uv_serve_ioctl(struct uv_file *file, int fd, void *arg);

#endif
