/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_VARIANTS_H
#define DEVX_ETH_RX_VARIANTS_H

#include <stdint.h>

struct rte_mbuf;

/** devx_eth_rx_burst_scalar - receive burst that handles one CQE at a time, in portable C */
uint16_t devx_eth_rx_burst_scalar(void *queue, struct rte_mbuf **pkts, uint16_t n);

#endif
