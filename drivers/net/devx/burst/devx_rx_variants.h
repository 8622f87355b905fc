/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_VARIANTS_H
#define DEVX_ETH_RX_VARIANTS_H

#include <stdint.h>

struct rte_mbuf;

/* Variants of the receive burst; each does all that the ones above it do. */

/** devx_eth_rx_burst_plain - packet type and checksum flags; one CQE at a time, in portable C */
uint16_t devx_eth_rx_burst_plain(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_rx_burst_hash - the RSS hash */
uint16_t devx_eth_rx_burst_hash(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_rx_burst_full - stripped VLAN tags, timestamps, frame check sequences */
uint16_t devx_eth_rx_burst_full(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_rx_burst_scatter - several buffers per packet */
uint16_t devx_eth_rx_burst_scatter(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_rx_burst_scatter_fcs - whole frame check sequences with several buffers per packet */
uint16_t devx_eth_rx_burst_scatter_fcs(void *queue, struct rte_mbuf **pkts, uint16_t n);

/* The first three with vector instructions of a processor: they take packets in groups. */

uint16_t devx_eth_rx_burst_plain_avx2(void *queue, struct rte_mbuf **pkts, uint16_t n);
uint16_t devx_eth_rx_burst_hash_avx2(void *queue, struct rte_mbuf **pkts, uint16_t n);
uint16_t devx_eth_rx_burst_full_avx2(void *queue, struct rte_mbuf **pkts, uint16_t n);
uint16_t devx_eth_rx_burst_plain_avx512(void *queue, struct rte_mbuf **pkts, uint16_t n);
uint16_t devx_eth_rx_burst_hash_avx512(void *queue, struct rte_mbuf **pkts, uint16_t n);
uint16_t devx_eth_rx_burst_full_avx512(void *queue, struct rte_mbuf **pkts, uint16_t n);

#endif
