/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_MEM_H
#define DEVX_MEM_H

#include <stddef.h>
#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: Memory that the device reaches
 *
 *     struct devx_mr    packet memory: the caller's, any address; WQEs name it by its lkey
 *     struct devx_buf   a queue's ring and doorbell record: ours; contexts name it by umem_id
 *
 *          +---------------- page-aligned, whole pages, zeroed ----------------+
 *          | ring, bytes asked for, rounded to a cache line | doorbell record  |
 *          +------------------------------------------------+------------------+
 *
 * PRM-MISSING: a record may stand at any offset of a umem, whatever its page size (DPDK relies on
 * it).
 *
 * Both are pinned while they exist: an ordinary user needs room in RLIMIT_MEMLOCK.
 *
 * Source: rdma-core ibv_reg_mr(3), ibv_reg_dmabuf_mr(3), mlx5dv_devx_umem_reg(3).
 */

struct ibv_mr;
struct mlx5dv_devx_umem;

enum { DEVX_DBREC_BYTES = 64 }; /* a record has a cache line of its own: no false sharing */

/**
 * struct devx_mr - registered packet memory
 * @mr: the registration
 * @addr: first address, as WQEs give it
 * @bytes: length
 * @lkey: key for data segments, host endian
 * @dev: its device
 */
struct devx_mr {
	struct ibv_mr *mr;
	uint64_t addr;
	size_t bytes;
	uint32_t lkey;
	struct devx_dev *dev;
};

/**
 * struct devx_buf - memory of a queue
 * @addr: the ring
 * @bytes: of the ring, as asked for
 * @dbrec: the doorbell record, 8 bytes
 * @dbrec_offset: its distance from @addr
 * @umem: the registration
 * @umem_id: its number in firmware
 * @dev: its device
 */
struct devx_buf {
	void *addr;
	size_t bytes;
	void *dbrec;
	size_t dbrec_offset;
	struct mlx5dv_devx_umem *umem;
	uint32_t umem_id;
	struct devx_dev *dev;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_mr_create - register memory for packets
 * @mr: all zero; all zero again on failure
 * @dev: open device; must outlive @mr
 * @addr: start of the memory; must stay mapped until devx_mr_destroy()
 * @bytes: length, at least 1
 *
 * The device may read and write it, and writes may pass each other (relaxed ordering)
 * where the device offers that; completions never pass the data they announce.
 *
 * Context: control path; one thread per @dev; may sleep long: every page is pinned.
 *
 * Return: 0, or
 *   -EINVAL     @addr is NULL, @bytes is 0, or the range wraps
 *   -EFAULT     the memory is not mapped, or not writable
 *   -ENOMEM     out of memory, or RLIMIT_MEMLOCK is too small
 *   others      as the kernel returned them
 */
int devx_mr_create(struct devx_mr *mr, struct devx_dev *dev, void *addr, size_t bytes);

/**
 * devx_mr_create_dmabuf - register a part of a dma-buf for packets
 * @mr: all zero; all zero again on failure
 * @dev: open device; must outlive @mr
 * @fd: the dma-buf; not kept
 * @offset: of the part
 * @bytes: length of the part, at least 1
 * @iova: address that WQEs will use for its first byte; equal to @offset within a page
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL      @fd is negative, @bytes is 0, the range wraps or leaves the dma-buf,
 *                @offset and @iova differ within a page, or the device cannot (it needs UMR)
 *   -EOPNOTSUPP  rdma-core or kernel without dma-buf support
 *   -EBADF       @fd is no dma-buf
 *   -ENOMEM      out of memory
 *   others       as the kernel returned them
 */
int devx_mr_create_dmabuf(struct devx_mr *mr, struct devx_dev *dev, int fd, uint64_t offset,
			  size_t bytes, uint64_t iova);

/**
 * devx_mr_destroy - end a registration; the memory itself is the caller's
 * @mr: a region, or all zero; all zero afterwards
 *
 * Context: control path; no posted WQE names its lkey.
 */
void devx_mr_destroy(struct devx_mr *mr);

/**
 * devx_buf_create - allocate and register memory of a queue
 * @buf: all zero; all zero again on failure
 * @dev: open device; must outlive @buf
 * @bytes: of the ring, 1..2^31
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL     @bytes out of range
 *   -ENOMEM     out of memory, or RLIMIT_MEMLOCK is too small
 *   others      as the kernel returned them
 */
int devx_buf_create(struct devx_buf *buf, struct devx_dev *dev, size_t bytes);

/**
 * devx_buf_destroy - undo devx_buf_create(), however far it got
 * @buf: a buffer, a part of one, or all zero; all zero afterwards
 *
 * Context: control path; no queue lives in it any more.
 */
void devx_buf_destroy(struct devx_buf *buf);

#ifdef __cplusplus
}
#endif

#endif
