/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_EVENT_HANDLER_H
#define DEVX_ETH_EVENT_HANDLER_H

#include "devx_port.h"

/**
 * devx_eth_events_open - create the event channel of a port and register its handlers with EAL
 *
 * From now on, handlers use the port.
 *
 * Return: 0 or -errno, logged
 */
int devx_eth_events_open(struct devx_eth *eth);
/**
 * devx_eth_events_close - undo devx_eth_events_open(), even after a failure
 *
 * Waits until a running handler has returned, unless the handler itself is the caller. The caller
 * does not hold eth->lock.
 */
void devx_eth_events_close(struct devx_eth *eth);
/** devx_eth_queues_lose - keep later bursts from the device; under eth->lock */
void devx_eth_queues_lose(struct devx_eth *eth);
/** devx_eth_is_removed - is_removed of ethdev: 1 if the device is lost and does not recover */
int devx_eth_is_removed(struct rte_eth_dev *ethdev);

#endif
