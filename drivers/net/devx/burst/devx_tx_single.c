/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_tx_burst.h"
#include "burst/devx_tx_variants.h"

/* Supports checksums and segments; one WQE per packet, for devices without ENHANCED_MPSW. */
uint16_t devx_eth_tx_burst_single(void *queue, struct rte_mbuf **pkts, uint16_t n)
{
	return devx_eth_tx_burst_template(queue, pkts, n, DEVX_ETH_TX_FULL);
}
