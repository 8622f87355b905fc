/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_RATE_H
#define DEVX_ETH_TX_RATE_H

#include "devx_txq.h"

/**
 * DOC: Rate limit of a send queue
 *
 *     set_queue_rate_limit --> entry of the device's rate table (devx/pp.h) <-- names it -- SQ
 *
 * The device paces the queue without any work in the bursts. A limit outlives a stop and a start of
 * the port or the queue, and every recovery. It ends when the queue is set up again.
 */

/** devx_eth_tx_rate_set - set_queue_rate_limit of ethdev; @mbps: 0 ends the limit */
int devx_eth_tx_rate_set(struct rte_eth_dev *ethdev, uint16_t queue, uint32_t mbps);

/**
 * devx_eth_tx_rate_apply - set the limit in the SQ if it changed while the queue was stopped
 * @txq: a queue with an SQ in RDY; the caller holds eth->lock
 *
 * Return: 0 or -errno, logged
 */
int devx_eth_tx_rate_apply(struct devx_eth_txq *txq);

/** devx_eth_tx_rate_suspend - destroy the limit of a queue without an SQ; under eth->lock */
void devx_eth_tx_rate_suspend(struct devx_eth_txq *txq);
/** devx_eth_tx_rate_resume - recreate a suspended limit. Return: 0 or -errno, not logged */
int devx_eth_tx_rate_resume(struct devx_eth_txq *txq);
/** devx_eth_tx_rate_release - end the limit of a queue without an SQ; @txq may be NULL */
void devx_eth_tx_rate_release(struct devx_eth_txq *txq);

#endif
