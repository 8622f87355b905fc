/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <string.h>

#include "devx/core/fail.h"
#include "devx/share.h"
#include "devx/share/share_format.h"

#ifdef DEVX_HAS_OBJ_EXPORT

static uint32_t get_rdma_bytes(void)
{
	struct mlx5dv_export_sizes sizes;

	mlx5dv_get_export_sizes(&sizes);
	return sizes.devx_obj_attrs_size;
}

int devx_obj_export(struct devx_dev *dev, struct mlx5dv_devx_obj *obj, struct devx_share *share)
{
	struct devx_share_format f;
	int rc, err;

	if (!obj)
		return devx_fail(dev, -EINVAL, "object: no handle; create the object first");
	rc = devx_share_init(dev, DEVX_SHARE_OBJ, get_rdma_bytes(), &f);
	if (rc)
		return rc;
	err = mlx5dv_devx_obj_export(obj, f.obj.rdma);
	if (err)
		return devx_fail_sys(dev, err, "cannot export an object");
	memcpy(share->bytes, &f, sizeof(f));
	return 0;
}

static int validate_import(const struct devx_import *import, struct devx_dev *dev,
			   const struct devx_share *share)
{
	if (import->obj)
		return devx_fail(
			dev, -EINVAL,
			"import: in use (valid: all zero); call devx_obj_unimport() first");
	for (const struct devx_import *i = dev->imports; i; i = i->next)
		if (!memcmp(&i->share, share, sizeof(*share)))
			return devx_fail(dev, -EEXIST,
					 "import: %s has imported this object already; use the "
					 "first import",
					 dev->ibdev);
	return 0;
}

int devx_obj_import(struct devx_import *import, struct devx_dev *dev,
		    const struct devx_share *share)
{
	struct devx_share_format f;
	int rc = devx_share_read(dev, share, DEVX_SHARE_OBJ, get_rdma_bytes(), &f);

	if (!rc)
		rc = devx_share_match(dev, &f);
	if (!rc)
		rc = validate_import(import, dev, share);
	if (rc)
		return rc;
	errno = 0;
	import->obj = mlx5dv_devx_obj_import(dev->ctx, f.obj.rdma);
	if (!import->obj)
		return devx_fail_sys(dev, errno ? errno : ENOMEM, "cannot import an object");
	import->dev = dev;
	import->share = *share;
	import->next = dev->imports;
	dev->imports = import;
	return 0;
}

#else

/* A command on an object needs a handle, and rdma-core before 63 returns one only from create. */
static int fail_unsupported(struct devx_dev *dev)
{
	return devx_fail(dev, -ENOTSUP,
			 "object: export and import need rdma-core 63 or newer; found %s when the "
			 "library was built; share devices, umems and UARs",
			 DEVX_RDMA_CORE);
}

int devx_obj_export(struct devx_dev *dev, __attribute__((unused)) struct mlx5dv_devx_obj *obj,
		    __attribute__((unused)) struct devx_share *share)
{
	return fail_unsupported(dev);
}

int devx_obj_import(__attribute__((unused)) struct devx_import *import, struct devx_dev *dev,
		    __attribute__((unused)) const struct devx_share *share)
{
	return fail_unsupported(dev);
}

#endif
