/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_rx_burst.h"
#include "burst/devx_rx_variants.h"

/* Handles one CQE at a time, in portable C. */
uint16_t devx_eth_rx_burst_plain(void *queue, struct rte_mbuf **pkts, uint16_t n)
{
	return devx_eth_rx_burst_template(queue, pkts, n, 0);
}
