/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_REOPEN_H
#define DEVX_ETH_REOPEN_H

#include "devx_port.h"

/**
 * DOC: A port leaves a lost device and takes the device that came back
 *
 * Kept meanwhile: queues without their objects, memory of the rings, eventfds, filters, RSS, rate
 * limits, dma-bufs, all counters. Lost: packets in the queues. They count as lost packets, and
 * their mbufs go back to their pools.
 *
 * The caller of each function is the recovery thread. It holds eth->recovery.attempt and not
 * eth->lock. The gate is closed and nobody is inside, and no burst is running.
 */

/** devx_eth_device_detach - destroy all objects and close the device */
void devx_eth_device_detach(struct devx_eth *eth);

/**
 * devx_eth_device_attach - open the device, create all objects, start what ran before
 * @eth: a port without device
 * @found: receives whether the RDMA device is there
 *
 * Return: 0, or -errno. If @found, the caller then calls devx_eth_device_detach() when the bursts
 * on queues that were started have ended.
 *   -ENODEV, -ENOENT   the device is not there; not logged
 *   -EXDEV             another device came back, or one with other capabilities; logged
 *   others             as the failed step, logged
 */
int devx_eth_device_attach(struct devx_eth *eth, bool *found);

#endif
