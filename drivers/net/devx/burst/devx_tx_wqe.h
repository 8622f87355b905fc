/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_WQE_H
#define DEVX_ETH_TX_WQE_H

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>

#include "burst/devx_tx_variants.h"
#include "devx_txq.h"
#include "prm/wqe.h"

/**
 * DOC: Writing a send WQE
 *
 * A WQE starts at sq.pi. The caller writes its data segments, stores its mbufs in elts from head
 * on, and closes it: only then do sq.pi and head move. A WQE that is not closed leaves no trace.
 */

/* Packets that are equal in these flags may share a WQE if the first one may. */
#define DEVX_ETH_TX_SESSION_MASK                                                                   \
	(RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK | RTE_MBUF_F_TX_OUTER_IP_CKSUM |           \
	 RTE_MBUF_F_TX_TUNNEL_MASK | RTE_MBUF_F_TX_VLAN | RTE_MBUF_F_TX_TCP_SEG)

/* Upper half of flags for sending, which are all there. x86 has no AND with 64-bit constants. */
#define DEVX_ETH_TX_UPPER(flags) ((uint32_t)((flags) >> 32))

/**
 * devx_eth_tx_get_cs_flags - get the checksum offloads of a packet as flags of the Ethernet segment
 *
 * In a tunnel IP and layer 4 are those of the inner packet, as DPDK defines the flags.
 */
static __rte_always_inline uint8_t devx_eth_tx_get_cs_flags(const struct rte_mbuf *m)
{
	const uint32_t ol = DEVX_ETH_TX_UPPER(m->ol_flags);

	if (unlikely(ol & DEVX_ETH_TX_UPPER(RTE_MBUF_F_TX_TUNNEL_MASK)))
		return (ol & DEVX_ETH_TX_UPPER(RTE_MBUF_F_TX_OUTER_IP_CKSUM) ? PRM_ETH_CS_L3 : 0) |
		       (ol & DEVX_ETH_TX_UPPER(RTE_MBUF_F_TX_IP_CKSUM) ? PRM_ETH_CS_INNER_L3 : 0) |
		       (ol & DEVX_ETH_TX_UPPER(RTE_MBUF_F_TX_L4_MASK) ? PRM_ETH_CS_INNER_L4 : 0);
	return (ol & DEVX_ETH_TX_UPPER(RTE_MBUF_F_TX_IP_CKSUM) ? PRM_ETH_CS_L3 : 0) |
	       (ol & DEVX_ETH_TX_UPPER(RTE_MBUF_F_TX_L4_MASK) ? PRM_ETH_CS_L4 : 0);
}

/**
 * devx_eth_tx_close_wqe - write control and Ethernet segment of a WQE and post it
 * @eth: the Ethernet segment
 * @n_ds: segments of the WQE
 * @n_elts: its mbufs, which are stored in elts
 * @flags: of the variant
 *
 * Requests a CQE if enough segments, or with TSO blocks, were posted since the last request.
 *
 * Return: the control segment.
 */
static __rte_always_inline struct prm_ctrl_seg *
devx_eth_tx_close_wqe(struct devx_eth_txq *txq, uint8_t opcode, struct prm_eth_seg eth,
		      uint8_t n_ds, uint16_t n_elts, const unsigned int flags)
{
	struct devx_sq *sq = &txq->sq;
	struct devx_wqebb *wqe = devx_sq_get_wqebb(sq, sq->pi);
	const uint16_t next = (uint16_t)(sq->pi + prm_wqe_count_blocks(n_ds));
	uint8_t ce = PRM_CE_FIRST_ERROR;

	txq->marks[sq->pi & txq->elts_mask] =
		(struct devx_eth_tx_mark){ txq->head, (uint16_t)(txq->head + n_elts) };
	txq->head += n_elts;
	if ((uint16_t)(txq->head - txq->comp) >= txq->comp_every ||
	    (flags & DEVX_ETH_TX_TSO && (uint16_t)(next - txq->comp_block) >= txq->comp_every)) {
		txq->comp = txq->head;
		txq->comp_block = next;
		ce = PRM_CE_ALWAYS;
	}
	wqe->ctrl = (struct prm_ctrl_seg){
		.opmod_idx_opcode = prm_ctrl_dw0(0, sq->pi, opcode),
		.qpn_ds = prm_ctrl_dw1(sq->sqn, n_ds),
		.fm_ce_se = (uint8_t)(ce << PRM_CE_SHIFT),
	};
	*((struct prm_eth_seg *)&wqe->ctrl + 1) = eth;
	sq->pi = next;
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

#endif
