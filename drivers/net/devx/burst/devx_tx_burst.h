/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_H
#define DEVX_ETH_TX_H

#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>

#include "burst/devx_queue_yield.h"
#include "burst/devx_tx_complete.h"
#include "burst/devx_tx_slow_path.h"
#include "burst/devx_tx_variants.h"
#include "devx_txq.h"
#include "prm/wqe.h"

/**
 * DOC: Send burst, the template
 *
 *     free the mbufs of completed WQEs
 *     until all packets are posted or the ring is full:
 *         packets of one segment in a row -> one multi-packet WQE (DEVX_ETH_TX_EMPW), else SENDs
 *         a packet of several segments    -> one SEND
 *         a packet that cannot be sent    -> dropped and counted
 *     ring the doorbell once, if a WQE was posted; DEVX_ETH_TX_BF: copy the WQE of a single packet
 *
 * A variant is a function that calls the template with constant flags. Without DEVX_ETH_TX_FULL
 * the template ignores checksum requests and drops packets of several segments.
 */

/* Handles pending CQEs, once per burst; most bursts find none. */
static __rte_always_inline void devx_eth_tx_poll_cq(struct devx_eth_txq *txq)
{
	const struct prm_cqe *cqe = devx_cq_peek(&txq->cq);

	if (cqe)
		devx_eth_tx_complete_wqes(txq, cqe);
}

/* ---- posting -------------------------------------------------------------------- */

/* Returns the checksum offloads of a packet as flags of the Ethernet segment. */
static __rte_always_inline uint8_t devx_eth_tx_get_cs_flags(const struct rte_mbuf *m)
{
	const uint64_t ol = m->ol_flags;

	return (ol & RTE_MBUF_F_TX_IP_CKSUM ? PRM_ETH_CS_L3 : 0) |
	       (ol & RTE_MBUF_F_TX_L4_MASK ? PRM_ETH_CS_L4 : 0);
}

/*
 * Writes control and Ethernet segment of a WQE and advances head by its @n_elts mbufs. Requests a
 * CQE if comp_every segments were posted since the last request.
 */
static __rte_always_inline struct prm_ctrl_seg *devx_eth_tx_close_wqe(struct devx_eth_txq *txq,
								      uint8_t opcode,
								      uint8_t cs_flags,
								      uint8_t n_ds, uint16_t n_elts)
{
	struct devx_sq *sq = &txq->sq;
	struct devx_wqebb *wqe = devx_sq_get_wqebb(sq, sq->pi);
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

/* Iterator over the data segments of a new WQE; it wraps from the end of the ring to the start. */
struct devx_eth_tx_segs {
	struct prm_data_seg *next, *first, *end;
};

static __rte_always_inline struct devx_eth_tx_segs devx_eth_tx_start_segs(const struct devx_sq *sq)
{
	return (struct devx_eth_tx_segs){
		.next = (struct prm_data_seg *)devx_sq_get_wqebb(sq, sq->pi) + 2,
		.first = (struct prm_data_seg *)sq->wqebbs,
		.end = (struct prm_data_seg *)(sq->wqebbs + (1u << sq->log2_n)),
	};
}

static __rte_always_inline void devx_eth_tx_add_seg(struct devx_eth_tx_segs *segs, prm_be32 lkey,
						    uint64_t addr, uint32_t bytes)
{
	*segs->next = (struct prm_data_seg){ prm_be32_of(bytes), lkey, prm_be64_of(addr) };
	if (unlikely(++segs->next == segs->end))
		segs->next = segs->first;
}

/*
 * Sets @near to the memory range of a segment. If @near does not hold the segment, searches the
 * table and stores the found range in the queue too. Returns false if the segment has no range.
 */
static __rte_always_inline bool devx_eth_tx_find_range(struct devx_eth_txq *txq,
						       struct devx_eth_range *near, uint64_t addr,
						       uint32_t bytes)
{
	const struct devx_eth_range *r;

	if (likely(devx_eth_range_holds(near, addr, bytes)))
		return true;
	r = devx_eth_range_find(txq->table, addr, bytes);
	if (!r)
		return false;
	*near = txq->range = *r;
	return true;
}

/* Stores the mbufs of a WQE in elts from head on, until their CQE arrives. */
static __rte_always_inline void devx_eth_tx_keep_mbufs(struct devx_eth_txq *txq,
						       struct rte_mbuf **pkts, uint16_t n)
{
	const uint16_t at = txq->head & txq->elts_mask;
	const uint16_t to_end = RTE_MIN(n, (uint16_t)(txq->elts_mask + 1 - at));

	memcpy(&txq->elts[at], pkts, to_end * sizeof(*pkts));
	if (unlikely(n > to_end))
		memcpy(txq->elts, pkts + to_end, (size_t)(n - to_end) * sizeof(*pkts));
}

/**
 * devx_eth_tx_post_multi - post one WQE with packets of one segment
 * @last: receives the WQE; untouched if no packet was posted
 *
 * With DEVX_ETH_TX_EMPW the WQE holds as many packets in a row as possible, all with the same
 * checksum flags; otherwise it holds one packet.
 *
 * Return: number of posted packets; 0: the first packet has several segments, an invalid length or
 * no memory key.
 */
static __rte_always_inline uint16_t devx_eth_tx_post_multi(struct devx_eth_txq *txq,
							   struct rte_mbuf **pkts, uint16_t n,
							   struct prm_ctrl_seg **last,
							   const unsigned int flags)
{
	/* libmlx5 copies SENDs to the register; a multi-packet WQE of one packet is a SEND here */
	const bool empw = flags & DEVX_ETH_TX_EMPW && !(flags & DEVX_ETH_TX_BF && n == 1);
	const uint16_t max = empw ? RTE_MIN(n, (uint16_t)(txq->max_ds - 2)) : 1;
	const uint8_t cs_flags = flags & DEVX_ETH_TX_FULL ? devx_eth_tx_get_cs_flags(pkts[0]) : 0;
	const uint32_t max_bytes = txq->max_bytes;
	struct devx_eth_tx_segs segs = devx_eth_tx_start_segs(&txq->sq);
	struct devx_eth_range range = txq->range;
	uint64_t bytes = 0;
	uint16_t k;

	for (k = 0; k < max; k++) {
		const struct rte_mbuf *m = pkts[k];
		const uint64_t addr = (uintptr_t)m->buf_addr + m->data_off;
		const uint32_t len = m->data_len;

		if (unlikely(m->nb_segs != 1 || !devx_eth_tx_accepts_length(len, max_bytes)))
			break;
		if (flags & DEVX_ETH_TX_FULL && devx_eth_tx_get_cs_flags(m) != cs_flags)
			break;
		if (unlikely(!devx_eth_tx_find_range(txq, &range, addr, len)))
			break;
		devx_eth_tx_add_seg(&segs, range.lkey, addr, len);
		bytes += len;
	}
	if (unlikely(!k))
		return 0;
	devx_eth_tx_keep_mbufs(txq, pkts, k);
	*last = devx_eth_tx_close_wqe(txq, empw ? PRM_WQE_ENHANCED_MPSW : PRM_WQE_SEND, cs_flags,
				      (uint8_t)(2 + k), k);
	txq->n.packets += k;
	txq->n.bytes += bytes;
	return k;
}

/* Posts a packet of several segments as one SEND. Returns false if the packet cannot be sent. */
static __rte_always_inline bool
devx_eth_tx_post_segments(struct devx_eth_txq *txq, struct rte_mbuf *m, struct prm_ctrl_seg **last)
{
	struct devx_eth_tx_segs segs = devx_eth_tx_start_segs(&txq->sq);
	struct devx_eth_range range = txq->range;
	const uint8_t cs_flags = devx_eth_tx_get_cs_flags(m);
	const uint32_t bytes = m->pkt_len;
	uint16_t n_elts = 0;
	uint8_t n_ds = 2;

	if (unlikely(m->nb_segs > txq->max_segs ||
		     !devx_eth_tx_accepts_length(bytes, txq->max_bytes)))
		return false;
	for (struct rte_mbuf *s = m; n_elts < m->nb_segs; s = s->next) {
		const uint64_t addr = (uintptr_t)s->buf_addr + s->data_off;

		txq->elts[(txq->head + n_elts++) & txq->elts_mask] = s;
		if (!s->data_len)
			continue; /* some devices read byte_count 0 as 2 GiB */
		if (unlikely(!devx_eth_tx_find_range(txq, &range, addr, s->data_len)))
			return false;
		devx_eth_tx_add_seg(&segs, range.lkey, addr, s->data_len);
		n_ds++;
	}
	*last = devx_eth_tx_close_wqe(txq, PRM_WQE_SEND, cs_flags, n_ds, n_elts);
	txq->n.packets++;
	txq->n.bytes += bytes;
	return true;
}

/* Takes the newest memory table; if the table changed, forgets the range of the last packet. */
static __rte_always_inline void devx_eth_tx_refresh_table(struct devx_eth_txq *txq)
{
	const struct devx_eth_table *table = devx_eth_memory_get_table(txq->memory);

	if (likely(table == txq->table))
		return;
	txq->table = table;
	txq->range.bytes = 0;
}

/*
 * Rings the doorbell. With DEVX_ETH_TX_BF all doorbells of the queue take turns with the two
 * BlueFlame buffers, as in libmlx5.
 */
static __rte_always_inline void devx_eth_tx_ring(struct devx_eth_txq *txq,
						 const struct prm_ctrl_seg *last, uint16_t n,
						 const unsigned int flags)
{
	if (!(flags & DEVX_ETH_TX_BF))
		devx_sq_ring(&txq->sq, last);
	else if (n == 1)
		devx_sq_ring_wqe(&txq->sq, last);
	else
		devx_sq_ring_next(&txq->sq, last);
}

static __rte_always_inline uint16_t devx_eth_tx_burst_template(struct devx_eth_txq *txq,
							       struct rte_mbuf **pkts, uint16_t n,
							       const unsigned int flags)
{
	struct prm_ctrl_seg *last = NULL;
	uint16_t sent = 0;

	if (unlikely(__atomic_load_n(&txq->owner, __ATOMIC_ACQUIRE) != DEVX_ETH_RUNNING))
		return devx_eth_queue_yield(&txq->owner);
	devx_eth_tx_poll_cq(txq);
	if (unlikely(__atomic_load_n(&txq->owner, __ATOMIC_RELAXED) != DEVX_ETH_RUNNING))
		return 0;

	devx_eth_tx_refresh_table(txq);

	while (sent < n) {
		const uint16_t room = txq->elts_mask + 1 - (uint16_t)(txq->head - txq->tail);
		const uint16_t k = RTE_MIN((uint16_t)(n - sent), room);
		struct rte_mbuf *m = pkts[sent];

		if (flags & DEVX_ETH_TX_FULL && m->nb_segs > 1) {
			if (m->nb_segs > room && m->nb_segs <= txq->max_segs)
				break;
			if (unlikely(!devx_eth_tx_post_segments(txq, m, &last)))
				devx_eth_tx_drop_packet(txq, m);
			sent++;
		} else if (likely(k)) {
			const uint16_t took =
				devx_eth_tx_post_multi(txq, pkts + sent, k, &last, flags);

			if (unlikely(!took))
				devx_eth_tx_drop_packet(txq, m);
			sent += took ? took : 1;
		} else {
			break;
		}
	}
	if (likely(last != NULL))
		devx_eth_tx_ring(txq, last, n, flags);
	return sent;
}

#endif
