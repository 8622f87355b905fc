/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devx/cmd.h"
#include "devx/core/fail.h"
#include "devx/mem.h"
#include "devx/memory/umem_ring.h"

enum { CACHE_LINE = 64 };
#define BUF_BYTES_MAX ((size_t)1 << 31)

static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

int devx_mr_create(struct devx_mr *mr, struct devx_dev *dev, void *addr, size_t bytes)
{
	const int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_RELAXED_ORDERING;

	if (!addr || !bytes || (uintptr_t)addr + bytes < (uintptr_t)addr)
		return devx_fail(
			dev, -EINVAL,
			"memory region: %zu bytes at %p are invalid (valid: at least 1 byte, "
			"not at NULL, no wrap at the end of the address space)",
			bytes, addr);
	errno = 0;
	mr->mr = ibv_reg_mr(dev->pd, addr, bytes, access);
	if (!mr->mr) {
		const int err = errno ? errno : ENOMEM;

		return devx_fail_sys(dev, err, "cannot register %zu bytes of packet memory at %p%s",
				     bytes, addr, devx_memlock_hint(err));
	}
	mr->dev = dev;
	mr->addr = (uintptr_t)addr;
	mr->bytes = bytes;
	mr->lkey = mr->mr->lkey;
	return 0;
}

void devx_mr_destroy(struct devx_mr *mr)
{
	if (mr->mr && ibv_dereg_mr(mr->mr))
		devx_stuck_count(mr->dev);
	devx_cmd_destroy(mr->dev, mr->mkey);
	if (mr->umem && mlx5dv_devx_umem_dereg(mr->umem))
		devx_stuck_count(mr->dev);
	*mr = (struct devx_mr){ 0 };
}

size_t devx_buf_bytes(size_t bytes)
{
	return round_up(round_up(bytes, CACHE_LINE) + DEVX_DBREC_BYTES,
			(size_t)sysconf(_SC_PAGESIZE));
}

static int validate_ring_mem(struct devx_dev *dev, size_t need, const struct devx_ring_mem *mem)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if ((uintptr_t)mem->addr % page == 0 && mem->bytes % page == 0 && mem->bytes >= need)
		return 0;
	return devx_fail(dev, -EINVAL,
			 "queue memory: %zu bytes at %p are invalid (valid: whole pages of %zu "
			 "bytes, at least %zu bytes, at a multiple of %zu)",
			 mem->bytes, mem->addr, page, need, page);
}

/* Uses the memory of the caller, or allocates it. @total receives the number of bytes. */
static int get_ring_mem(struct devx_buf *buf, const struct devx_ring_mem *mem, size_t *total)
{
	const size_t need = devx_buf_bytes(buf->bytes);

	if (mem && mem->addr) {
		*total = mem->bytes;
		buf->addr = mem->addr;
		return validate_ring_mem(buf->dev, need, mem);
	}
	*total = need;
	buf->addr = buf->own = aligned_alloc((size_t)sysconf(_SC_PAGESIZE), need);
	return buf->own ? 0
			: devx_fail_sys(buf->dev, ENOMEM, "queue memory: cannot allocate %zu bytes",
					need);
}

static int register_buf(struct devx_buf *buf, size_t total)
{
	struct devx_umem umem = { 0 };
	const int rc = devx_umem_register(&umem, buf->dev, buf->addr, total, 0);

	buf->umem = umem.umem;
	buf->umem_id = umem.id;
	return rc;
}

int devx_buf_create(struct devx_buf *buf, struct devx_dev *dev, size_t bytes,
		    const struct devx_ring_mem *mem)
{
	size_t total;
	int rc;

	if (!bytes || bytes > BUF_BYTES_MAX)
		return devx_fail(dev, -EINVAL,
				 "queue memory: %zu bytes are invalid (valid: 1 to 2^31 bytes)",
				 bytes);
	buf->dev = dev;
	buf->bytes = bytes;
	rc = get_ring_mem(buf, mem, &total);
	if (!rc)
		rc = register_buf(buf, total);
	if (rc) {
		devx_buf_destroy(buf);
		return rc;
	}
	/* The registration comes first: it fails on unmapped memory, where memset() would crash. */
	memset(buf->addr, 0, total);
	buf->dbrec_offset = round_up(bytes, CACHE_LINE);
	buf->dbrec = (char *)buf->addr + buf->dbrec_offset;
	return 0;
}

void devx_buf_destroy(struct devx_buf *buf)
{
	/* While the umem exists, the device can write to the memory: do not free it then. */
	bool in_use = buf->umem && mlx5dv_devx_umem_dereg(buf->umem);

	if (in_use && !devx_stuck_count(buf->dev)) {
		in_use = false;
		/* undoes MADV_DONTFORK of libmlx5, because malloc() may reuse these pages */
		if (buf->own)
			madvise(buf->own, devx_buf_bytes(buf->bytes), MADV_DOFORK);
	}
	if (!in_use)
		free(buf->own);
	*buf = (struct devx_buf){ 0 };
}
