/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devx/core/fail.h"
#include "devx/uar.h"

/* New in rdma-core 45. The value is part of its ABI; older libraries refuse it at run time. */
#ifndef MLX5DV_UAR_ALLOC_TYPE_NC_DEDICATED
#define MLX5DV_UAR_ALLOC_TYPE_NC_DEDICATED (1U << 31)
#endif

static const struct {
	uint32_t flags;
	const char *name;
	const char *needed; /* for the message that the type is unsupported */
} types[] = {
	[DEVX_UAR_BF] = { MLX5DV_UAR_ALLOC_TYPE_BF, "BlueFlame",
			  "a kernel that found write combining on this machine, and capability bf "
			  "of the firmware" },
	[DEVX_UAR_NC] = { MLX5DV_UAR_ALLOC_TYPE_NC, "non-cached", "Linux 5.7" },
	[DEVX_UAR_NC_DEDICATED] = { MLX5DV_UAR_ALLOC_TYPE_NC_DEDICATED, "dedicated non-cached",
				    "rdma-core 45 and Linux 5.7" },
};

static bool is_address(const void *p)
{
	return p && p != MAP_FAILED;
}

static int alloc_uar(struct devx_uar *uar, struct devx_dev *dev, enum devx_uar_type type)
{
	errno = 0;
	uar->uar = mlx5dv_devx_alloc_uar(dev->ctx, types[type].flags);
	if (!uar->uar && errno == EOPNOTSUPP)
		return devx_fail(dev, -EOPNOTSUPP,
				 "%s UAR pages are unsupported (needed: %s); use another type",
				 types[type].name, types[type].needed);
	if (!uar->uar)
		return devx_fail_sys(dev, errno ? errno : ENOMEM, "cannot allocate a %s UAR page",
				     types[type].name);
	if (!is_address(uar->uar->reg_addr) || !is_address(uar->uar->base_addr))
		return devx_fail(dev, -ENXIO,
				 "%s UAR page: rdma-core returned register %p and page %p (valid: "
				 "mapped addresses); update rdma-core to 29 or later",
				 types[type].name, uar->uar->reg_addr, uar->uar->base_addr);
	return 0;
}

int devx_uar_create(struct devx_uar *uar, struct devx_dev *dev, enum devx_uar_type type)
{
	int rc;

	if (type > DEVX_UAR_NC_DEDICATED)
		return devx_fail(dev, -EINVAL,
				 "UAR: type %u is invalid (valid: 0 = BlueFlame, 1 = non-cached, "
				 "2 = dedicated non-cached)",
				 type);
	rc = alloc_uar(uar, dev, type);
	if (rc) {
		devx_uar_destroy(uar);
		return rc;
	}
	uar->reg = uar->uar->reg_addr;
	uar->base = uar->uar->base_addr;
	uar->page_id = uar->uar->page_id;
	uar->nc = type != DEVX_UAR_BF;
	uar->shared = type == DEVX_UAR_NC; /* libmlx5 has one page of this type per device */
	if (type == DEVX_UAR_BF && dev->caps.bf && dev->caps.log_bf_reg_size)
		uar->bf_bytes = (uint16_t)(1u << (dev->caps.log_bf_reg_size - 1));
	return 0;
}

void devx_uar_destroy(struct devx_uar *uar)
{
	if (uar->uar)
		mlx5dv_devx_free_uar(uar->uar);
	else if (uar->base) /* devx_uar_map() */
		munmap(uar->base, (size_t)sysconf(_SC_PAGESIZE));
	*uar = (struct devx_uar){ 0 };
}
