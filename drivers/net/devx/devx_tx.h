/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_H
#define DEVX_ETH_TX_H

#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "devx_txq.h"
#include "prm/wqe.h"

/**
 * DOC: Send burst, the template
 *
 *     free what completed
 *     until all packets are posted or the ring is full:
 *         a run of simple packets  -> one multi-packet WQE, a pointer each
 *         one with segments        -> one SEND
 *         one that cannot be sent  -> dropped and counted
 *     one doorbell
 *
 * Variants are one-line functions that pass constant flags. Without DEVX_TX_FULL every
 * packet is one segment and asks for nothing; one that does not keep to it is dropped.
 */

/* ---- completion ----------------------------------------------------------------- */

/* Free elts [tail, end): all from one pool and unshared, as the application promised. */
static __rte_always_inline void
devx_tx_free_fast(struct devx_eth_txq *txq, uint16_t end)
{
	const uint16_t size = txq->elts_mask + 1;

	while (txq->tail != end) {
		const uint16_t at = txq->tail & txq->elts_mask;
		const uint16_t n = RTE_MIN((uint16_t)(end - txq->tail), (uint16_t)(size - at));
		struct rte_mbuf **m = &txq->elts[at];

		rte_mempool_put_bulk(m[0]->pool, (void **)m, n);
		txq->tail += n;
	}
}

/* Free elts [tail, end) of any kind, in runs of one pool. */
static __rte_always_inline void
devx_tx_free_any(struct devx_eth_txq *txq, uint16_t end)
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

static __rte_always_inline void
devx_tx_free(struct devx_eth_txq *txq, uint16_t end)
{
	if (txq->fast_free)
		devx_tx_free_fast(txq, end);
	else
		devx_tx_free_any(txq, end);
}

/* Take what CQEs there are; the last one says how far the device came. */
static __rte_always_inline void
devx_tx_complete(struct devx_eth_txq *txq)
{
	const struct prm_cqe *cqe = devx_cq_peek(&txq->cq);
	uint16_t end = txq->tail;

	if (!cqe)
		return;
	do {
		if (unlikely(prm_cqe_opcode(cqe->op_own) != PRM_CQE_REQ))
			break;
		end = txq->marks[prm_be16_get(cqe->wqe_counter) & txq->elts_mask].end;
		devx_cq_pop(&txq->cq);
		cqe = devx_cq_peek(&txq->cq);
	} while (cqe);
	devx_cq_release(&txq->cq);
	devx_tx_free(txq, end);
	if (unlikely(cqe != NULL))
		devx_eth_tx_error(txq, cqe); /* last: the queue is the watch's from here on */
}

/* ---- posting -------------------------------------------------------------------- */

/* Checksums that a packet asks for, as the Ethernet segment wants them. */
static __rte_always_inline uint8_t
devx_tx_cs_flags(const struct rte_mbuf *m)
{
	const uint64_t ol = m->ol_flags;

	return (ol & RTE_MBUF_F_TX_IP_CKSUM ? PRM_ETH_CS_L3 : 0) |
	       (ol & RTE_MBUF_F_TX_L4_MASK ? PRM_ETH_CS_L4 : 0);
}

/* Fill the two segments that every WQE starts with, and account for its elts. */
static __rte_always_inline struct prm_ctrl_seg *
devx_tx_close(struct devx_eth_txq *txq, uint8_t opcode, uint8_t cs_flags, uint8_t n_ds,
	      uint16_t n_elts)
{
	struct devx_sq *sq = &txq->sq;
	struct devx_wqebb *wqe = devx_sq_wqebb(sq, sq->pi);
	struct prm_eth_seg *eth = (struct prm_eth_seg *)&wqe->ctrl + 1;
	uint8_t ce = PRM_CE_FIRST_ERROR;

	txq->marks[sq->pi & txq->elts_mask] =
		(struct devx_eth_tx_mark){ txq->head, (uint16_t)(txq->head + n_elts) };
	txq->head += n_elts;
	if ((uint16_t)(txq->head - txq->comp) >= txq->comp_every) {
		txq->comp = txq->head;
		ce = PRM_CE_ALWAYS;
	}
	wqe->ctrl = (struct prm_ctrl_seg){
		.opmod_idx_opcode = prm_ctrl_dw0(0, sq->pi, opcode),
		.qpn_ds = prm_ctrl_dw1(sq->sqn, n_ds),
		.fm_ce_se = (uint8_t)(ce << PRM_CE_SHIFT),
	};
	*eth = (struct prm_eth_seg){ .cs_flags = cs_flags };
	sq->pi += (n_ds + PRM_WQEBB_BYTES / PRM_DS_BYTES - 1) / (PRM_WQEBB_BYTES / PRM_DS_BYTES);
	return &wqe->ctrl;
}

/* Where the data segments of the next WQE start, and where the ring ends. */
static __rte_always_inline struct prm_data_seg *
devx_tx_first_seg(const struct devx_sq *sq)
{
	return (struct prm_data_seg *)devx_sq_wqebb(sq, sq->pi) + 2;
}

static __rte_always_inline struct prm_data_seg *
devx_tx_next_seg(const struct devx_sq *sq, struct prm_data_seg *seg)
{
	seg++;
	return unlikely((void *)seg == (void *)&sq->wqebbs[1u << sq->log2_n]) ?
		(struct prm_data_seg *)sq->wqebbs : seg;
}

/* The range of a piece of a packet; looks further than @near when it must. */
static __rte_always_inline bool
devx_tx_range(struct devx_eth_txq *txq, struct devx_eth_range *near, uint64_t addr, uint32_t bytes)
{
	const struct devx_eth_range *r;

	if (likely(devx_eth_range_holds(near, addr, bytes)))
		return true;
	r = devx_eth_range_find(&txq->eth->ranges, addr, bytes);
	if (!r)
		return false;
	*near = txq->range = *r;
	return true;
}

static __rte_always_inline bool
devx_tx_length_ok(const struct devx_eth_txq *txq, uint32_t bytes)
{
	return bytes - RTE_ETHER_HDR_LEN <= txq->max_bytes - RTE_ETHER_HDR_LEN;
}

/* Remember the mbufs of a WQE: elts are a ring. */
static __rte_always_inline void
devx_tx_keep(struct devx_eth_txq *txq, struct rte_mbuf **pkts, uint16_t n)
{
	const uint16_t at = txq->head & txq->elts_mask;
	const uint16_t to_end = RTE_MIN(n, (uint16_t)(txq->elts_mask + 1 - at));

	memcpy(&txq->elts[at], pkts, to_end * sizeof(*pkts));
	if (unlikely(n > to_end))
		memcpy(txq->elts, pkts + to_end, (size_t)(n - to_end) * sizeof(*pkts));
}

/**
 * devx_tx_multi - post as many simple packets as one multi-packet WQE takes
 * @last: receives the WQE, if there is one
 *
 * Return: how many; 0 when the first one is not simple.
 */
static __rte_always_inline uint16_t
devx_tx_multi(struct devx_eth_txq *txq, struct rte_mbuf **pkts, uint16_t n,
	      struct prm_ctrl_seg **last, const unsigned int flags)
{
	const struct devx_sq *sq = &txq->sq;
	const uint16_t max = flags & DEVX_TX_EMPW ? RTE_MIN(n, (uint16_t)(txq->max_ds - 2)) : 1;
	const uint8_t cs_flags = flags & DEVX_TX_FULL ? devx_tx_cs_flags(pkts[0]) : 0;
	struct prm_data_seg *seg = devx_tx_first_seg(sq);
	struct devx_eth_range range = txq->range;
	uint64_t bytes = 0;
	uint16_t k;

	for (k = 0; k < max; k++) {
		const struct rte_mbuf *m = pkts[k];
		const uint64_t addr = (uintptr_t)m->buf_addr + m->data_off;
		const uint32_t len = m->data_len;

		if (unlikely(m->nb_segs != 1 || !devx_tx_length_ok(txq, len)))
			break;
		if (flags & DEVX_TX_FULL && devx_tx_cs_flags(m) != cs_flags)
			break;
		if (unlikely(!devx_tx_range(txq, &range, addr, len)))
			break;
		seg->byte_count = prm_be32_of(len);
		seg->lkey = range.lkey;
		seg->addr = prm_be64_of(addr);
		seg = devx_tx_next_seg(sq, seg);
		bytes += len;
	}
	if (unlikely(!k))
		return 0;
	devx_tx_keep(txq, pkts, k);
	*last = devx_tx_close(txq, flags & DEVX_TX_EMPW ? PRM_WQE_ENHANCED_MPSW : PRM_WQE_SEND,
			      cs_flags, (uint8_t)(2 + k), k);
	txq->n.packets += k;
	txq->n.bytes += bytes;
	return k;
}

/* Post a packet of several segments as one SEND. Returns whether it could be. */
static __rte_always_inline bool
devx_tx_segments(struct devx_eth_txq *txq, struct rte_mbuf *m, struct prm_ctrl_seg **last)
{
	const struct devx_sq *sq = &txq->sq;
	struct prm_data_seg *seg = devx_tx_first_seg(sq);
	struct devx_eth_range range = txq->range;
	const uint8_t cs_flags = devx_tx_cs_flags(m);
	const uint32_t bytes = m->pkt_len;
	uint16_t n_elts = 0;
	uint8_t n_ds = 2;

	if (unlikely(m->nb_segs > txq->max_segs || !devx_tx_length_ok(txq, bytes)))
		return false;
	for (struct rte_mbuf *s = m; n_elts < m->nb_segs; s = s->next) {
		const uint64_t addr = (uintptr_t)s->buf_addr + s->data_off;

		txq->elts[(txq->head + n_elts++) & txq->elts_mask] = s;
		if (!s->data_len)
			continue; /* a segment of 0 bytes would mean 2 GiB to some devices */
		if (unlikely(!devx_tx_range(txq, &range, addr, s->data_len)))
			return false;
		seg->byte_count = prm_be32_of(s->data_len);
		seg->lkey = range.lkey;
		seg->addr = prm_be64_of(addr);
		seg = devx_tx_next_seg(sq, seg);
		n_ds++;
	}
	*last = devx_tx_close(txq, PRM_WQE_SEND, cs_flags, n_ds, n_elts);
	txq->n.packets++;
	txq->n.bytes += bytes;
	return true;
}

static __rte_always_inline uint16_t
devx_tx_burst(struct devx_eth_txq *txq, struct rte_mbuf **pkts, uint16_t n,
	      const unsigned int flags)
{
	struct prm_ctrl_seg *last = NULL;
	uint16_t sent = 0;

	if (unlikely(__atomic_load_n(&txq->owner, __ATOMIC_ACQUIRE) != DEVX_ETH_RUNNING))
		return 0;
	devx_tx_complete(txq);
	if (unlikely(txq->owner != DEVX_ETH_RUNNING))
		return 0;

	while (sent < n) {
		const uint16_t room = txq->elts_mask + 1 - (uint16_t)(txq->head - txq->tail);
		const uint16_t k = RTE_MIN((uint16_t)(n - sent), room);
		struct rte_mbuf *m = pkts[sent];

		if (flags & DEVX_TX_FULL && m->nb_segs > 1) {
			if (m->nb_segs > room && m->nb_segs <= txq->max_segs)
				break;
			if (unlikely(!devx_tx_segments(txq, m, &last)))
				devx_eth_tx_refuse(txq, m);
			sent++;
		} else if (likely(k)) {
			const uint16_t took = devx_tx_multi(txq, pkts + sent, k, &last, flags);

			if (unlikely(!took))
				devx_eth_tx_refuse(txq, m);
			sent += took ? took : 1;
		} else {
			break;
		}
	}
	if (likely(last != NULL))
		devx_sq_ring(&txq->sq, last);
	return sent;
}

#endif
