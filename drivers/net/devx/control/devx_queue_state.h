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
 * A port start creates the objects of every queue, and starts each queue without deferred start. A
 * stopped queue keeps its objects, so that RSS, receive rules and events stay as they are. The
 * device drops the packets that RSS or a rule sends to a stopped receive queue. A burst on a
 * stopped queue returns 0.
 *
 * The recovery timer and the handlers of events leave a stopped queue alone, because its owner is
 * DEVX_ETH_STOPPED. If its CQ fails, the next start gives the queue to the timer, which replaces
 * the CQ.
 *
 * Operations of ethdev. Context: control path, on a started port; no thread bursts on the queue
 * meanwhile; other queues go on. The functions take eth->lock.
 *
 * Return: 0, or
 *   -EIO     the device is lost, or firmware refused a command
 *   -ENOMEM  devx_eth_queue_start_rx(): the pool has too few free buffers
 *   others   as the kernel returned them; all logged
 *
 * After a failed start the queue is stopped. After a failed stop no burst uses it, but the device
 * still may: stop it again, or stop the port.
 */

int devx_eth_queue_start_rx(struct rte_eth_dev *ethdev, uint16_t queue);
/** devx_eth_queue_stop_rx - stop a receive queue; packets that no burst has taken count as lost */
int devx_eth_queue_stop_rx(struct rte_eth_dev *ethdev, uint16_t queue);
int devx_eth_queue_start_tx(struct rte_eth_dev *ethdev, uint16_t queue);
/**
 * devx_eth_queue_stop_tx - stop a send queue
 *
 * Waits up to 100 ms until the device has sent the posted packets; the others count as lost.
 */
int devx_eth_queue_stop_tx(struct rte_eth_dev *ethdev, uint16_t queue);

#endif
