/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_mempool.h>

#include "burst/devx_rx_burst.h"
#include "burst/devx_rx_ring.h"

int devx_eth_rxq_post_all(struct devx_eth_rxq *rxq)
{
	rxq->ci = 0;
	rxq->starving = 0;
	devx_eth_rx_refill_ring(rxq);
	return rxq->rq.pi == rxq->elts_mask + 1 ? 0 : -ENOMEM;
}

void devx_eth_rxq_free_all(struct devx_eth_rxq *rxq, uint32_t pi)
{
	for (; rxq->ci != pi; rxq->ci++)
		rte_mempool_put(rxq->pool, rxq->elts[rxq->ci & rxq->elts_mask]);
	rxq->ci = 0;
}
