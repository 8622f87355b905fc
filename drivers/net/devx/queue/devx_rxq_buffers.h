/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RXQ_BUFFERS_H
#define DEVX_ETH_RXQ_BUFFERS_H

#include <stdint.h>

#include "devx_rxq.h"

/* Buffers of a receive queue: how many a packet needs, and whether the device may write to them. */

/** devx_eth_rxq_set_pool - set the pool of a queue, and the fields of its mbufs */
void devx_eth_rxq_set_pool(struct devx_eth_rxq *rxq, struct rte_mempool *pool);

/**
 * devx_eth_rxq_check_mtu - check that the buffers of a queue hold the frames of an MTU
 * @rxq: the queue; offloads and pool are set
 * @mtu: bytes
 *
 * A queue without offload SCATTER has one buffer per frame. A started queue cannot get more
 * buffers per frame.
 *
 * Return: 0 or -EINVAL, logged
 */
int devx_eth_rxq_check_mtu(const struct devx_eth_rxq *rxq, uint16_t mtu);

/** devx_eth_rxq_set_segs - set the buffers per WQE for @mtu, after devx_eth_rxq_check_mtu() */
void devx_eth_rxq_set_segs(struct devx_eth_rxq *rxq, uint16_t mtu);

/**
 * devx_eth_rxq_check_pool - check that every buffer of the pool has a key
 * @rxq: the queue, whose RQ exists; receives size and key of every slot
 *
 * Return: 0, -ENOTSUP (memory without a key) or -EINVAL (the device may only read it), logged
 */
int devx_eth_rxq_check_pool(struct devx_eth_rxq *rxq);

#endif
