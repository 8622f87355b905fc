/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_MEMORY_DMABUF_H
#define EMU_UVERBS_MEMORY_DMABUF_H

#include <stdint.h>

/** UV_DMABUF_STAND_IN - name of a memfd that the front accepts in place of a dma-buf */
#define UV_DMABUF_STAND_IN "devx-emu-dmabuf"

/**
 * uv_dmabuf_get_size - size in bytes of the dma-buf, or of the stand-in, that @fd refers to
 *
 * Return: 0; -EBADF: @fd is not open; -EINVAL: @fd refers to another kind of file
 */
int uv_dmabuf_get_size(int fd, uint64_t *bytes);

#endif
