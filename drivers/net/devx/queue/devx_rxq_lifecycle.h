/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RXQ_LIFECYCLE_H
#define DEVX_ETH_RXQ_LIFECYCLE_H

#include <stdint.h>

#include "devx_rxq.h"

/* Operations of ethdev. devx_eth_rxq_setup() allocates host memory only. */
int devx_eth_rxq_setup(struct rte_eth_dev *ethdev, uint16_t queue, uint16_t n_desc,
		       unsigned int socket, const struct rte_eth_rxconf *conf,
		       struct rte_mempool *pool);
void devx_eth_rxq_release(struct rte_eth_dev *ethdev, uint16_t queue);
void devx_eth_rxq_info_get(struct rte_eth_dev *ethdev, uint16_t queue,
			   struct rte_eth_rxq_info *info);
/** devx_eth_rxq_withdraw - remove a queue, if any, from the port, which keeps its counts */
struct devx_eth_rxq *devx_eth_rxq_withdraw(struct rte_eth_dev *ethdev, uint16_t queue);
/** devx_eth_rxq_free - free a queue without objects, or NULL; without eth->lock */
void devx_eth_rxq_free(struct devx_eth_rxq *rxq);
/** devx_eth_rxq_place_rings - reserve room in a chunk without memory. Return: 0 or -ENOMEM */
int devx_eth_rxq_place_rings(struct devx_eth_rxq *rxq);
/** devx_eth_rxq_reserve_rings - allocate a chunk for this queue alone. Return: 0 or -ENOMEM */
int devx_eth_rxq_reserve_rings(struct devx_eth_rxq *rxq);
/**
 * devx_eth_rxq_create - create CQ and RQ of a queue; it is stopped afterwards
 * @rxq: a queue without objects; its rings are registered
 *
 * Under eth->lock. After a failure the caller calls devx_eth_rxq_stop().
 *
 * Return: 0 or -errno, logged
 */
int devx_eth_rxq_create(struct devx_eth_rxq *rxq);
/**
 * devx_eth_rxq_activate - put the RQ into RDY and post buffers
 * @rxq: a stopped queue with objects; still stopped after a failure
 *
 * Under eth->lock. The caller then hands the queue to the bursts: devx_eth_owner_give(). If the CQ
 * of the queue failed, or flush CQEs are overdue, the recovery timer owns it instead.
 *
 * Return: 0 or -errno, logged
 */
int devx_eth_rxq_activate(struct devx_eth_rxq *rxq);
/**
 * devx_eth_rxq_stop - undo devx_eth_rxq_create(), even after a failure; under eth->lock
 * @rxq: a queue that no burst uses; packets that no burst has returned count as lost
 */
void devx_eth_rxq_stop(struct devx_eth_rxq *rxq);

#endif
