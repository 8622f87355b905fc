/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_DMABUF_H
#define DEVX_DMABUF_H

#include <stddef.h>
#include <stdint.h>

#include "devx/mem.h"

/**
 * DOC: Packet memory in a dma-buf
 *
 * A dma-buf is memory of another driver, such as a GPU driver, represented by a file descriptor.
 * The CPU may be unable to access it. The library tries two ways; to a program both look the same:
 *
 *     1. memory region      mlx5dv_reg_dmabuf_mr(), in rdma-core 44 ibv_reg_dmabuf_mr()
 *     2. if EOPNOTSUPP      DEVX umem of the dma-buf, and an mkey of its own (mkey_umem.h)
 *
 * Linux 7 needs the second way on a device without RoCE. The mkey then begins at the page of the
 * first byte, so the device can also access the bytes before it in that page.
 *
 * Source: rdma-core mlx5dv_reg_dmabuf_mr(3), mlx5dv_devx_umem_reg(3); Linux
 * drivers/infiniband/hw/mlx5/mr.c, reg_user_mr_dmabuf.
 */

/**
 * enum devx_dmabuf_access - access rights beyond reading, and the device's path to the memory
 * @DEVX_DMABUF_WRITE: the device may write, which receiving needs
 * @DEVX_DMABUF_DATA_DIRECT: the device uses its Data Direct function, a second PCI function with a
 *	path of its own to the memory; memory regions only
 */
enum devx_dmabuf_access {
	DEVX_DMABUF_WRITE = 1 << 0,
	DEVX_DMABUF_DATA_DIRECT = 1 << 1,
};

/**
 * struct devx_dmabuf - a part of a dma-buf
 * @fd: the dma-buf; the caller may close it after the call, since the registration holds the memory
 * @offset: offset of the part in the dma-buf, in bytes
 * @bytes: length of the part, at least 1
 * @iova: address of the first byte in WQEs; equal to @offset modulo the page size of the CPU
 * @access: enum devx_dmabuf_access
 */
struct devx_dmabuf {
	int fd;
	uint64_t offset;
	size_t bytes;
	uint64_t iova;
	unsigned access;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_mr_create_dmabuf - register a part of a dma-buf for packets
 * @mr: all zero; all zero again on failure. devx_mr_destroy() ends the registration
 * @dev: open device; must outlive @mr
 * @from: the part; not used after the call
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL      fd is not a dma-buf, or negative; bytes is 0; the part wraps or does not fit the
 *                dma-buf; offset and iova differ within a page; access has unknown bits
 *   -EBADF       fd is not open
 *   -EOPNOTSUPP  the exporter of the dma-buf, rdma-core or the kernel lacks support
 *   -ENOTSUP     the device, rdma-core or the kernel has no Data Direct (as
 *                devx_dmabuf_get_direct_path())
 *   -EREMOTEIO   firmware refused the mkey
 *   -ENOMEM      out of memory
 *   others       as the kernel or the exporter returned them
 */
int devx_mr_create_dmabuf(struct devx_mr *mr, struct devx_dev *dev, const struct devx_dmabuf *from);

/**
 * devx_dmabuf_get_direct_path - get the sysfs path of the device's Data Direct function
 * @dev: open device
 * @buf: receives the path, such as "/sys/devices/pci0000:00/.../0000:03:00.0"
 * @bytes: size of @buf
 *
 * The path shows whether a GPU is near that function. Source: rdma-core
 * mlx5dv_get_data_direct_sysfs_path(3).
 *
 * Context: control path; one thread per @dev.
 *
 * Return: 0, or
 *   -ENOTSUP     the device has no Data Direct function, the kernel does not know it, or the
 *                library was built with an rdma-core before 54
 *   -ENOSPC      @buf is too small
 *   others       as the kernel returned them
 */
int devx_dmabuf_get_direct_path(struct devx_dev *dev, char *buf, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
