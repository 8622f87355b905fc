/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <string.h>
#include <unistd.h>

#include "devx/core/fail.h"
#include "devx/share.h"
#include "devx/share/share_format.h"

/*
 * A queue names a umem by its number, and firmware only checks that its user id matches. Therefore
 * an import works with any rdma-core. With the handle of rdma-core 63 and later an import could
 * also deregister the umem; this library never does that.
 */
#ifdef DEVX_HAS_OBJ_EXPORT

static uint32_t get_rdma_bytes(void)
{
	struct mlx5dv_export_sizes sizes;

	mlx5dv_get_export_sizes(&sizes);
	return sizes.devx_umem_attrs_size;
}

static int export_handle(struct devx_dev *dev, const struct devx_umem *umem, void *rdma)
{
	const int err = mlx5dv_devx_umem_export(umem->umem, rdma);

	return err ? devx_fail_sys(dev, err, "cannot export a umem") : 0;
}

static int import_handle(struct devx_umem *umem, struct devx_dev *dev, void *rdma)
{
	errno = 0;
	umem->umem = mlx5dv_devx_umem_import(dev->ctx, rdma);
	return umem->umem ? 0 : devx_fail_sys(dev, errno ? errno : ENOMEM, "cannot import a umem");
}

#else

static uint32_t get_rdma_bytes(void)
{
	return 0;
}

static int export_handle(__attribute__((unused)) struct devx_dev *dev,
			 __attribute__((unused)) const struct devx_umem *umem,
			 __attribute__((unused)) void *rdma)
{
	return 0;
}

static int import_handle(__attribute__((unused)) struct devx_umem *umem,
			 __attribute__((unused)) struct devx_dev *dev,
			 __attribute__((unused)) void *rdma)
{
	return 0;
}

#endif

int devx_umem_export(struct devx_dev *dev, const struct devx_umem *umem, struct devx_share *share)
{
	struct devx_share_format f;
	int rc;

	if (umem->dev != dev)
		return devx_fail(dev, -EINVAL,
				 "umem: %s; export a umem with the device that created it",
				 umem->dev ? "of another device" : "not registered");
	rc = devx_share_init(dev, DEVX_SHARE_UMEM, get_rdma_bytes(), &f);
	if (!rc)
		rc = export_handle(dev, umem, f.umem.rdma);
	if (rc)
		return rc;
	f.umem.bytes = umem->bytes;
	f.umem.id = umem->id;
	memcpy(share->bytes, &f, sizeof(f));
	return 0;
}

int devx_umem_import(struct devx_umem *umem, struct devx_dev *dev, const struct devx_share *share,
		     void *addr)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct devx_share_format f;
	int rc = devx_share_read(dev, share, DEVX_SHARE_UMEM, get_rdma_bytes(), &f);

	if (!rc)
		rc = devx_share_match(dev, &f);
	if (!rc && (!addr || (uintptr_t)addr % page))
		rc = devx_fail(dev, -EINVAL,
			       "umem: memory at %p is invalid (valid: the mapping of the same "
			       "memory in this process, at a multiple of %zu)",
			       addr, page);
	if (!rc)
		rc = import_handle(umem, dev, f.umem.rdma);
	if (rc)
		return rc;
	umem->addr = addr;
	umem->bytes = f.umem.bytes;
	umem->id = f.umem.id;
	umem->dev = dev;
	umem->imported = true;
	return 0;
}
