/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_RECOVERY_H
#define DEVX_ETH_TX_RECOVERY_H

#include "devx_txq.h"

/**
 * devx_eth_txq_recover - restart a BROKEN queue; under eth->lock
 *
 * Return: 0, DEVX_ETH_WAITING while flush CQEs are missing (devx_flush_wait.h), or -errno
 */
int devx_eth_txq_recover(struct devx_eth_txq *txq);
/**
 * devx_eth_txq_reset - put the SQ into RST, from any state; free all mbufs in the ring
 * @txq: a queue that no burst uses; if it is BROKEN, an error CQE named the failed WQE
 *
 * Packets without a CQE count as lost. Under eth->lock.
 *
 * Return: 0; or -errno, and @txq is unchanged.
 */
int devx_eth_txq_reset(struct devx_eth_txq *txq);
/**
 * devx_eth_txq_count_lost - count the packets without a CQE as lost
 * @txq: a queue that no burst uses, with a CQ; if it is BROKEN, an error CQE named the failed WQE
 *
 * If the device is lost, nobody knows whether it sent the packets. Without an error CQE they then
 * count as unknown.
 */
void devx_eth_txq_count_lost(struct devx_eth_txq *txq);
/**
 * devx_eth_txq_destroy_sq - destroy the SQ and free its mbufs, unless devx_eth_is_stuck()
 * @txq: a queue that no burst uses; the SQ may be partly created or missing
 *
 * Under eth->lock.
 */
void devx_eth_txq_destroy_sq(struct devx_eth_txq *txq);
/**
 * devx_eth_txq_reserve_spare - allocate memory for the next CQ and SQ, if the queue has none
 * @txq: a broken queue that needs a new CQ
 *
 * Context: the recovery timer, without eth->lock (devx_ring_memory.h).
 *
 * Return: 0 or -ENOMEM, not logged.
 */
int devx_eth_txq_reserve_spare(struct devx_eth_txq *txq);

#endif
