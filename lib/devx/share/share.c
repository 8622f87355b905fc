/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/verbs.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "devx/core/fail.h"
#include "devx/share/share_format.h"

static const char *const kind_names[] = {
	[DEVX_SHARE_DEV] = "a device",
	[DEVX_SHARE_OBJ] = "an object",
	[DEVX_SHARE_UMEM] = "a umem",
	[DEVX_SHARE_UAR] = "a UAR",
};
enum { N_KINDS = sizeof(kind_names) / sizeof(kind_names[0]) };

int devx_share_init(struct devx_dev *dev, enum devx_share_kind kind, uint32_t rdma_bytes,
		    struct devx_share_format *f)
{
	struct stat st;

	if (rdma_bytes > DEVX_SHARE_RDMA_BYTES)
		return devx_fail(dev, -ENOTSUP,
				 "exported attributes: rdma-core has %u bytes for %s (valid: at "
				 "most %d); use an older rdma-core",
				 rdma_bytes, kind_names[kind], DEVX_SHARE_RDMA_BYTES);
	if (fstat(dev->ctx->cmd_fd, &st))
		return devx_fail_sys(dev, errno, "cannot read the device number of %s", dev->ibdev);
	*f = (struct devx_share_format){ .magic = DEVX_SHARE_MAGIC,
					 .version = DEVX_SHARE_VERSION,
					 .kind = kind,
					 .bytes = sizeof(*f),
					 .rdma_bytes = rdma_bytes,
					 .rdev = st.st_rdev,
					 .pdn = dev->pdn };
	return 0;
}

int devx_share_read(struct devx_dev *dev, const struct devx_share *share, enum devx_share_kind kind,
		    uint32_t rdma_bytes, struct devx_share_format *f)
{
	memcpy(f, share->bytes, sizeof(*f));
	if (f->magic != DEVX_SHARE_MAGIC)
		return devx_fail(dev, -EINVAL,
				 "exported attributes: the magic number is 0x%08x (valid: 0x%08x); "
				 "pass the bytes of the export function, unchanged",
				 f->magic, DEVX_SHARE_MAGIC);
	if (f->version != DEVX_SHARE_VERSION || f->bytes != sizeof(*f))
		return devx_fail(dev, -EPROTO,
				 "exported attributes: version %u with %u bytes (valid: version %d "
				 "with %zu bytes); use the same libdevxio in both processes",
				 f->version, f->bytes, DEVX_SHARE_VERSION, sizeof(*f));
	if (f->kind != kind)
		return devx_fail(dev, -EINVAL, "exported attributes: describe %s (valid: %s)",
				 f->kind < N_KINDS ? kind_names[f->kind] : "an unknown kind",
				 kind_names[kind]);
	if (f->rdma_bytes != rdma_bytes)
		return devx_fail(dev, -EPROTO,
				 "exported attributes: %u bytes of rdma-core for %s (valid: %u); "
				 "use the same rdma-core in both processes",
				 f->rdma_bytes, kind_names[kind], rdma_bytes);
	return 0;
}

static int fail_foreign(struct devx_dev *dev, const struct devx_share_format *f, dev_t rdev,
			uint32_t pdn)
{
	return devx_fail(dev, -EXDEV,
			 "exported attributes: from another context, PD 0x%x of device %u:%u "
			 "(valid: PD 0x%x of device %u:%u); import the exporter's device",
			 f->pdn, major((dev_t)f->rdev), minor((dev_t)f->rdev), pdn, major(rdev),
			 minor(rdev));
}

int devx_share_match(struct devx_dev *dev, const struct devx_share_format *f)
{
	struct stat st;

	if (fstat(dev->ctx->cmd_fd, &st))
		return devx_fail_sys(dev, errno, "cannot read the device number of %s", dev->ibdev);
	if (f->rdev != st.st_rdev || f->pdn != dev->pdn)
		return fail_foreign(dev, f, st.st_rdev, dev->pdn);
	return 0;
}

int devx_share_match_fd(struct devx_dev *dev, int fd, const struct devx_share_format *f)
{
	struct stat st;

	if (fstat(fd, &st))
		return devx_fail_sys(dev, errno, "descriptor %d", fd);
	if (!S_ISCHR(st.st_mode))
		return devx_fail(dev, -EINVAL,
				 "descriptor %d is not a device file (valid: the descriptor of "
				 "devx_dev_export())",
				 fd);
	if (f->rdev != st.st_rdev)
		return devx_fail(dev, -EXDEV,
				 "descriptor %d belongs to device %u:%u, but the exported "
				 "attributes to device %u:%u; pass the descriptor of "
				 "devx_dev_export()",
				 fd, major(st.st_rdev), minor(st.st_rdev), major((dev_t)f->rdev),
				 minor((dev_t)f->rdev));
	return 0;
}
