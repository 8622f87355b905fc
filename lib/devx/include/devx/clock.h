/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_CLOCK_H
#define DEVX_CLOCK_H

#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: Clocks of the device
 *
 *     free running   a counter of 64 bits with the frequency caps.device_frequency_khz
 *     real time      seconds and nanoseconds, which the owner of the device sets
 *
 * The time stamps of CQEs are values of the counter, or seconds << 32 | nanoseconds if the format
 * of their queue is "real time": sq_ts_format of the device for an SQ and rq_ts_format for an RQ,
 * after devx_sq_create() and devx_rq_create(). The clocks have different rates and start values.
 *
 * The kernel maps the registers of both in one page. A read takes at least three loads from the
 * device, and no system call.
 *
 * Source: rdma-core ibv_query_rt_values_ex(3), mlx5dv_query_device(3); Linux mlx5_ib_mmap(),
 * MLX5_IB_MMAP_CORE_CLOCK, and mlx5_read_time; PRM, "Initialization Segment", internal_timer_h.
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_clock_read - read the free-running clock of the device
 * @dev: open device; stores no reason of a failure
 * @cycles: receives the counter; unchanged on failure
 *
 * Context: any number of threads at a time; does not sleep.
 *
 * Return: 0, or
 *   -EOPNOTSUPP   the kernel does not map the clock (its pages are larger than 4 KiB)
 *   others        as rdma-core returned them
 */
int devx_clock_read(const struct devx_dev *dev, uint64_t *cycles);

/**
 * devx_clock_read_real_time - read the real-time clock of the device
 * @dev: open device; stores no reason of a failure
 * @ns: receives seconds * 1,000,000,000 + nanoseconds; unchanged on failure
 *
 * Context: any number of threads at a time; does not sleep.
 *
 * Return: 0, or
 *   -EOPNOTSUPP   the device has no such clock: caps.sq_ts_format and caps.rq_ts_format are "free
 *                 running"; or the kernel does not map it (its pages are larger than 4 KiB)
 *   others        as rdma-core returned them
 */
int devx_clock_read_real_time(const struct devx_dev *dev, uint64_t *ns);

#ifdef __cplusplus
}
#endif

#endif
