/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_rx_burst.h"
#include "burst/devx_rx_variants.h"

/* Also several buffers per packet. */
uint16_t devx_eth_rx_burst_scatter(void *queue, struct rte_mbuf **pkts, uint16_t n)
{
	return devx_eth_rx_burst_template(
		queue, pkts, n, DEVX_ETH_RX_HASH | DEVX_ETH_RX_FIELDS | DEVX_ETH_RX_SCATTER);
}
