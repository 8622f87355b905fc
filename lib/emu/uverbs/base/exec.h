/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_EXEC_H
#define EMU_UVERBS_BASE_EXEC_H

#include "emu/uverbs/base/types.h"

/**
 * uv_exec_user - execute a firmware command for a DEVX user
 *
 * Return: 0; -EREMOTEIO: firmware refused the command; @out has status and syndrome (as in Linux
 * 5.19 and later); -ENOMSG: a length is not a multiple of 4
 */
int uv_exec_user(struct uv_dev *dev, const void *in, size_t in_bytes, void *out, size_t out_bytes);
/** uv_exec_kernel - execute a command for the kernel. Return: 0, or the status as -errno */
int uv_exec_kernel(struct uv_dev *dev, const void *in, size_t in_bytes, void *out,
		   size_t out_bytes);
#define UV_EXEC(dev, in, out) uv_exec_kernel(dev, &(in), sizeof(in), &(out), sizeof(out))

#endif
