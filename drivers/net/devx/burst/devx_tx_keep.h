/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_KEEP_H
#define DEVX_ETH_TX_KEEP_H

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>

#include "devx_txq.h"

/**
 * DOC: Elts of a queue that copies packets
 *
 *     elts   | m | NULL | m | - | - | - |
 *              tail            kept      head
 *
 * The mbuf of a copied packet is free when its WQE is posted. Its elt counts, but stays empty: NULL
 * below kept, any value from kept on. So a burst of copies writes no elts. One that keeps mbufs
 * behind them first writes NULL to the elts between.
 *
 * Only queues with inline_max use kept. In others each elt from tail to head has an mbuf.
 */

/**
 * devx_eth_tx_count_kept - get the number of elts from tail on that are NULL or have an mbuf
 *
 * If a process was killed while it freed mbufs, kept may be behind tail.
 */
static __rte_always_inline uint16_t devx_eth_tx_count_kept(const struct devx_eth_txq *txq)
{
	const uint16_t n = (uint16_t)(txq->kept - txq->tail);

	return n <= txq->elts_mask + 1 ? n : 0;
}

/**
 * devx_eth_tx_get_elt - get the mbuf of an elt from tail to head, or NULL if its packet was copied
 *
 * Context: the owner of the queue.
 */
static inline const struct rte_mbuf *devx_eth_tx_get_elt(const struct devx_eth_txq *txq,
							 uint16_t at)
{
	if (txq->inline_max && (uint16_t)(at - txq->tail) >= devx_eth_tx_count_kept(txq))
		return NULL;
	return txq->elts[at & txq->elts_mask];
}

/** devx_eth_tx_keep_elts - note that elts [@first, @end), all behind kept, contain mbufs */
static inline void devx_eth_tx_keep_elts(struct devx_eth_txq *txq, uint16_t first, uint16_t end)
{
	uint16_t at = (uint16_t)(txq->tail + devx_eth_tx_count_kept(txq));

	for (; unlikely(at != first); at++) {
		txq->elts[at & txq->elts_mask] = NULL;
		txq->n_gaps++;
	}
	txq->kept = end;
}

#endif
