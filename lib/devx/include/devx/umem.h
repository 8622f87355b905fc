/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_UMEM_H
#define DEVX_UMEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: One registration for the rings of many queues
 *
 * A queue with memory of its own (mem.h) costs a registration: a system call and a firmware
 * command. A umem needs only one registration for the rings of many queues:
 *
 *     | ring of a CQ | ring of an SQ | ring of a CQ | ...  | doorbell records, 64 bytes each |
 *
 * Linux translates a umem in pages of one size, and each ring starts at a multiple of it.
 * devx_umem_create() allows pages of 4 KiB, devx_umem_create_aligned() larger ones.
 *
 * Source: rdma-core mlx5dv_devx_umem_reg(3); Linux, devx_umem_reg_cmd_alloc;
 * mlx5_ifc_create_cq_in_bits, cq_umem_offset; mlx5_ifc_wq_bits, wq_umem_offset and dbr_addr.
 */

struct devx_cq;
struct devx_cq_attr;
struct devx_rq;
struct devx_rq_attr;
struct devx_sq;
struct devx_sq_attr;
struct mlx5dv_devx_umem;

/* A ring starts at a multiple of this page size, which queue contexts name by log size 0. */
enum { DEVX_UMEM_RING_ALIGN = 4096 };

/**
 * struct devx_umem - memory of the caller that the device accesses for queues
 * @addr: start
 * @bytes: length
 * @umem: the registration, or NULL
 * @id: number of the umem in firmware
 * @dev: device of the umem
 * @imported: devx_umem_import() made it from the umem of another process
 */
struct devx_umem {
	void *addr;
	size_t bytes;
	struct mlx5dv_devx_umem *umem;
	uint32_t id;
	struct devx_dev *dev;
	bool imported;
};

/**
 * struct devx_umem_ring - place of a queue in a umem
 * @umem: the umem; must outlive the queue
 * @ring: start of the ring, a multiple of DEVX_UMEM_RING_ALIGN after @umem->addr, or of the
 *        alignment that devx_umem_create_aligned() got
 * @dbrec: the doorbell record, DEVX_DBREC_BYTES at a multiple of that after @umem->addr
 *
 * Only this queue may use the ring and the record. The create function of the queue zeroes both.
 * While the queue exists the caller does not write to them.
 */
struct devx_umem_ring {
	const struct devx_umem *umem;
	void *ring;
	void *dbrec;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_umem_create - register memory for the rings of queues
 * @umem: all zero; all zero again on failure
 * @dev: open device; must outlive @umem
 * @addr: start of the memory, aligned to a page of the CPU; stays mapped until devx_umem_destroy()
 * @bytes: length, whole pages of the CPU, at least one
 *
 * The device may read and write the memory. The call does not change its contents.
 *
 * Context: control path; one thread per @dev; sleeps while the kernel pins every page.
 *
 * Return: 0, or
 *   -EINVAL     @addr is NULL or unaligned; @bytes is 0, or not whole pages
 *   -EFAULT     the memory is not mapped, or not writable
 *   -ENOMEM     out of memory, or RLIMIT_MEMLOCK is too small
 *   others      as the kernel returned them
 */
int devx_umem_create(struct devx_umem *umem, struct devx_dev *dev, void *addr, size_t bytes);

/**
 * devx_umem_create_aligned - as devx_umem_create(), for rings at larger alignments
 * @umem, @dev, @addr, @bytes: as for devx_umem_create()
 * @align: each ring starts at a multiple of @align bytes after @addr; a power of two, at least
 *         DEVX_UMEM_RING_ALIGN. The library does not check rings against @align, but a device may
 *         refuse a ring that starts elsewhere
 *
 * Linux uses pages of up to @align bytes, if they divide the DMA address of the memory and @bytes.
 * It lists each page in CREATE_UMEM, so larger pages make a shorter list for the device. Doorbell
 * records may be anywhere. Source: Linux, devx_umem_find_best_pgsize and devx_umem_reg_cmd_alloc.
 *
 * Return: as devx_umem_create(), and -EINVAL: @align is too small, or not a power of two.
 */
int devx_umem_create_aligned(struct devx_umem *umem, struct devx_dev *dev, void *addr, size_t bytes,
			     size_t align);

/**
 * devx_umem_destroy - end a registration, without freeing the memory
 * @umem: a umem, or all zero; all zero afterwards. If @umem->imported, the registration stays
 *
 * If dev->n_stuck has grown since devx_umem_create(), the device may still write to the memory:
 * then keep it until the process ends.
 *
 * Context: control path; one thread per device; first destroy every queue in @umem.
 */
void devx_umem_destroy(struct devx_umem *umem);

/**
 * devx_cq_create_in_umem - as devx_cq_create(), with a ring in a umem of the caller
 * @cq, @dev: as for devx_cq_create()
 * @attr: as for devx_cq_create(); attr->mem is not read
 * @ring: place of ring and doorbell record; @ring->umem is a umem of @dev
 *
 * devx_cq_destroy() does not change the umem.
 *
 * Return: as devx_cq_create(), and -EINVAL: @ring is not inside a umem of @dev, or unaligned.
 */
int devx_cq_create_in_umem(struct devx_cq *cq, struct devx_dev *dev,
			   const struct devx_cq_attr *attr, const struct devx_umem_ring *ring);

/** devx_sq_create_in_umem - as devx_sq_create(), with @ring as for devx_cq_create_in_umem() */
int devx_sq_create_in_umem(struct devx_sq *sq, struct devx_dev *dev,
			   const struct devx_sq_attr *attr, const struct devx_umem_ring *ring);

/** devx_rq_create_in_umem - as devx_rq_create(), with @ring as for devx_cq_create_in_umem() */
int devx_rq_create_in_umem(struct devx_rq *rq, struct devx_dev *dev,
			   const struct devx_rq_attr *attr, const struct devx_umem_ring *ring);

#ifdef __cplusplus
}
#endif

#endif
