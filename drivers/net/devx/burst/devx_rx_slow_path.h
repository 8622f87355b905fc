/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_SLOW_PATH_H
#define DEVX_ETH_RX_SLOW_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "devx_rxq.h"
#include "prm/cqe.h"

/**
 * devx_eth_rx_skip - an error CQE: if it concerns its packet alone, drop it
 *
 * Return: whether it does; then @m is freed. Otherwise the queue needs a reset.
 */
bool devx_eth_rx_skip(struct devx_eth_rxq *rxq, struct rte_mbuf *m, const struct prm_cqe *cqe);
/** devx_eth_rx_error - an error CQE of the queue: hand it to the recovery timer */
void devx_eth_rx_error(struct devx_eth_rxq *rxq, const struct prm_cqe *cqe);
/** devx_eth_rx_starved - the pool has less than @n buffers: take what it has; returns how many */
uint32_t devx_eth_rx_starved(struct devx_eth_rxq *rxq, struct rte_mbuf **m, uint32_t n);

#endif
