/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_MEM_H
#define DEVX_MEM_H

#include <stddef.h>
#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: Memory that the device accesses
 *
 *     struct devx_mr    packet memory, allocated by the caller or given as a dma-buf (dmabuf.h);
 *                       WQEs name it by its lkey
 *     struct devx_buf   ring and doorbell record of a queue, allocated by the library or by the
 *                       caller (struct devx_ring_mem); queue contexts name it by umem_id
 *
 *          +---------------- page-aligned, whole pages, zeroed ----------------+
 *          | ring, bytes asked for, rounded to a cache line | doorbell record  |
 *          +------------------------------------------------+------------------+
 *
 * PRM-MISSING: a doorbell record can be at any offset of a umem, whatever the page size of the
 * umem (DPDK relies on this).
 *
 * Both are pinned while they exist, and count against the RLIMIT_MEMLOCK of an ordinary user.
 *
 * Source: rdma-core ibv_reg_mr(3), mlx5dv_devx_umem_reg(3); Linux, devx_umem_find_best_pgsize().
 */

struct ibv_mr;
struct mlx5dv_devx_obj;
struct mlx5dv_devx_umem;

enum { DEVX_DBREC_BYTES = 64 }; /* one cache line per doorbell record prevents false sharing */

/**
 * struct devx_mr - registered packet memory
 * @mr: the registration; NULL: the kernel accepted a dma-buf only as @umem (dmabuf.h)
 * @umem: DEVX umem of the dma-buf, or NULL
 * @mkey: memory key of @umem, or NULL
 * @addr: first address, as in data segments of WQEs
 * @bytes: length
 * @lkey: memory key for data segments, host byte order
 * @dev: device of the region
 */
struct devx_mr {
	struct ibv_mr *mr;
	struct mlx5dv_devx_umem *umem;
	struct mlx5dv_devx_obj *mkey;
	uint64_t addr;
	size_t bytes;
	uint32_t lkey;
	struct devx_dev *dev;
};

/**
 * struct devx_ring_mem - memory of the caller for the ring and the doorbell record of one queue
 * @addr: start, aligned to a page of the CPU (sysconf(_SC_PAGESIZE)); NULL: the library allocates
 * @bytes: length, whole pages, at least what devx_cq_bytes(), devx_rq_bytes() or devx_sq_bytes()
 *         returns; the library registers all of it. Not read when @addr is NULL
 *
 * The library zeroes the memory, registers it as a umem, and never frees it. While the queue exists
 * the caller neither writes to the memory nor unmaps it. If dev->n_stuck grew when the queue was
 * destroyed, the device may still write: then keep the memory until the process ends.
 *
 * The device translates the umem in the largest pages that divide both its DMA address and @bytes.
 * Memory in a huge page therefore needs fewer translations.
 */
struct devx_ring_mem {
	void *addr;
	size_t bytes;
};

/**
 * struct devx_buf - memory of a queue
 * @addr: the ring, page-aligned
 * @bytes: size of the ring as requested
 * @dbrec: the doorbell record, 8 bytes
 * @dbrec_offset: offset of the doorbell record from @addr, in bytes
 * @own: the memory, if the library allocated it; NULL: it belongs to the caller
 * @umem: the registration of this memory alone; NULL: it is in a umem of the caller (umem.h)
 * @umem_id: number of the umem in firmware
 * @dev: device of the memory
 */
struct devx_buf {
	void *addr;
	size_t bytes;
	void *dbrec;
	size_t dbrec_offset;
	void *own;
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
 * The device may read and write the memory. With caps.relaxed_ordering_write it may write in any
 * order, but writes a CQE only after the data that the CQE announces.
 *
 * Context: control path; one thread per @dev; sleeps while the kernel pins every page.
 *
 * Return: 0, or
 *   -EINVAL     @addr is NULL, @bytes is 0, or @addr + @bytes wraps
 *   -EFAULT     the memory is not mapped, or not writable
 *   -ENOMEM     out of memory, or RLIMIT_MEMLOCK is too small
 *   others      as the kernel returned them
 */
int devx_mr_create(struct devx_mr *mr, struct devx_dev *dev, void *addr, size_t bytes);

/**
 * devx_mr_destroy - end a registration; does not free the memory
 * @mr: a region, or all zero; all zero afterwards
 *
 * Context: control path; no posted WQE names its lkey.
 */
void devx_mr_destroy(struct devx_mr *mr);

/**
 * devx_buf_bytes - get the memory that a ring and its doorbell record need
 * @bytes: size of the ring, 1..2^31
 *
 * Return: whole pages of the CPU, in bytes.
 */
size_t devx_buf_bytes(size_t bytes);

/**
 * devx_buf_create - register memory of a queue, and allocate it if the caller provides none
 * @buf: all zero; all zero again on failure
 * @dev: open device; must outlive @buf
 * @bytes: size of the ring, 1..2^31
 * @mem: memory of the caller, or NULL
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL     @bytes is out of range; @mem is unaligned, not whole pages, or too small
 *   -EFAULT     @mem is not mapped, or not writable
 *   -ENOMEM     out of memory, or RLIMIT_MEMLOCK is too small
 *   others      as the kernel returned them
 */
int devx_buf_create(struct devx_buf *buf, struct devx_dev *dev, size_t bytes,
		    const struct devx_ring_mem *mem);

/**
 * devx_buf_destroy - undo devx_buf_create(), without freeing the caller's memory
 * @buf: a complete or partial buffer, or all zero; all zero afterwards
 *
 * Context: control path; first destroy the queue in @buf.
 */
void devx_buf_destroy(struct devx_buf *buf);

#ifdef __cplusplus
}
#endif

#endif
