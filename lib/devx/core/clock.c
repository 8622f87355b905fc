/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/verbs.h>

#include "devx/clock.h"

int devx_clock_read(const struct devx_dev *dev, uint64_t *cycles)
{
	struct ibv_values_ex values = { .comp_mask = IBV_VALUES_MASK_RAW_CLOCK };
	const int err = ibv_query_rt_values_ex(dev->ctx, &values);

	if (err)
		return err < 0 ? err : -err;
	if (!(values.comp_mask & IBV_VALUES_MASK_RAW_CLOCK))
		return -EOPNOTSUPP;
	/* libmlx5 puts all 64 bits of the counter into tv_nsec, which is no time in nanoseconds */
	*cycles = (uint64_t)values.raw_clock.tv_nsec;
	return 0;
}
