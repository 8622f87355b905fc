/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_RING_H
#define DEVX_ETH_RX_RING_H

#include <stdint.h>

#include "devx_rxq.h"

/** devx_eth_rxq_post_all - fill an RQ after devx_rq_ready(). Return: 0 or -ENOMEM (pool short) */
int devx_eth_rxq_post_all(struct devx_eth_rxq *rxq);
/** devx_eth_rxq_free_all - free all mbufs of the ring, posted up to @pi; RQ in RST or destroyed */
void devx_eth_rxq_free_all(struct devx_eth_rxq *rxq, uint32_t pi);
/** devx_eth_rxq_forget_all - empty the ring without freeing its mbufs (devx_eth_is_stuck()) */
void devx_eth_rxq_forget_all(struct devx_eth_rxq *rxq);

#endif
