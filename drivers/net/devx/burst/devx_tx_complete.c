/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "burst/devx_tx_complete.h"
#include "burst/devx_tx_slow_path.h"

/* Frees elts [tail, end) for MBUF_FAST_FREE: all are from one pool and have one reference. */
static void free_elts_fast(struct devx_eth_txq *txq, uint16_t end)
{
	while (txq->tail != end) {
		const uint16_t at = txq->tail & txq->elts_mask;
		const uint16_t to_end = txq->elts_mask + 1 - at;
		const uint16_t n = RTE_MIN((uint16_t)(end - txq->tail), to_end);
		struct rte_mbuf **m = &txq->elts[at];

		rte_mempool_put_bulk(m[0]->pool, (void **)m, n);
		txq->tail += n;
	}
}

/* Frees elts [tail, end) of any pool and reference count; returns runs of one pool in bulk. */
static void free_elts_any(struct devx_eth_txq *txq, uint16_t end)
{
	struct rte_mbuf *run[64];
	unsigned int n = 0;

	for (; txq->tail != end; txq->tail++) {
		struct rte_mbuf *m = rte_pktmbuf_prefree_seg(txq->elts[txq->tail & txq->elts_mask]);

		if (!m)
			continue;
		if (n && (n == RTE_DIM(run) || m->pool != run[0]->pool)) {
			rte_mempool_put_bulk(run[0]->pool, (void **)run, n);
			n = 0;
		}
		run[n++] = m;
	}
	if (n)
		rte_mempool_put_bulk(run[0]->pool, (void **)run, n);
}

void devx_eth_tx_free_elts(struct devx_eth_txq *txq, uint16_t end)
{
	if (txq->fast_free)
		free_elts_fast(txq, end);
	else
		free_elts_any(txq, end);
}

uint16_t devx_eth_tx_get_end_of_wqe(const struct devx_eth_txq *txq, uint16_t at)
{
	const struct devx_wqebb *wqe = devx_sq_get_wqebb(&txq->sq, at);

	return (uint16_t)(at + prm_wqe_count_blocks(prm_ctrl_ds(&wqe->ctrl)));
}

void devx_eth_tx_complete_wqes(struct devx_eth_txq *txq, const struct prm_cqe *cqe)
{
	uint16_t end = txq->tail;

	do {
		uint16_t at;

		if (unlikely(prm_cqe_opcode(cqe->op_own) != PRM_CQE_REQ))
			break;
		at = prm_be16_get(cqe->wqe_counter);
		end = txq->marks[at & txq->elts_mask].end;
		txq->done = devx_eth_tx_get_end_of_wqe(txq, at);
		devx_cq_pop(&txq->cq);
		cqe = devx_cq_peek(&txq->cq);
	} while (cqe);
	devx_cq_release(&txq->cq);
	devx_eth_tx_free_elts(txq, end);
	/* the last write of the burst to @txq: then the recovery timer owns the queue */
	if (unlikely(cqe != NULL))
		devx_eth_txq_mark_broken(txq, cqe);
}
