/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RXQ_BUFFERS_H
#define DEVX_ETH_RXQ_BUFFERS_H

#include <stdint.h>

#include "devx_rxq.h"

/* Buffers of a receive queue: how many a packet needs, and whether the device may write to them. */

/** devx_eth_rxq_set_pool - set the pool of a queue and the initial fields of its mbufs */
void devx_eth_rxq_set_pool(struct devx_eth_rxq *rxq, struct rte_mempool *pool);

/**
 * devx_eth_rxq_check_mtu - check that frames of @mtu fit the buffers of a queue
 * @rxq: the queue; offloads and pool are set
 *
 * Without the offload SCATTER, a frame must fit one buffer. The number of buffers per frame cannot
 * grow while the queue is started.
 *
 * Return: 0 or -EINVAL, logged
 */
int devx_eth_rxq_check_mtu(const struct devx_eth_rxq *rxq, uint16_t mtu);

/** devx_eth_rxq_set_segs - set the number of buffers per WQE for an MTU that was checked */
void devx_eth_rxq_set_segs(struct devx_eth_rxq *rxq, uint16_t mtu);

/**
 * devx_eth_rxq_check_pool - check that every buffer of the pool is in registered memory
 * @rxq: a queue with an RQ, whose data segments get their sizes and keys
 *
 * Return: 0, -ENOTSUP if memory is not registered, -EINVAL if the device may only read it, or an
 * error of devx_eth_memory_add_buffers(); logged
 */
int devx_eth_rxq_check_pool(struct devx_eth_rxq *rxq);

#endif
