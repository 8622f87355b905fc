/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_tx_burst.h"
#include "burst/devx_tx_variants.h"

/* Supports packets of one segment without checksum offload; many packets share a WQE. */
uint16_t devx_eth_tx_burst_multi(void *queue, struct rte_mbuf **pkts, uint16_t n)
{
	return devx_eth_tx_burst_template(queue, pkts, n, DEVX_ETH_TX_EMPW);
}
