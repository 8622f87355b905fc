/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devx/fail.h"
#include "devx/share.h"
#include "devx/share_format.h"

int devx_uar_export(struct devx_dev *dev, const struct devx_uar *uar, struct devx_share *share)
{
	struct devx_share_format f;
	int rc;

	if (!uar->uar)
		return devx_fail(dev, -EINVAL,
				 "UAR: no handle (valid: a UAR of devx_uar_create()); export it in "
				 "the process that created it");
	rc = devx_share_init(dev, DEVX_SHARE_UAR, 0, &f);
	if (rc)
		return rc;
	f.uar.mmap_offset = (uint64_t)uar->uar->mmap_off;
	f.uar.page_id = uar->page_id;
	f.uar.reg_offset = (uint32_t)((char *)uar->reg - (char *)uar->base);
	f.uar.bf_bytes = uar->bf_bytes;
	f.uar.nc = uar->nc;
	f.uar.shared = uar->shared;
	memcpy(share->bytes, &f, sizeof(f));
	return 0;
}

int devx_uar_map(struct devx_uar *uar, struct devx_dev *dev, int fd, const struct devx_share *share)
{
	struct devx_share_format f;
	int rc = devx_share_read(dev, share, DEVX_SHARE_UAR, 0, &f);
	void *base;

	if (!rc && dev->ctx)
		rc = devx_share_match(dev, &f);
	if (!rc && dev->ctx && fd == -1)
		fd = dev->ctx->cmd_fd;
	if (!rc)
		rc = devx_share_match_fd(dev, fd, &f);
	if (rc)
		return rc;
	/* a page of registers: one page of the CPU, which mlx5_ib maps write-only */
	base = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_WRITE, MAP_SHARED, fd,
		    (off_t)f.uar.mmap_offset);
	if (base == MAP_FAILED)
		return devx_fail_sys(dev, errno,
				     "cannot map the UAR page at offset 0x%llx of "
				     "descriptor %d",
				     (unsigned long long)f.uar.mmap_offset, fd);
	uar->base = base;
	uar->reg = (char *)base + f.uar.reg_offset;
	uar->page_id = f.uar.page_id;
	uar->bf_bytes = f.uar.bf_bytes;
	uar->nc = f.uar.nc;
	uar->shared = f.uar.shared;
	return 0;
}
