/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stddef.h>

#include "devx/clock.h"
#include "prm/prm.h"
#include "prm/seg.h"

enum {
	/* offset in the mapped page, which starts with the registers of the free-running clock */
	REAL_TIME_AT = offsetof(struct prm_init_seg, real_time_h) -
		       offsetof(struct prm_init_seg, internal_timer_h),
	NS_PER_S = 1000000000,
};

int devx_clock_read(const struct devx_dev *dev, uint64_t *cycles)
{
	struct ibv_values_ex values = { .comp_mask = IBV_VALUES_MASK_RAW_CLOCK };
	const int err = ibv_query_rt_values_ex(dev->ctx, &values);

	if (err)
		return err < 0 ? err : -err;
	if (!(values.comp_mask & IBV_VALUES_MASK_RAW_CLOCK))
		return -EOPNOTSUPP;
	/* libmlx5 returns the raw 64-bit counter in tv_nsec, in cycles instead of nanoseconds. */
	*cycles = (uint64_t)values.raw_clock.tv_nsec;
	return 0;
}

static bool has_real_time(const struct devx_caps *caps)
{
	return caps->sq_ts_format != PRM_HCA_CAP_TS_FORMAT_FREE_RUNNING ||
	       caps->rq_ts_format != PRM_HCA_CAP_TS_FORMAT_FREE_RUNNING;
}

static uint32_t read_register(const void *page, size_t at)
{
	const uint32_t raw = *(const volatile uint32_t *)((const uint8_t *)page + at);

	return prm_be32_get((prm_be32){ raw });
}

int devx_clock_read_real_time(const struct devx_dev *dev, uint64_t *ns)
{
	struct mlx5dv_context dv = { .comp_mask = MLX5DV_CONTEXT_MASK_HCA_CORE_CLOCK };
	uint32_t seconds, rest, before;
	int err;

	if (!has_real_time(&dev->caps))
		return -EOPNOTSUPP;
	err = mlx5dv_query_device(dev->ctx, &dv);
	if (err)
		return err < 0 ? err : -err;
	if (!(dv.comp_mask & MLX5DV_CONTEXT_MASK_HCA_CORE_CLOCK))
		return -EOPNOTSUPP;
	seconds = read_register(dv.hca_core_clock, REAL_TIME_AT);
	do {
		before = seconds;
		rest = read_register(dv.hca_core_clock, REAL_TIME_AT + sizeof(prm_be32));
		seconds = read_register(dv.hca_core_clock, REAL_TIME_AT);
	} while (seconds != before);
	*ns = (uint64_t)seconds * NS_PER_S + rest;
	return 0;
}
