/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_REOPEN_H
#define DEVX_ETH_REOPEN_H

#include "devx_port.h"

/**
 * DOC: How a port detaches a lost device and attaches the device that came back
 *
 * In between, the port keeps its queues (without their objects), the memory of the rings, eventfds,
 * filters, RSS, rate limits, dma-bufs and all counters. Packets in the queues are lost and counted;
 * their mbufs return to their pools.
 *
 * Only the recovery thread calls these functions. It holds eth->recovery.attempt, not eth->lock.
 * The gate is closed, no thread is inside, and no burst is running.
 */

/** devx_eth_device_detach - destroy all objects and close the device */
void devx_eth_device_detach(struct devx_eth *eth);

/**
 * devx_eth_device_attach - open the device, recreate all objects, restart the port if it ran
 * @eth: a port without device
 * @found: receives whether the RDMA device is there
 *
 * Return: 0 or -errno. After a failure with *@found, the caller waits until the bursts on started
 * queues have ended and then calls devx_eth_device_detach().
 *   -ENODEV, -ENOENT   the device is not there; not logged
 *   -EXDEV             another device came back, or one with other capabilities; logged
 *   others             error of the step that failed, logged
 */
int devx_eth_device_attach(struct devx_eth *eth, bool *found);

#endif
