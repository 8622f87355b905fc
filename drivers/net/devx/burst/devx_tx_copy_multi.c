/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_tx_burst.h"
#include "burst/devx_tx_variants.h"

/* As devx_eth_tx_burst_multi(); copies short packets into their WQEs. */
uint16_t devx_eth_tx_burst_copy_multi(void *queue, struct rte_mbuf **pkts, uint16_t n)
{
	return devx_eth_tx_burst_template(queue, pkts, n, DEVX_ETH_TX_EMPW | DEVX_ETH_TX_INLINE);
}
