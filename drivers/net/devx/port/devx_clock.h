/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_CLOCK_H
#define DEVX_ETH_CLOCK_H

#include <stdint.h>

struct rte_eth_dev;

/**
 * devx_eth_clock_read - read the clock of the device for rte_eth_read_clock()
 * @ethdev: the port, started or not
 * @clock: receives the time of the clock of Rx timestamps, in their units: cycles, or nanoseconds
 *         of a real-time clock; unchanged on failure
 *
 * A device of both clocks shows at the first start of the port whether it is in real-time mode
 * (rq_ts_format of struct devx_dev). Before that, this is the free-running clock.
 *
 * Context: any thread; no lock and no system call.
 *
 * Return: 0, -ENOTSUP: the kernel does not map the clock; -EIO: the device is lost. Not logged.
 */
int devx_eth_clock_read(struct rte_eth_dev *ethdev, uint64_t *clock);

#endif
