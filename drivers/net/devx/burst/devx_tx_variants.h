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
	/* a WQE may take more blocks than it has mbufs, so the burst also counts free blocks */
	DEVX_ETH_TX_COUNTED = DEVX_ETH_TX_TSO | DEVX_ETH_TX_INLINE,
};

/* Declares the function and the flags of each row. */
#define TX_VARIANT(name, empw, full, vlan, tso, bf, copy)                                          \
	enum {                                                                                     \
		devx_eth_tx_flags_##name = (empw)*DEVX_ETH_TX_EMPW | (full)*DEVX_ETH_TX_FULL |     \
					   (vlan)*DEVX_ETH_TX_VLAN | (tso)*DEVX_ETH_TX_TSO |       \
					   (bf)*DEVX_ETH_TX_BF | (copy)*DEVX_ETH_TX_INLINE         \
	};                                                                                         \
	uint16_t devx_eth_tx_burst_##name(void *queue, struct rte_mbuf **pkts, uint16_t n);
#include "burst/devx_tx_variants.def"

#endif
