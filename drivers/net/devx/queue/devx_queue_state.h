/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_QUEUE_STATE_H
#define DEVX_ETH_QUEUE_STATE_H

#include <stdint.h>

#include "devx_port.h"

/**
 * DOC: Start and stop of a queue while the port is started
 *
 *                    port start                 queue start
 *     (no objects) ------------> RST, no mbufs <-----------> RDY
 *                                                queue stop
 *
 * A stopped queue keeps its objects, so that RSS, receive rules and events stay as they are. Its
 * owner is DEVX_ETH_STOPPED: bursts return 0, and the recovery timer leaves it alone. If its CQ
 * fails, the next start gives it to the timer.
 *
 * Operations of ethdev, on a started port; no thread bursts on the queue meanwhile. They take
 * eth->lock.
 */

/**
 * devx_eth_queue_start_rx - fill a receive queue and hand it to the bursts
 *
 * Return: 0; -EIO (device lost, or refused by firmware), -ENOMEM (the pool has too few free
 * buffers), or as the kernel returned it: logged, and the queue is stopped
 */
int devx_eth_queue_start_rx(struct rte_eth_dev *ethdev, uint16_t queue);
/**
 * devx_eth_queue_stop_rx - stop a receive queue; packets that no burst has taken count as lost
 *
 * Return: 0; -EIO, or as the kernel returned it: logged. After a failure no burst uses the queue,
 * but the device may: stop it again, or stop the port.
 */
int devx_eth_queue_stop_rx(struct rte_eth_dev *ethdev, uint16_t queue);
/** devx_eth_queue_start_tx - hand a send queue to the bursts; as devx_eth_queue_start_rx() */
int devx_eth_queue_start_tx(struct rte_eth_dev *ethdev, uint16_t queue);
/**
 * devx_eth_queue_stop_tx - stop a send queue
 *
 * Waits up to 500 ms until the device has sent the posted packets; the others count as lost. Fails
 * as devx_eth_queue_stop_rx() does.
 */
int devx_eth_queue_stop_tx(struct rte_eth_dev *ethdev, uint16_t queue);

#endif
