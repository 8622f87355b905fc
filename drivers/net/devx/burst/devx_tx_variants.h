/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_VARIANTS_H
#define DEVX_ETH_TX_VARIANTS_H

#include <stdint.h>

struct rte_mbuf;

/* Flags of the template, constants of each variant. */
enum {
	DEVX_ETH_TX_EMPW = 1 << 0, /* the device takes many packets in a WQE */
	DEVX_ETH_TX_FULL = 1 << 1, /* the application asked for checksums or several segments */
};

/** devx_eth_tx_burst_multi - single segments, no checksums; many packets in a WQE */
uint16_t devx_eth_tx_burst_multi(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_tx_burst_full - every offload; packets that ask for the same share a WQE */
uint16_t devx_eth_tx_burst_full(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_tx_burst_single - every offload, a WQE for each packet */
uint16_t devx_eth_tx_burst_single(void *queue, struct rte_mbuf **pkts, uint16_t n);

#endif
