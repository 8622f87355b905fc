/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_WQE_H
#define DEVX_ETH_TX_WQE_H

#include <string.h>

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

/* Upper half of ol_flags, which has all flags for sending: x86 has no AND with 64-bit constants. */
#define DEVX_ETH_TX_UPPER(flags) ((uint32_t)((flags) >> 32))

/**
 * devx_eth_tx_get_cs_flags - get the checksum offloads of a packet as flags of the Ethernet segment
 *
 * In a tunnel, the flags for IP and layer 4 mean the inner packet, as DPDK defines them.
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

/* Returns whether the packet must have a WQE of its own because of an offload. */
static __rte_always_inline bool devx_eth_tx_is_alone(const struct devx_eth_txq *txq,
						     const struct rte_mbuf *m,
						     const unsigned int flags)
{
	return flags & (DEVX_ETH_TX_VLAN | DEVX_ETH_TX_TSO) && m->ol_flags & txq->alone;
}

/* Returns whether a packet with other flags in ol_flags than the first may share its WQE. */
static __rte_always_inline bool devx_eth_tx_may_join(const struct devx_eth_txq *txq,
						     const struct rte_mbuf *m, uint8_t cs_flags,
						     const unsigned int flags)
{
	return devx_eth_tx_get_cs_flags(m) == cs_flags && !devx_eth_tx_is_alone(txq, m, flags);
}

/* Returns the last 8 bytes of a control segment. */
static __rte_always_inline uint64_t devx_eth_tx_get_ctrl_end(const enum prm_ce ce)
{
	const struct prm_ctrl_seg ctrl = { .fm_ce_se = (uint8_t)(ce << PRM_CE_SHIFT) };
	uint64_t end;

	memcpy(&end, (const char *)&ctrl + sizeof(end), sizeof(end));
	return end;
}

/* Writes a control segment. Two stores of 8 bytes are faster than what compilers make of fields. */
static __rte_always_inline void devx_eth_tx_write_ctrl(struct prm_ctrl_seg *ctrl,
						       const struct devx_sq *sq, uint16_t index,
						       uint8_t opcode, uint8_t n_ds, uint8_t ce)
{
	const prm_be64 start = prm_ctrl_start(index, opcode, sq->sqn, n_ds);
	const uint64_t end = ce == PRM_CE_ALWAYS ? devx_eth_tx_get_ctrl_end(PRM_CE_ALWAYS)
						 : devx_eth_tx_get_ctrl_end(PRM_CE_FIRST_ERROR);

	memcpy(ctrl, &start, sizeof(start));
	memcpy((char *)ctrl + sizeof(start), &end, sizeof(end));
}

/** struct devx_eth_tx_place - place of the next WQE; its fields are those of the queue */
struct devx_eth_tx_place {
	uint16_t head, comp, pi, comp_block;
};

static __rte_always_inline struct devx_eth_tx_place
devx_eth_tx_load_place(const struct devx_eth_txq *txq)
{
	return (struct devx_eth_tx_place){ txq->head, txq->comp, txq->sq.pi, txq->comp_block };
}

static __rte_always_inline void devx_eth_tx_store_place(struct devx_eth_txq *txq,
							const struct devx_eth_tx_place *place)
{
	txq->head = place->head;
	txq->comp = place->comp;
	txq->sq.pi = place->pi;
	txq->comp_block = place->comp_block;
}

/* Moves @place behind a WQE, and marks its elts. Returns enum prm_ce of the WQE. */
static __rte_always_inline uint8_t devx_eth_tx_pass_wqe(const struct devx_eth_txq *txq,
							struct devx_eth_tx_place *place,
							uint16_t n_blocks, uint16_t n_elts,
							const unsigned int flags)
{
	const uint16_t head = (uint16_t)(place->head + n_elts);

	txq->marks[place->pi & txq->elts_mask] = (struct devx_eth_tx_mark){ place->head, head };
	place->head = head;
	place->pi += n_blocks;
	if (likely((uint16_t)(head - place->comp) < txq->comp_every) &&
	    !(flags & DEVX_ETH_TX_COUNTED &&
	      (uint16_t)(place->pi - place->comp_block) >= txq->comp_every))
		return PRM_CE_FIRST_ERROR;
	place->comp = head;
	if (flags & DEVX_ETH_TX_COUNTED)
		place->comp_block = place->pi;
	return PRM_CE_ALWAYS;
}

/**
 * devx_eth_tx_write_title - write control and Ethernet segment of the WQE at @place
 * @place: advances past the WQE
 * @n_ds: number of segments of the WQE
 * @n_elts: number of its mbufs
 *
 * Requests a CQE after comp_every segments since the last request. Variants with
 * DEVX_ETH_TX_COUNTED also request one after comp_every blocks.
 *
 * Return: the control segment.
 */
static __rte_always_inline struct prm_ctrl_seg *
devx_eth_tx_write_title(const struct devx_eth_txq *txq, struct devx_eth_tx_place *place,
			uint8_t opcode, struct prm_eth_seg eth, uint8_t n_ds, uint16_t n_elts,
			const unsigned int flags)
{
	const uint16_t index = place->pi;
	struct prm_ctrl_seg *ctrl = &txq->sq.wqebbs[index & txq->elts_mask].ctrl;
	const uint8_t ce =
		devx_eth_tx_pass_wqe(txq, place, prm_wqe_count_blocks(n_ds), n_elts, flags);

	devx_eth_tx_write_ctrl(ctrl, &txq->sq, index, opcode, n_ds, ce);
	*((struct prm_eth_seg *)ctrl + 1) = eth;
	return ctrl;
}

/** devx_eth_tx_close_wqe - devx_eth_tx_write_title() at the place of the queue, which moves */
static __rte_always_inline struct prm_ctrl_seg *
devx_eth_tx_close_wqe(struct devx_eth_txq *txq, uint8_t opcode, struct prm_eth_seg eth,
		      uint8_t n_ds, uint16_t n_elts, const unsigned int flags)
{
	struct devx_eth_tx_place place = devx_eth_tx_load_place(txq);
	struct prm_ctrl_seg *ctrl =
		devx_eth_tx_write_title(txq, &place, opcode, eth, n_ds, n_elts, flags);

	devx_eth_tx_store_place(txq, &place);
	return ctrl;
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
 * table and also stores the found range in the queue. Returns false if the segment has no range.
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
