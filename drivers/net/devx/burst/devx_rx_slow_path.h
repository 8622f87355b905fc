/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_SLOW_PATH_H
#define DEVX_ETH_RX_SLOW_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "devx_rxq.h"
#include "prm/cqe.h"

/**
 * devx_eth_rx_skip_packet - an error CQE: if it concerns its packet alone, drop it
 *
 * Return: whether it does; then @m is freed. Otherwise the queue needs a reset.
 */
bool devx_eth_rx_skip_packet(struct devx_eth_rxq *rxq, struct rte_mbuf *m,
			     const struct prm_cqe *cqe);
/** devx_eth_rxq_mark_broken - an error CQE of the queue: hand it to the recovery timer */
void devx_eth_rxq_mark_broken(struct devx_eth_rxq *rxq, const struct prm_cqe *cqe);
/** devx_eth_rx_take_remaining - take what a pool of less than @n buffers has; returns how many */
uint32_t devx_eth_rx_take_remaining(struct devx_eth_rxq *rxq, struct rte_mbuf **m, uint32_t n);

#endif
