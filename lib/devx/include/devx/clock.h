/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_CLOCK_H
#define DEVX_CLOCK_H

#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: Clock of the device
 *
 * A free-running counter of 64 bits. Its frequency is caps.device_frequency_khz. The time stamps of
 * CQEs are values of this counter, if caps.sq_ts_format and caps.rq_ts_format say "free running".
 * With "real time" they are seconds << 32 | nanoseconds. The start value has no meaning.
 *
 * The kernel maps the register. A read is three loads from the device, and no system call.
 *
 * Source: rdma-core ibv_query_rt_values_ex(3); Linux mlx5_ib_mmap(), MLX5_IB_MMAP_CORE_CLOCK;
 * PRM, "Initialization Segment", internal_timer_h.
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_clock_read - read the clock of the device
 * @dev: open device; not changed, so devx_strerror() knows no reason of a failure
 * @cycles: receives the counter; unchanged on failure
 *
 * Context: any thread, also several at a time; does not sleep.
 *
 * Return: 0, or
 *   -EOPNOTSUPP   the kernel does not map the clock (its pages are larger than 4 KiB)
 *   others        as rdma-core returned them
 */
int devx_clock_read(const struct devx_dev *dev, uint64_t *cycles);

#ifdef __cplusplus
}
#endif

#endif
