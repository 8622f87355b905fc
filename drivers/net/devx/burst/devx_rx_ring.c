/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include <rte_mempool.h>

#include "burst/devx_rx_refill.h"
#include "burst/devx_rx_ring.h"

static uint32_t count_wqes(const struct devx_eth_rxq *rxq)
{
	return (rxq->elts_mask + 1) >> rxq->log2_segs;
}

int devx_eth_rxq_post_all(struct devx_eth_rxq *rxq)
{
	rxq->ci = 0;
	rxq->starving = false;
	if (rxq->log2_segs)
		devx_eth_rx_refill_segments(rxq);
	else
		devx_eth_rx_refill_ring(rxq);
	return rxq->rq.pi == count_wqes(rxq) ? 0 : -ENOMEM;
}

/* Frees the mbufs of all WQEs: a WQE that is not posted may hold some. */
static void free_segments(struct devx_eth_rxq *rxq)
{
	const unsigned int n_segs = 1u << rxq->log2_segs;

	for (uint32_t i = 0; i < count_wqes(rxq); i++) {
		const unsigned int used = rxq->used[i];

		rte_mempool_put_bulk(rxq->pool, (void **)&rxq->elts[(i << rxq->log2_segs) + used],
				     n_segs - used);
	}
}

void devx_eth_rxq_forget_all(struct devx_eth_rxq *rxq)
{
	if (rxq->log2_segs)
		memset(rxq->used, 1 << rxq->log2_segs, count_wqes(rxq));
	rxq->ci = 0;
	devx_eth_flush_end(&rxq->flush);
}

void devx_eth_rxq_free_all(struct devx_eth_rxq *rxq, uint32_t pi)
{
	if (rxq->log2_segs)
		free_segments(rxq);
	else
		for (; rxq->ci != pi; rxq->ci++)
			rte_mempool_put(rxq->pool, rxq->elts[rxq->ci & rxq->elts_mask]);
	devx_eth_rxq_forget_all(rxq);
}
