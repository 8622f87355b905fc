/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_VARIANTS_H
#define DEVX_ETH_TX_VARIANTS_H

#include <stdint.h>

struct rte_mbuf;

/* Flags of devx_eth_tx_burst_template(); each variant passes a constant. */
enum {
	DEVX_ETH_TX_EMPW = 1 << 0, /* the device supports enhanced multi-packet WQEs */
	DEVX_ETH_TX_FULL = 1 << 1, /* supports checksum offload and packets of several segments */
	DEVX_ETH_TX_BF = 1 << 2,   /* copies the WQE of a burst of one packet to the register */
	DEVX_ETH_TX_VLAN = 1 << 3, /* inserts VLAN tags; needs DEVX_ETH_TX_FULL */
	DEVX_ETH_TX_TSO = 1 << 4,  /* TSO, also in tunnels; needs DEVX_ETH_TX_FULL */
	/* copies packets of up to inline_max bytes into WQEs; needs DEVX_ETH_TX_EMPW */
	DEVX_ETH_TX_INLINE = 1 << 5,
	/* a WQE may take more blocks than it has mbufs, so free blocks are counted too */
	DEVX_ETH_TX_COUNTED = DEVX_ETH_TX_TSO | DEVX_ETH_TX_INLINE,
};

/** devx_eth_tx_burst_multi - packets of one segment, no checksum offload; many packets per WQE */
uint16_t devx_eth_tx_burst_multi(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_tx_burst_full - checksums, segments; packets with equal checksum flags share a WQE */
uint16_t devx_eth_tx_burst_full(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_tx_burst_vlan - devx_eth_tx_burst_full() with VLAN insertion */
uint16_t devx_eth_tx_burst_vlan(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_tx_burst_tso - devx_eth_tx_burst_full() with VLAN insertion and TSO */
uint16_t devx_eth_tx_burst_tso(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_tx_burst_single - checksums, segments; one WQE per packet */
uint16_t devx_eth_tx_burst_single(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_tx_burst_full_bf - devx_eth_tx_burst_full() with DEVX_ETH_TX_BF */
uint16_t devx_eth_tx_burst_full_bf(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_tx_burst_single_bf - devx_eth_tx_burst_single() with DEVX_ETH_TX_BF */
uint16_t devx_eth_tx_burst_single_bf(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_tx_burst_single_tso - devx_eth_tx_burst_single() with VLAN insertion and TSO */
uint16_t devx_eth_tx_burst_single_tso(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_tx_burst_tso_bf - devx_eth_tx_burst_tso() with DEVX_ETH_TX_BF */
uint16_t devx_eth_tx_burst_tso_bf(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_tx_burst_single_tso_bf - devx_eth_tx_burst_single_tso() with DEVX_ETH_TX_BF */
uint16_t devx_eth_tx_burst_single_tso_bf(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_tx_burst_copy_multi - devx_eth_tx_burst_multi() with DEVX_ETH_TX_INLINE */
uint16_t devx_eth_tx_burst_copy_multi(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_tx_burst_copy_full - devx_eth_tx_burst_full() with DEVX_ETH_TX_INLINE */
uint16_t devx_eth_tx_burst_copy_full(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_tx_burst_copy_tso - devx_eth_tx_burst_tso() with DEVX_ETH_TX_INLINE */
uint16_t devx_eth_tx_burst_copy_tso(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_tx_burst_copy_tso_bf - devx_eth_tx_burst_tso_bf() with DEVX_ETH_TX_INLINE */
uint16_t devx_eth_tx_burst_copy_tso_bf(void *queue, struct rte_mbuf **pkts, uint16_t n);

#endif
