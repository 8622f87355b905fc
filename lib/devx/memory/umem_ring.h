/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_UMEM_RING_H
#define DEVX_UMEM_RING_H

#include <stddef.h>

#include "devx/mem.h"
#include "devx/umem.h"

/* Memory of a queue in a umem of the caller. Internal to the library; umem.h has the contracts. */

/**
 * devx_umem_register - devx_umem_create_aligned() without its checks
 * @align: as for devx_umem_create_aligned(); 0: the umem has a single ring, at @addr
 */
int devx_umem_register(struct devx_umem *umem, struct devx_dev *dev, void *addr, size_t bytes,
		       size_t align);

/** devx_umem_ring_offset - get the offset of a ring in its umem, in bytes; 0 if @ring is NULL */
size_t devx_umem_ring_offset(const struct devx_umem_ring *ring);

/**
 * devx_buf_place - use memory of a umem of the caller for a queue, and zero it
 * @buf: all zero; unchanged on failure. devx_buf_destroy() does not change the umem
 * @dev: device of the queue
 * @bytes: size of the ring
 * @ring: the place
 *
 * Return: 0, or -EINVAL if @ring has no umem of @dev, is outside it or is unaligned.
 */
int devx_buf_place(struct devx_buf *buf, struct devx_dev *dev, size_t bytes,
		   const struct devx_umem_ring *ring);

#endif
