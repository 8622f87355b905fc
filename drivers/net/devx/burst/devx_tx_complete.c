/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "burst/devx_tx_complete.h"
#include "burst/devx_tx_keep.h"
#include "burst/devx_tx_slow_path.h"

/* Moves tail first: if the process is killed before it frees mbufs, no reset frees any twice. */
static __rte_always_inline void step_tail(struct devx_eth_txq *txq, uint16_t n)
{
	txq->tail += n;
	rte_compiler_barrier();
}

/*
 * Returns whether an mbuf may go back to its pool as it is. @single: it is a whole packet, so next
 * is NULL (struct rte_mbuf), and its second cache line is not needed.
 */
static __rte_always_inline bool is_plain(const struct rte_mbuf *m, const bool single)
{
	return rte_mbuf_refcnt_read(m) == 1 && RTE_MBUF_DIRECT(m) &&
	       (single || (!m->next && m->nb_segs == 1));
}

/*
 * Frees @n mbufs of any pool and reference count. Runs of plain mbufs of one pool are returned in
 * bulk from where they are.
 */
static __rte_always_inline void free_mbufs(struct rte_mbuf **m, unsigned int n, const bool single)
{
	struct rte_mbuf **const end = m + n;

	while (m < end) {
		struct rte_mempool *const pool = (*m)->pool;
		struct rte_mbuf **run = m;

		while (m < end && (*m)->pool == pool && likely(is_plain(*m, single)))
			m++;
		if (likely(m > run))
			rte_mempool_put_bulk(pool, (void **)run, (unsigned int)(m - run));
		else
			rte_pktmbuf_free_seg(*m++);
	}
}

/* Frees @n mbufs from @m on for MBUF_FAST_FREE: all are from one pool and have one reference. */
static __rte_always_inline void free_fast(struct rte_mbuf **m, unsigned int n)
{
	rte_mempool_put_bulk(m[0]->pool, (void **)m, n);
}

static __rte_noinline void free_any(const struct devx_eth_txq *txq, struct rte_mbuf **m,
				    unsigned int n)
{
	if (txq->max_segs == 1)
		free_mbufs(m, n, true);
	else
		free_mbufs(m, n, false);
}

void devx_eth_tx_free_copied(const struct devx_eth_txq *txq, struct rte_mbuf **m, unsigned int n)
{
	if (txq->fast_free)
		free_fast(m, n);
	else
		free_mbufs(m, n, true);
}

/* Frees elts [tail, end), each of which has an mbuf. */
static void free_elts_all(struct devx_eth_txq *txq, uint16_t end)
{
	while (txq->tail != end) {
		const uint16_t at = txq->tail & txq->elts_mask;
		const uint16_t to_end = txq->elts_mask + 1 - at;
		const uint16_t n = RTE_MIN((uint16_t)(end - txq->tail), to_end);

		step_tail(txq, n);
		if (txq->fast_free)
			free_fast(&txq->elts[at], n);
		else
			free_any(txq, &txq->elts[at], n);
	}
}

/* Returns how many of @n elts, from the first one on, have an mbuf, or have none if it has none. */
static uint16_t count_alike(struct rte_mbuf *const *m, uint16_t n)
{
	uint16_t k = 1;

	while (k < n && !m[k] == !m[0])
		k++;
	return k;
}

/* Frees the mbufs of elts [tail, end). Those of copied packets are NULL, or behind kept. */
static void free_elts_kept(struct devx_eth_txq *txq, uint16_t end)
{
	const uint16_t n_elts = (uint16_t)(end - txq->tail), n_kept = devx_eth_tx_count_kept(txq);
	uint16_t left = RTE_MIN(n_elts, n_kept), n;

	for (; left; left -= n) {
		const uint16_t at = txq->tail & txq->elts_mask;
		const uint16_t to_end = txq->elts_mask + 1 - at;
		struct rte_mbuf **m = &txq->elts[at];

		n = RTE_MIN(left, to_end);
		if (unlikely(txq->n_gaps))
			n = count_alike(m, n);
		step_tail(txq, n);
		if (unlikely(!m[0]))
			txq->n_gaps -= n;
		else if (txq->fast_free)
			free_fast(m, n);
		else
			free_any(txq, m, n);
	}
	txq->tail = end;
	if (n_kept < n_elts)
		txq->kept = end;
}

void devx_eth_tx_free_elts(struct devx_eth_txq *txq, uint16_t end)
{
	if (txq->inline_max)
		free_elts_kept(txq, end);
	else
		free_elts_all(txq, end);
}

uint16_t devx_eth_tx_get_end_of_wqe(const struct devx_eth_txq *txq, uint16_t at)
{
	const struct devx_wqebb *wqe = devx_sq_get_wqebb(&txq->sq, at);

	return (uint16_t)(at + prm_wqe_count_blocks(prm_ctrl_ds(&wqe->ctrl)));
}

void devx_eth_tx_post_nop(struct devx_eth_txq *txq)
{
	struct devx_sq *sq = &txq->sq;
	struct prm_ctrl_seg *ctrl = &devx_sq_get_wqebb(sq, sq->pi)->ctrl;

	*ctrl = (struct prm_ctrl_seg){
		.opmod_idx_opcode = prm_ctrl_dw0(0, sq->pi, PRM_WQE_NOP),
		.qpn_ds = prm_ctrl_dw1(sq->sqn, 1),
		.fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT,
	};
	txq->marks[sq->pi & txq->elts_mask] = (struct devx_eth_tx_mark){ txq->head, txq->head };
	txq->n_elts = txq->n_desc - 1;
	txq->comp = txq->head;
	txq->comp_block = ++sq->pi;
	if (txq->eth->args.tx_bf_wqe)
		devx_sq_ring_next(sq, ctrl);
	else
		devx_sq_ring(sq, ctrl);
}

__rte_noinline void devx_eth_tx_request_cqe(struct devx_eth_txq *txq)
{
	if (txq->tail != txq->comp)
		return; /* a requested CQE is pending; at most one NOP is in the ring */
	txq->n_elts = txq->n_desc;
	/* the ring has room: fewer than comp_every segments, or blocks if counted, are posted */
	if (txq->tail != txq->head)
		devx_eth_tx_post_nop(txq);
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
