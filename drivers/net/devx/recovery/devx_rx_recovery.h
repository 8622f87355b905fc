/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_RECOVERY_H
#define DEVX_ETH_RX_RECOVERY_H

#include "devx_rxq.h"

/** devx_eth_rxq_recover - reset and refill a broken queue; under eth->lock. Return: 0 or -errno */
int devx_eth_rxq_recover(struct devx_eth_rxq *rxq);

/**
 * devx_eth_rxq_reserve_spare - allocate memory for the next CQ and RQ, if the queue has none
 * @rxq: a broken queue whose CQ failed
 *
 * Context: the recovery timer, without eth->lock (devx_ring_memory.h).
 *
 * Return: 0 or -ENOMEM, not logged.
 */
int devx_eth_rxq_reserve_spare(struct devx_eth_rxq *rxq);

#endif
