/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <string.h>
#include <unistd.h>

#include "devx/core/dev_parts.h"
#include "devx/core/fail.h"
#include "devx/share.h"
#include "devx/share/share_format.h"

int devx_dev_export(struct devx_dev *dev, struct devx_share *share, int *fd)
{
	struct devx_share_format f;
	const int rc = devx_share_init(dev, DEVX_SHARE_DEV, 0, &f);
	int copy;

	if (rc)
		return rc;
	copy = fcntl(dev->ctx->cmd_fd, F_DUPFD_CLOEXEC, 0);
	if (copy < 0)
		return devx_fail_sys(dev, errno, "cannot duplicate the descriptor of %s",
				     dev->ibdev);
	f.dev.pd_handle = dev->pd->handle;
	memcpy(share->bytes, &f, sizeof(f));
	dev->shared = true;
	*fd = copy;
	return 0;
}

/* Stores the reason why rdma-core did not import the context of @fd. */
static int report_import_error(struct devx_dev *dev, int fd, int err)
{
	switch (err) {
	case ENODEV:
		return devx_fail(dev, -ENODEV,
				 "no RDMA device matches the device file of descriptor %d; check "
				 "/sys/class/infiniband_verbs in this process",
				 fd);
	case EINVAL:
		return devx_fail(dev, -EINVAL,
				 "descriptor %d has no context that can be imported (valid: the "
				 "descriptor of devx_dev_export(), on Linux 5.7 or later)",
				 fd);
	default:
		return devx_fail_sys(dev, err ? err : ENOMEM,
				     "cannot import the device of descriptor %d", fd);
	}
}

/*
 * rdma-core closes the descriptor with the context, and also after most failures. After ENODEV,
 * which it returns before it has a context, the descriptor is still open.
 */
static int import_context(struct devx_dev *dev, int fd)
{
	const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	int err;

	if (copy < 0)
		return devx_fail_sys(dev, errno, "cannot duplicate descriptor %d", fd);
	errno = 0;
	dev->ctx = ibv_import_device(copy);
	if (dev->ctx) {
		devx_dev_read_names(dev, dev->ctx->device);
		return 0;
	}
	err = errno;
	if (err == ENODEV)
		close(copy);
	return report_import_error(dev, fd, err);
}

static int import_pd(struct devx_dev *dev, const struct devx_share_format *f)
{
	int rc;

	errno = 0;
	dev->pd = ibv_import_pd(dev->ctx, f->dev.pd_handle);
	if (!dev->pd && errno == ENOENT)
		return devx_fail(
			dev, -EXDEV,
			"exported attributes: from another context, since this one has no PD with "
			"handle %u; pass the descriptor of the same devx_dev_export()",
			f->dev.pd_handle);
	if (!dev->pd)
		return devx_fail_sys(dev, errno ? errno : ENOMEM,
				     "cannot import the protection domain");
	dev->shared = true;
	rc = devx_dev_read_pdn(dev);
	return rc ? rc : devx_share_match(dev, f);
}

int devx_dev_import(struct devx_dev *dev, int fd, const struct devx_share *share)
{
	struct devx_share_format f;
	int rc;

	dev->refusal = (struct devx_refusal){ 0 };
	rc = devx_share_read(dev, share, DEVX_SHARE_DEV, 0, &f);
	if (!rc)
		rc = devx_share_match_fd(dev, fd, &f);
	if (!rc)
		rc = import_context(dev, fd);
	if (!rc)
		rc = import_pd(dev, &f);
	if (!rc)
		rc = devx_dev_query(dev);
	if (rc)
		devx_dev_abandon(dev);
	return rc;
}
