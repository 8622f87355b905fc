/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx/core/dev_parts.h"

#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <string.h>

#include "devx/core/fail.h"
#include "devx/dev.h"

int devx_context_validate(struct devx_dev *dev, const struct devx_dev_attr *attr)
{
	if (!attr)
		return devx_fail(dev, -EINVAL,
				 "device: no attributes; pass a struct devx_dev_attr");
	if (attr->n_fds > DEVX_MAX_FDS || (attr->n_fds && !attr->fds))
		return devx_fail(dev, -EINVAL,
				 "device: %u descriptors at %p are invalid (valid: up to %d, in an "
				 "array)",
				 attr->n_fds, (const void *)attr->fds, DEVX_MAX_FDS);
	for (uint32_t i = 0; i < attr->n_fds; i++)
		if (attr->fds[i] < 0)
			return devx_fail(dev, -EINVAL,
					 "device: descriptor %u is %d (valid: 0 or more)", i,
					 attr->fds[i]);
#ifndef DEVX_HAS_FD_ARRAY
	if (attr->n_fds)
		return devx_fail(
			dev, -ENOTSUP,
			"device: descriptors of user capabilities are unsupported (needed: "
			"rdma-core 57); open the device without them");
#endif
	return 0;
}

/* Stores the reason why the device cannot be opened and, if known, the remedy. */
static int report_open_error(struct devx_dev *dev, int err)
{
	switch (err) {
	case EPERM:
	case EACCES:
		return devx_fail_sys(
			dev, err,
			"no permission to open %s with DEVX; give the process read and "
			"write access to the file of %s in /dev/infiniband, and "
			"CAP_NET_RAW to send",
			dev->ibdev, dev->ibdev);
	case EOPNOTSUPP:
	case EINVAL:
		return devx_fail(dev, -ENOTSUP,
				 "%s: DEVX is unsupported (needed: log_max_uctx above 0 in the "
				 "firmware, CONFIG_INFINIBAND_USER_ACCESS in the kernel)",
				 dev->ibdev);
	default:
		return devx_fail_sys(dev, err ? err : ENOMEM, "cannot open %s", dev->ibdev);
	}
}

static int report_open_error_with_fds(struct devx_dev *dev, int err, uint32_t n_fds)
{
	if (err == EBADF || err == EINVAL)
		return devx_fail(dev, -err,
				 "%s: the kernel refused %u descriptors (valid: open descriptors "
				 "of /dev/infiniband/mlx5_perm_ctrl_*); open the device without "
				 "them",
				 dev->ibdev, n_fds);
	return report_open_error(dev, err);
}

int devx_context_open(struct devx_dev *dev, struct ibv_device *device,
		      const struct devx_dev_attr *devx_attr)
{
	struct mlx5dv_context_attr attr = { .flags = MLX5DV_CONTEXT_FLAGS_DEVX };

#ifdef DEVX_HAS_FD_ARRAY
	struct ibv_fd_arr fds = { .count = devx_attr->n_fds };
	int copy[DEVX_MAX_FDS];

	if (fds.count) {
		memcpy(copy, devx_attr->fds, fds.count * sizeof(copy[0]));
		fds.arr = copy;
		attr.comp_mask = MLX5DV_CONTEXT_ATTR_MASK_FD_ARRAY;
		attr.fds = &fds;
	}
#endif
	errno = 0;
	dev->ctx = mlx5dv_open_device(device, &attr);
	if (dev->ctx)
		return 0;
	return devx_attr->n_fds ? report_open_error_with_fds(dev, errno, devx_attr->n_fds)
				: report_open_error(dev, errno);
}
