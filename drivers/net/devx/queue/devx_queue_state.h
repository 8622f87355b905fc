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
 * A stopped queue keeps its objects, so that RSS, receive rules and events need no change. Its
 * owner is DEVX_ETH_STOPPED: bursts return 0, and the recovery timer ignores it. If its CQ fails,
 * the next start hands the queue to the timer.
 *
 * These are operations of ethdev on a started port. They take eth->lock. Meanwhile no thread bursts
 * on the queue.
 */

/**
 * devx_eth_queue_start_rx - fill a receive queue and hand it to the bursts
 *
 * Return: 0; or -errno, logged, and the queue is stopped
 *   -EIO      the device is lost, or firmware refused a command
 *   -ENOMEM   the pool has too few free buffers
 *   others    errors of the kernel
 */
int devx_eth_queue_start_rx(struct rte_eth_dev *ethdev, uint16_t queue);
/**
 * devx_eth_queue_stop_rx - stop a receive queue; packets that no burst has returned count as lost
 *
 * Return: 0, or as devx_eth_queue_start_rx(), logged. After a failure no burst uses the queue, but
 * the device may: the application must stop the queue again, or the port.
 */
int devx_eth_queue_stop_rx(struct rte_eth_dev *ethdev, uint16_t queue);
/** devx_eth_queue_start_tx - hand a send queue to the bursts; as devx_eth_queue_start_rx() */
int devx_eth_queue_start_tx(struct rte_eth_dev *ethdev, uint16_t queue);
/**
 * devx_eth_queue_stop_tx - stop a send queue
 *
 * Waits up to 500 ms for the device to send the posted packets; the rest count as lost. Fails like
 * devx_eth_queue_stop_rx().
 */
int devx_eth_queue_stop_tx(struct rte_eth_dev *ethdev, uint16_t queue);

#endif
