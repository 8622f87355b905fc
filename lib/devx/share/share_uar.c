/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devx/core/fail.h"
#include "devx/share.h"
#include "devx/share/share_format.h"

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

/* Checks the attributes. Replaces -1 in @fd by the descriptor of @dev. */
static int read_share(struct devx_dev *dev, int *fd, const struct devx_share *share,
		      struct devx_share_format *f)
{
	int rc = devx_share_read(dev, share, DEVX_SHARE_UAR, 0, f);

	if (!rc && dev->ctx)
		rc = devx_share_match(dev, f);
	if (!rc && dev->ctx && *fd == -1)
		*fd = dev->ctx->cmd_fd;
	return rc ? rc : devx_share_match_fd(dev, *fd, f);
}

/* Maps one page of the CPU. mlx5_ib allows only PROT_WRITE for pages of registers. */
static int map_page(struct devx_uar *uar, struct devx_dev *dev, int fd, int flags,
		    const struct devx_share_format *f)
{
	void *base = mmap(uar->base, (size_t)sysconf(_SC_PAGESIZE), PROT_WRITE, MAP_SHARED | flags,
			  fd, (off_t)f->uar.mmap_offset);

	if (base == MAP_FAILED)
		return devx_fail_sys(dev, errno,
				     "cannot map the UAR page at offset 0x%llx of "
				     "descriptor %d",
				     (unsigned long long)f->uar.mmap_offset, fd);
	uar->base = base;
	uar->reg = (char *)base + f->uar.reg_offset;
	uar->page_id = f->uar.page_id;
	uar->bf_bytes = f->uar.bf_bytes;
	uar->nc = f->uar.nc;
	uar->shared = f->uar.shared;
	return 0;
}

int devx_uar_map(struct devx_uar *uar, struct devx_dev *dev, int fd, const struct devx_share *share)
{
	struct devx_share_format f;
	const int rc = read_share(dev, &fd, share, &f);

	return rc ? rc : map_page(uar, dev, fd, 0, &f);
}

static int fail_used(struct devx_dev *dev, const void *base)
{
	return devx_fail(dev, -EEXIST,
			 "UAR page: address %p is already mapped; choose one that is free in both "
			 "processes",
			 base);
}

int devx_uar_map_at(struct devx_uar *uar, struct devx_dev *dev, int fd,
		    const struct devx_share *share, void *base)
{
	const uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
	struct devx_share_format f;
	int rc;

	if (!base || (uintptr_t)base % page_bytes)
		return devx_fail(dev, -EINVAL,
				 "UAR page: address %p is invalid (valid: a multiple of %llu, not "
				 "NULL)",
				 base, (unsigned long long)page_bytes);
	rc = read_share(dev, &fd, share, &f);
	if (rc)
		return rc;
	uar->base = base;
	rc = map_page(uar, dev, fd, MAP_FIXED_NOREPLACE, &f);
	if (rc)
		*uar = (struct devx_uar){ 0 };
	if (rc == -EEXIST)
		return fail_used(dev, base);
	if (!rc && uar->base != base) { /* Linux before 4.17 ignores MAP_FIXED_NOREPLACE */
		devx_uar_destroy(uar);
		return fail_used(dev, base);
	}
	return rc;
}
