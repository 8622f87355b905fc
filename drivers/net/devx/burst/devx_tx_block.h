/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_BLOCK_H
#define DEVX_ETH_TX_BLOCK_H

#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>

#include "burst/devx_tx_keep.h"
#include "burst/devx_tx_room.h"
#include "burst/devx_tx_run.h"
#include "burst/devx_tx_variants.h"
#include "burst/devx_tx_wqe.h"
#include "devx_txq.h"

/**
 * DOC: WQEs of one packet and one basic block
 *
 *     ctrl | eth | pointer
 *     ctrl | eth with the tag | pointer                       the device inserts the VLAN tag
 *     ctrl | eth | rest of the Ethernet header with tag | pointer            the CPU inserts it
 *
 * Such a WQE never wraps. The last form has 18 bytes of headers: 2 in the Ethernet segment and
 * exactly one segment more. The slow path posts packets that need another form.
 */

/** enum devx_eth_tx_tag - the side that inserts the VLAN tag of all packets */
enum devx_eth_tx_tag { DEVX_ETH_TX_TAG_NONE, DEVX_ETH_TX_TAG_DEVICE, DEVX_ETH_TX_TAG_CPU };

/**
 * struct devx_eth_tx_blocks - what blocks of one run have in common
 * @near: memory range of all packets
 * @ol_flags: DEVX_ETH_TX_SESSION_MASK of all packets
 * @max_bytes: length of the longest packet, without its tag
 * @start: first 8 bytes of a control segment, in the byte order of the CPU, without the index
 * @cs_flags: checksum flags
 * @insert: insert_type, or for the CPU the TPID
 */
struct devx_eth_tx_blocks {
	struct devx_eth_tx_near near;
	prm_be32 lkey;
	uint64_t ol_flags;
	uint32_t max_bytes;
	uint64_t start;
	uint8_t cs_flags;
	prm_be16 insert;
};

static __rte_always_inline struct devx_eth_tx_blocks
devx_eth_tx_start_blocks(const struct devx_eth_txq *txq, const struct rte_mbuf *first,
			 uint8_t opcode, const enum devx_eth_tx_tag tag, const unsigned int flags)
{
	const uint32_t max_bytes = txq->max_bytes - (tag ? RTE_VLAN_HLEN : 0);
	const uint8_t n_ds = tag == DEVX_ETH_TX_TAG_CPU ? 4 : 3;

	return (struct devx_eth_tx_blocks){
		.near = devx_eth_tx_load_near(txq, max_bytes),
		.lkey = txq->range.lkey,
		.ol_flags = first->ol_flags & DEVX_ETH_TX_SESSION_MASK,
		.max_bytes = max_bytes,
		.start = prm_be64_get(prm_ctrl_start(0, opcode, txq->sq.sqn, n_ds)),
		.cs_flags = flags & DEVX_ETH_TX_FULL ? devx_eth_tx_get_cs_flags(first) : 0,
		.insert = prm_be16_of(tag == DEVX_ETH_TX_TAG_CPU ? txq->tpid : txq->insert_type),
	};
}

/* Returns whether a packet fits into one block as the first one did. */
static __rte_always_inline bool devx_eth_tx_fits_block(const struct devx_eth_tx_blocks *b,
						       const struct rte_mbuf *m,
						       const enum devx_eth_tx_tag tag,
						       const unsigned int flags)
{
	/* if the WQE has the header, at least 1 byte must remain: 0 means 2 GiB to some devices */
	const uint32_t least = tag == DEVX_ETH_TX_TAG_DEVICE
				       ? DEVX_ETH_TX_TAGGED_MIN
				       : RTE_ETHER_HDR_LEN + (tag == DEVX_ETH_TX_TAG_CPU);

	return m->nb_segs == 1 && devx_eth_tx_accepts_length(m->data_len, least, b->max_bytes) &&
	       devx_eth_tx_is_near(&b->near, devx_eth_tx_get_addr(m)) &&
	       !(flags & DEVX_ETH_TX_FULL &&
		 (m->ol_flags ^ b->ol_flags) & DEVX_ETH_TX_SESSION_MASK);
}

/* Writes the Ethernet header of a packet, with the tag, behind the control segment. */
static __rte_always_inline void devx_eth_tx_write_header(struct prm_eth_seg *eth,
							 const struct rte_mbuf *m, prm_be16 tpid)
{
	enum { MACS_BYTES = 2 * RTE_ETHER_ADDR_LEN, START = PRM_ETH_INLINE_START_BYTES };
	const prm_be16 tag[2] = { tpid, prm_be16_of(m->vlan_tci) };
	const char *from = rte_pktmbuf_mtod(m, const char *);
	char *to = (char *)(eth + 1);

	eth->inline_hdr_sz = prm_be16_of(RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN);
	memcpy(eth->inline_hdr_start, from, START);
	memcpy(to, from + START, MACS_BYTES - START);
	memcpy(to + MACS_BYTES - START, tag, sizeof(tag));
	memcpy(to + MACS_BYTES - START + RTE_VLAN_HLEN, from + MACS_BYTES, RTE_ETHER_TYPE_LEN);
}

/* Writes the WQE of a packet that fits a block, at block @index of the ring. */
static __rte_always_inline void devx_eth_tx_write_block(const struct devx_eth_tx_blocks *b,
							struct prm_ctrl_seg *ctrl, uint16_t index,
							const struct rte_mbuf *m,
							const enum devx_eth_tx_tag tag)
{
	const struct prm_ctrl_seg end = { .fm_ce_se = PRM_CE_FIRST_ERROR << PRM_CE_SHIFT };
	const prm_be64 start = prm_be64_of(b->start + prm_be64_get(prm_ctrl_start(index, 0, 0, 0)));
	struct prm_eth_seg *eth = (struct prm_eth_seg *)(ctrl + 1);
	struct prm_data_seg *seg = (struct prm_data_seg *)(ctrl + 2);
	const uint64_t addr = devx_eth_tx_get_addr(m);

	memcpy(ctrl, &start, sizeof(start));
	memcpy((char *)ctrl + sizeof(start), (const char *)&end + sizeof(start), sizeof(start));
	*eth = (struct prm_eth_seg){ .cs_flags = b->cs_flags };
	if (tag == DEVX_ETH_TX_TAG_CPU) {
		devx_eth_tx_write_header(eth, m, b->insert);
		seg[1] = (struct prm_data_seg){ prm_be32_of(m->data_len - RTE_ETHER_HDR_LEN),
						b->lkey, prm_be64_of(addr + RTE_ETHER_HDR_LEN) };
		return;
	}
	if (tag == DEVX_ETH_TX_TAG_DEVICE) {
		eth->insert_type = b->insert;
		eth->vlan_tci = prm_be16_of(m->vlan_tci);
	}
	*seg = (struct prm_data_seg){ prm_be32_of(m->data_len), b->lkey, prm_be64_of(addr) };
}

/* Returns the number of blocks, at least 1, up to and including the next that requests a CQE. */
static __rte_always_inline uint16_t devx_eth_tx_count_silent(const struct devx_eth_txq *txq,
							     const struct devx_eth_tx_place *place,
							     const unsigned int flags)
{
	uint16_t since = (uint16_t)(place->head - place->comp);

	if (flags & DEVX_ETH_TX_TSO)
		since = RTE_MAX(since, (uint16_t)(place->pi - place->comp_block));
	return since < txq->comp_every ? (uint16_t)(txq->comp_every - since) : 1;
}

/* Posts packets until @end, or until one does not fit. Returns the first that was not posted. */
static __rte_always_inline struct rte_mbuf **
devx_eth_tx_write_blocks(struct devx_eth_txq *txq, const struct devx_eth_tx_blocks *b,
			 struct devx_eth_tx_place *place, struct rte_mbuf **pkts,
			 struct rte_mbuf **end, uint64_t *bytes, const enum devx_eth_tx_tag tag,
			 const unsigned int flags)
{
	const uint16_t mask = txq->elts_mask;
	struct devx_wqebb *const wqebbs = txq->sq.wqebbs;
	struct devx_eth_tx_mark *const marks = txq->marks;
	struct rte_mbuf **const elts = txq->elts;
	uint16_t head = place->head, pi = place->pi;

	for (; pkts < end; pkts++, head++, pi++) {
		struct rte_mbuf *const m = *pkts;

		if (unlikely(!devx_eth_tx_fits_block(b, m, tag, flags)))
			break;
		devx_eth_tx_write_block(b, &wqebbs[pi & mask].ctrl, pi, m, tag);
		marks[pi & mask] = (struct devx_eth_tx_mark){ head, (uint16_t)(head + 1) };
		elts[head & mask] = m;
		*bytes += m->data_len;
	}
	place->head = head;
	place->pi = pi;
	return pkts;
}

/**
 * devx_eth_tx_post_blocks - post packets from the first one on, each in a block of its own
 * @opcode: PRM_WQE_SEND, or for packets without a tag PRM_WQE_ENHANCED_MPSW
 * @tag: of all packets
 * @last: receives the last WQE; untouched if no packet was posted
 *
 * Return: number of posted packets
 */
static __rte_always_inline uint16_t devx_eth_tx_post_blocks(
	struct devx_eth_txq *txq, struct rte_mbuf **pkts, uint16_t n, uint8_t opcode,
	const enum devx_eth_tx_tag tag, struct prm_ctrl_seg **last, const unsigned int flags)
{
	struct devx_eth_tx_place place = devx_eth_tx_load_place(txq);
	struct rte_mbuf **at = pkts, **end;
	struct devx_eth_tx_blocks b;
	uint64_t bytes = 0;
	uint16_t room = RTE_MIN(n, devx_eth_tx_count_free_elts(txq));

	if (flags & DEVX_ETH_TX_TSO)
		room = RTE_MIN(room, devx_eth_tx_count_free_blocks(txq));
	if (unlikely(!room))
		return 0;
	b = devx_eth_tx_start_blocks(txq, pkts[0], opcode, tag, flags);
	while (at < pkts + room) {
		const uint16_t silent = devx_eth_tx_count_silent(txq, &place, flags);
		const uint16_t k = RTE_MIN((uint16_t)(pkts + room - at), silent);

		end = devx_eth_tx_write_blocks(txq, &b, &place, at, at + k, &bytes, tag, flags);
		if (unlikely(end == at))
			break;
		*last = &txq->sq.wqebbs[(place.pi - 1) & txq->elts_mask].ctrl;
		if (end - at == silent) {
			(*last)->fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT;
			place.comp = place.head;
			place.comp_block = place.pi;
		}
		at = end;
	}
	devx_eth_tx_store_place(txq, &place);
	n = (uint16_t)(at - pkts);
	txq->n.packets += n;
	txq->n.bytes += bytes + (tag ? n * (uint64_t)RTE_VLAN_HLEN : 0);
	return n;
}

/**
 * devx_eth_tx_post_first - post one packet without a tag, as devx_eth_tx_post_blocks()
 *
 * Bursts of one packet are short, so each instruction counts: this function has no loop.
 */
static __rte_always_inline uint16_t devx_eth_tx_post_first(struct devx_eth_txq *txq,
							   struct rte_mbuf *m, uint8_t opcode,
							   struct prm_ctrl_seg **last,
							   const unsigned int flags)
{
	const uint8_t cs_flags = flags & DEVX_ETH_TX_FULL ? devx_eth_tx_get_cs_flags(m) : 0;
	const uint64_t addr = devx_eth_tx_get_addr(m);
	const uint32_t len = m->data_len;
	struct prm_ctrl_seg *ctrl;

	if (unlikely(!devx_eth_tx_count_free_elts(txq) ||
		     (flags & DEVX_ETH_TX_COUNTED && !devx_eth_tx_count_free_blocks(txq))))
		return 0;
	if (unlikely(m->nb_segs != 1 ||
		     !devx_eth_tx_accepts_length(len, RTE_ETHER_HDR_LEN, txq->max_bytes) ||
		     !devx_eth_range_holds(&txq->range, addr, len)))
		return 0;
	txq->elts[txq->head & txq->elts_mask] = m;
	ctrl = devx_eth_tx_close_wqe(txq, opcode, (struct prm_eth_seg){ .cs_flags = cs_flags }, 3,
				     1, flags);
	*((struct prm_data_seg *)ctrl + 2) = (struct prm_data_seg){
		prm_be32_of(len),
		txq->range.lkey,
		prm_be64_of(addr),
	};
	if (flags & DEVX_ETH_TX_INLINE)
		devx_eth_tx_keep_elts(txq, (uint16_t)(txq->head - 1), txq->head);
	*last = ctrl;
	txq->n.packets++;
	txq->n.bytes += len;
	return 1;
}

#endif
