/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_EXEC_H
#define EMU_UVERBS_BASE_EXEC_H

#include "emu/uverbs/base/types.h"

/**
 * uv_exec_user - a command for a user
 *
 * Return: 0; -EREMOTEIO: firmware refused it, @out says why (Linux 5.19+); -ENOMSG: a length
 * that is no multiple of 4
 */
int uv_exec_user(struct uv_dev *dev, const void *in, size_t in_bytes, void *out, size_t out_bytes);
/** uv_exec_kernel - a command of the kernel's. Return: 0, or firmware's status as an errno */
int uv_exec_kernel(struct uv_dev *dev, const void *in, size_t in_bytes, void *out,
		   size_t out_bytes);
#define UV_EXEC(dev, in, out) uv_exec_kernel(dev, &(in), sizeof(in), &(out), sizeof(out))

#endif
