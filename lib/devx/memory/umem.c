/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "devx/core/fail.h"
#include "devx/memory/umem_ring.h"
#include "devx/umem.h"

/*
 * The device reads rings and doorbell records, and writes only to the ring of a CQ. All of them are
 * registered with LOCAL_WRITE only: firmware is known to refuse an RQ in a umem with more rights.
 */
enum { ACCESS = IBV_ACCESS_LOCAL_WRITE };

/*
 * Allows Linux to use pages of 4 KiB to @align bytes. Without a list of sizes Linux uses the
 * largest page that fits, and each ring would have to start where the umem starts. An older kernel
 * always uses pages of the CPU, and refuses the unknown attribute with EPROTONOSUPPORT. Source:
 * Linux, devx_umem_reg_cmd_alloc, uverbs_process_attr.
 */
static struct mlx5dv_devx_umem *register_rings(struct devx_dev *dev, void *addr, size_t bytes,
					       size_t align)
{
	struct mlx5dv_devx_umem_in in = {
		.addr = addr,
		.size = bytes,
		.access = ACCESS,
		.pgsz_bitmap = 2 * (uint64_t)align - DEVX_UMEM_RING_ALIGN,
	};
	struct mlx5dv_devx_umem *umem = mlx5dv_devx_umem_reg_ex(dev->ctx, &in);

	if (!umem && (errno == EPROTONOSUPPORT || errno == EOPNOTSUPP))
		umem = mlx5dv_devx_umem_reg(dev->ctx, addr, bytes, ACCESS);
	return umem;
}

int devx_umem_register(struct devx_umem *umem, struct devx_dev *dev, void *addr, size_t bytes,
		       size_t align)
{
	errno = 0;
	umem->umem = align ? register_rings(dev, addr, bytes, align)
			   : mlx5dv_devx_umem_reg(dev->ctx, addr, bytes, ACCESS);
	if (!umem->umem) {
		const int err = errno ? errno : ENOMEM;

		return devx_fail_sys(dev, err, "cannot register %zu bytes of queue memory%s", bytes,
				     devx_memlock_hint(err));
	}
	umem->addr = addr;
	umem->bytes = bytes;
	umem->id = umem->umem->umem_id;
	umem->dev = dev;
	return 0;
}

int devx_umem_create(struct devx_umem *umem, struct devx_dev *dev, void *addr, size_t bytes)
{
	return devx_umem_create_aligned(umem, dev, addr, bytes, DEVX_UMEM_RING_ALIGN);
}

int devx_umem_create_aligned(struct devx_umem *umem, struct devx_dev *dev, void *addr, size_t bytes,
			     size_t align)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (!addr || (uintptr_t)addr % page || !bytes || bytes % page)
		return devx_fail(dev, -EINVAL,
				 "umem: %zu bytes at %p are invalid (valid: whole pages of %zu "
				 "bytes, at least one, at a multiple of %zu)",
				 bytes, addr, page, page);
	if (align < DEVX_UMEM_RING_ALIGN || align & (align - 1))
		return devx_fail(dev, -EINVAL,
				 "umem: rings at multiples of %zu bytes are invalid (valid: a "
				 "power of two, at least %d)",
				 align, DEVX_UMEM_RING_ALIGN);
	return devx_umem_register(umem, dev, addr, bytes, align);
}

/* An import leaves the registration to the device that created it. */
void devx_umem_destroy(struct devx_umem *umem)
{
	if (umem->imported) {
#ifdef DEVX_HAS_OBJ_EXPORT
		mlx5dv_devx_umem_unimport(umem->umem);
#endif
	} else if (umem->umem && mlx5dv_devx_umem_dereg(umem->umem)) {
		devx_stuck_count(umem->dev);
	}
	*umem = (struct devx_umem){ 0 };
}

size_t devx_umem_ring_offset(const struct devx_umem_ring *ring)
{
	return ring ? (size_t)((char *)ring->ring - (char *)ring->umem->addr) : 0;
}

static bool is_place_in_umem(const struct devx_umem *umem, const void *addr, size_t n, size_t align)
{
	const uintptr_t offset = (uintptr_t)addr - (uintptr_t)umem->addr;

	return offset % align == 0 && n <= umem->bytes && offset <= umem->bytes - n;
}

static int validate_umem_ring(struct devx_dev *dev, const struct devx_umem_ring *ring, size_t bytes)
{
	if (!ring->umem || ring->umem->dev != dev)
		return devx_fail(dev, -EINVAL,
				 "queue memory: no umem; set ring->umem to one that "
				 "devx_umem_create() made on the device of the queue");
	if (is_place_in_umem(ring->umem, ring->ring, bytes, DEVX_UMEM_RING_ALIGN) &&
	    is_place_in_umem(ring->umem, ring->dbrec, DEVX_DBREC_BYTES, DEVX_DBREC_BYTES))
		return 0;
	return devx_fail(
		dev, -EINVAL,
		"queue memory: a ring of %zu bytes at %p with its doorbell record at %p is "
		"invalid (valid: inside the umem of %zu bytes at %p, the ring at a "
		"multiple of %d bytes, the record at a multiple of %d)",
		bytes, ring->ring, ring->dbrec, ring->umem->bytes, ring->umem->addr,
		DEVX_UMEM_RING_ALIGN, DEVX_DBREC_BYTES);
}

int devx_buf_place(struct devx_buf *buf, struct devx_dev *dev, size_t bytes,
		   const struct devx_umem_ring *ring)
{
	const int rc = validate_umem_ring(dev, ring, bytes);

	if (rc)
		return rc;
	memset(ring->ring, 0, bytes);
	memset(ring->dbrec, 0, DEVX_DBREC_BYTES);
	*buf = (struct devx_buf){ .addr = ring->ring,
				  .bytes = bytes,
				  .dbrec = ring->dbrec,
				  .dbrec_offset =
					  (size_t)((char *)ring->dbrec - (char *)ring->ring),
				  .umem_id = ring->umem->id,
				  .dev = dev };
	return 0;
}
