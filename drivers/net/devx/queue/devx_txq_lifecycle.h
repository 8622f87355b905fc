/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TXQ_LIFECYCLE_H
#define DEVX_ETH_TXQ_LIFECYCLE_H

#include <stdint.h>

#include "devx_txq.h"

/** devx_eth_tx_get_max_segs - get the most segments per packet in a ring of @n_desc descriptors */
uint16_t devx_eth_tx_get_max_segs(const struct devx_eth *eth, uint16_t n_desc);
/** devx_eth_tx_get_max_tso_segs - same for TSO; headers take up to DEVX_ETH_TX_HEADER_MAX bytes */
uint16_t devx_eth_tx_get_max_tso_segs(const struct devx_eth *eth, uint16_t n_desc);

/* Operations of ethdev. devx_eth_txq_setup() allocates host memory only. */
int devx_eth_txq_setup(struct rte_eth_dev *ethdev, uint16_t queue, uint16_t n_desc,
		       unsigned int socket, const struct rte_eth_txconf *conf);
void devx_eth_txq_release(struct rte_eth_dev *ethdev, uint16_t queue);
void devx_eth_txq_info_get(struct rte_eth_dev *ethdev, uint16_t queue,
			   struct rte_eth_txq_info *info);

/* These are as for receive queues, see devx_rxq_lifecycle.h. */
struct devx_eth_txq *devx_eth_txq_withdraw(struct rte_eth_dev *ethdev, uint16_t queue);
void devx_eth_txq_free(struct devx_eth_txq *txq);
int devx_eth_txq_place_rings(struct devx_eth_txq *txq);
int devx_eth_txq_reserve_rings(struct devx_eth_txq *txq);

/**
 * devx_eth_txq_create - create UAR, CQ and SQ of a queue; it is stopped afterwards
 * @txq: a queue without objects; its rings are registered
 *
 * Under eth->lock. After a failure the caller calls devx_eth_txq_stop().
 *
 * Return: 0 or -errno, logged
 */
int devx_eth_txq_create(struct devx_eth_txq *txq);
/**
 * devx_eth_txq_activate - put the SQ into RDY
 * @txq: a stopped queue with objects; still stopped after a failure
 *
 * Under eth->lock. The caller then hands the queue to the bursts: devx_eth_owner_give(). If the CQ
 * of the queue failed, or flush CQEs are overdue, the recovery timer owns it instead.
 *
 * Return: 0 or -errno, logged
 */
int devx_eth_txq_activate(struct devx_eth_txq *txq);
/**
 * devx_eth_txq_stop - undo devx_eth_txq_create(), even after a failure; free all mbufs of the queue
 * @txq: a queue that no burst uses; its packets without a CQE count as lost
 */
void devx_eth_txq_stop(struct devx_eth_txq *txq);

#endif
