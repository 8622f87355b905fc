/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "devx/core/fail.h"
#include "devx/dmabuf.h"
#include "devx/memory/mkey_umem.h"

enum {
	KERNEL_ENOTSUPP = 524, /* Linux include/linux/errno.h; some exporters return it */
	ALL_ACCESS = DEVX_DMABUF_WRITE | DEVX_DMABUF_DATA_DIRECT,
};

/* Finds the actual mistake: the kernel returns the same errno for several. */
static int explain_refusal(struct devx_dev *dev, int err, const struct devx_dmabuf *from)
{
	const int fd = from->fd;
	const unsigned long long offset = from->offset;
	struct statfs fs = { 0 };
	struct stat st = { 0 };
	uint64_t size;

	if (err == EBADF)
		return devx_fail(dev, -EBADF,
				 "dma-buf region: fd %d is not open (valid: the descriptor of a "
				 "dma-buf, open in this process)",
				 fd);
	if (err == EOPNOTSUPP || err == KERNEL_ENOTSUPP)
		return devx_fail(dev, -EOPNOTSUPP,
				 "dma-buf region: the exporter of fd %d or the kernel does not "
				 "allow this device to access it; see the kernel's log",
				 fd);
	if (err != EINVAL || fstat(fd, &st) || fstatfs(fd, &fs))
		return devx_fail_sys(dev, err, "cannot register %zu bytes of dma-buf fd %d",
				     from->bytes, fd);
	size = (uint64_t)st.st_size;
	if (size && offset >= size)
		return devx_fail(dev, -EINVAL,
				 "dma-buf region: offset %#llx is outside fd %d (valid: below its "
				 "size, %#llx bytes)",
				 offset, fd, (unsigned long long)size);
	if (size && from->bytes > size - offset)
		return devx_fail(dev, -EINVAL,
				 "dma-buf region: %zu bytes at offset %#llx do not fit fd %d "
				 "(valid: up to %llu bytes at this offset)",
				 from->bytes, offset, fd, (unsigned long long)(size - offset));
	if (fs.f_type != DMA_BUF_MAGIC)
		return devx_fail(dev, -EINVAL, "dma-buf region: fd %d is not a dma-buf", fd);
	return devx_fail_sys(dev, err, "cannot register %zu bytes of dma-buf fd %d", from->bytes,
			     fd);
}

static int validate_part(struct devx_dev *dev, const struct devx_dmabuf *from)
{
	const uint64_t in_page = (uint64_t)sysconf(_SC_PAGESIZE) - 1;
	const unsigned long long offset = from->offset, iova = from->iova;

	if (from->fd < 0 || !from->bytes || offset + from->bytes < offset ||
	    iova + from->bytes < iova)
		return devx_fail(dev, -EINVAL,
				 "dma-buf region: fd %d, offset %#llx, %zu bytes, iova %#llx are "
				 "invalid (valid: an open fd, at least 1 byte, no wrap at 2^64)",
				 from->fd, offset, from->bytes, iova);
	if ((offset ^ iova) & in_page)
		return devx_fail(dev, -EINVAL,
				 "dma-buf region: offset %#llx and iova %#llx differ within a page "
				 "(valid: equal modulo the page size, %llu bytes)",
				 offset, iova, (unsigned long long)in_page + 1);
	if (from->access & ~(unsigned)ALL_ACCESS)
		return devx_fail(dev, -EINVAL,
				 "dma-buf region: access %#x is invalid (valid: bits of %#x)",
				 from->access, ALL_ACCESS);
	return 0;
}

/* ---- the memory region of verbs ---------------------------------------------------- */

#ifdef DEVX_HAS_REG_DMABUF_MR

int devx_dmabuf_get_direct_path(struct devx_dev *dev, char *buf, size_t bytes)
{
	const int err = mlx5dv_get_data_direct_sysfs_path(dev->ctx, buf, bytes);

	switch (err) {
	case 0:
		return 0;
	case ENODEV:
		return devx_fail(dev, -ENOTSUP,
				 "Data Direct: this device has no Data Direct function; register "
				 "the dma-buf without the flag");
	case EOPNOTSUPP:
	case EPROTONOSUPPORT:
	case ENOTTY:
		return devx_fail(dev, -ENOTSUP,
				 "Data Direct: this kernel does not support it (valid: Linux 6.12 "
				 "or later); register the dma-buf without the flag");
	default:
		return devx_fail_sys(dev, err, "cannot read the path of the Data Direct function");
	}
}

static struct ibv_mr *register_mr(struct devx_dev *dev, const struct devx_dmabuf *from, int access)
{
	return mlx5dv_reg_dmabuf_mr(
		dev->pd, from->offset, from->bytes, from->iova, from->fd, access,
		from->access & DEVX_DMABUF_DATA_DIRECT ? MLX5DV_REG_DMABUF_ACCESS_DATA_DIRECT : 0);
}

#else

int devx_dmabuf_get_direct_path(struct devx_dev *dev, char *buf, size_t bytes)
{
	(void)buf;
	(void)bytes;
	return devx_fail(dev, -ENOTSUP,
			 "Data Direct: the library was built with an rdma-core without "
			 "mlx5dv_reg_dmabuf_mr() (valid: 54 or later); build with a newer one or "
			 "register the dma-buf without the flag");
}

static struct ibv_mr *register_mr(struct devx_dev *dev, const struct devx_dmabuf *from, int access)
{
	return ibv_reg_dmabuf_mr(dev->pd, from->offset, from->bytes, from->iova, from->fd, access);
}

#endif

/* ---- the umem of DEVX, for kernels that accept no memory region --------------------- */

/* Umem and mkey begin at the page of the first byte; the note in mkey_umem.h says why. */
static int register_umem(struct devx_mr *mr, struct devx_dev *dev, const struct devx_dmabuf *from)
{
	const uint64_t first = from->offset & ((1u << DEVX_MKEY_LOG_PAGE) - 1);
	const bool write = from->access & DEVX_DMABUF_WRITE;
	struct mlx5dv_devx_umem_in in = {
		.addr = (void *)(uintptr_t)(from->offset - first),
		.size = from->bytes + first,
		.access = write ? IBV_ACCESS_LOCAL_WRITE : 0,
		.pgsz_bitmap = 1u << DEVX_MKEY_LOG_PAGE,
		.comp_mask = MLX5DV_UMEM_MASK_DMABUF,
		.dmabuf_fd = from->fd,
	};
	struct devx_mkey_umem_attr attr = { .addr = from->iova - first,
					    .bytes = in.size,
					    .write = write };
	int rc;

	errno = 0;
	mr->umem = mlx5dv_devx_umem_reg_ex(dev->ctx, &in);
	if (!mr->umem)
		return explain_refusal(dev, errno ? errno : ENOMEM, from);
	mr->dev = dev;
	attr.umem_id = mr->umem->umem_id;
	rc = devx_mkey_umem_create(dev, &attr, &mr->mkey, &mr->lkey);
	if (rc)
		devx_mr_destroy(mr);
	return rc;
}

int devx_mr_create_dmabuf(struct devx_mr *mr, struct devx_dev *dev, const struct devx_dmabuf *from)
{
	const int access = IBV_ACCESS_RELAXED_ORDERING |
			   (from->access & DEVX_DMABUF_WRITE ? IBV_ACCESS_LOCAL_WRITE : 0);
	const bool direct = from->access & DEVX_DMABUF_DATA_DIRECT;
	char path[4096];
	int rc = validate_part(dev, from);

	if (!rc && direct)
		rc = devx_dmabuf_get_direct_path(dev, path, sizeof(path));
	if (rc)
		return rc;
	errno = 0;
	mr->mr = register_mr(dev, from, access);
	if (mr->mr)
		mr->lkey = mr->mr->lkey;
	else if (errno == EOPNOTSUPP && !direct)
		rc = register_umem(mr, dev, from);
	else
		rc = explain_refusal(dev, errno ? errno : ENOMEM, from);
	if (rc)
		return rc;
	mr->dev = dev;
	mr->addr = from->iova;
	mr->bytes = from->bytes;
	return 0;
}
