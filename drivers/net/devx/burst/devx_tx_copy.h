/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_COPY_H
#define DEVX_ETH_TX_COPY_H

#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>

#include "burst/devx_tx_copy_alike.h"
#include "burst/devx_tx_room.h"
#include "burst/devx_tx_run.h"
#include "burst/devx_tx_variants.h"
#include "burst/devx_tx_wqe.h"
#include "devx_txq.h"

/**
 * DOC: Multi-packet WQEs that contain their packets
 *
 *     ctrl | eth | count, packet, padding | count, packet, padding | pointer | count, ...
 *
 * A packet of up to inline_max bytes is copied into the WQE; a longer one, or one in a dma-buf,
 * gets a pointer. Both kinds of entries may share a WQE. An entry starts at a multiple of 16 bytes.
 * The padding keeps its old bytes, which the device ignores.
 *
 * devx_tx_copy_alike.h copies most packets; devx_eth_tx_add_entry() adds any packet of one segment.
 */

/**
 * struct devx_eth_tx_entries - a WQE to which entries are added
 * @next: place of the next entry
 * @stop: end of the WQE, or of the ring if the WQE continues at the start of the ring
 * @beyond: bytes that the WQE may have at the start of the ring, after @stop
 * @wrapped: the WQE continues at the start of the ring, and @next is there
 * @ol_flags: of the first packet
 * @bytes: length of all packets
 */
struct devx_eth_tx_entries {
	uint8_t *next, *stop;
	uint32_t beyond;
	bool wrapped;
	uint64_t ol_flags;
	uint64_t bytes;
};

/** devx_eth_tx_get_copy_bytes - get the length of the entry of a copied packet */
static __rte_always_inline uint32_t devx_eth_tx_get_copy_bytes(uint32_t len)
{
	return RTE_ALIGN_CEIL(len + DEVX_ETH_TX_COUNT_BYTES, (uint32_t)PRM_DS_BYTES);
}

/**
 * devx_eth_tx_wrap_entry - add an entry that does not fit in front of w->stop
 * @w: a WQE; continues at the start of the ring afterwards
 * @copy: the entry contains the packet
 *
 * Return: false if the WQE has no room for the entry
 */
bool devx_eth_tx_wrap_entry(const struct devx_eth_txq *txq, struct devx_eth_tx_entries *w,
			    const struct rte_mbuf *m, bool copy);

/* Starts a WQE at block @pi, whose first packet is @m. Without room, @next is not below @stop. */
static __rte_always_inline struct devx_eth_tx_entries
devx_eth_tx_start_entries(const struct devx_eth_txq *txq, uint16_t pi, const struct rte_mbuf *m)
{
	const unsigned int n_blocks = (uint16_t)(txq->elts_mask + 1 - (uint16_t)(pi - txq->done));
	const unsigned int n_ds = RTE_MIN((unsigned int)txq->max_ds, PRM_WQEBB_DS * n_blocks);
	const uint32_t bytes = n_ds * PRM_DS_BYTES;
	uint8_t *const wqe = devx_eth_tx_get_wqe(txq, pi);
	uint8_t *const end = txq->sq.wqebbs[txq->elts_mask].bytes + PRM_WQEBB_BYTES;
	const uint32_t to_end = (uint32_t)RTE_MIN(end - wqe, (ptrdiff_t)bytes);

	return (struct devx_eth_tx_entries){
		.next = wqe + 2 * PRM_DS_BYTES,
		.stop = wqe + to_end,
		.beyond = bytes - to_end,
		.ol_flags = m->ol_flags & DEVX_ETH_TX_SESSION_MASK,
	};
}

/* Copies a packet of at least 14 bytes. Reads none of the bytes around the packet. */
static __rte_always_inline void devx_eth_tx_copy_packet(uint8_t *to, const uint8_t *from,
							uint32_t len)
{
	enum { STEP = 16, HALF = 8, FIRST = STEP - DEVX_ETH_TX_COUNT_BYTES };

	if (unlikely(len < STEP)) {
		memcpy(to, from, HALF);
		memcpy(to + len - HALF, from + len - HALF, HALF);
		return;
	}
	memcpy(to, from, STEP);
	/* behind the count, these places are multiples of 16 in the ring */
	for (uint32_t at = FIRST; at + STEP < len; at += STEP)
		memcpy(to + at, from + at, STEP);
	memcpy(to + len - STEP, from + len - STEP, STEP);
}

/** devx_eth_tx_write_copy - write an entry that contains a packet of @len bytes */
static __rte_always_inline void devx_eth_tx_write_copy(uint8_t *to, const uint8_t *from,
						       uint32_t len)
{
	const prm_be32 count = prm_be32_of(PRM_INLINE_SEG | len);

	memcpy(to, &count, sizeof(count));
	devx_eth_tx_copy_packet(to + sizeof(count), from, len);
}

/* Adds a packet of one segment. Returns false if it does not fit, cannot be sent, or differs. */
static __rte_always_inline bool devx_eth_tx_add_entry(struct devx_eth_txq *txq,
						      struct devx_eth_tx_entries *w,
						      const struct rte_mbuf *m, uint8_t cs_flags,
						      const unsigned int flags)
{
	const uint64_t addr = devx_eth_tx_get_addr(m);
	const uint32_t len = m->data_len;
	bool copy;
	uint32_t bytes;

	if (unlikely(m->nb_segs != 1 ||
		     !devx_eth_tx_accepts_length(len, RTE_ETHER_HDR_LEN, txq->max_bytes)))
		return false;
	if (flags & DEVX_ETH_TX_FULL &&
	    unlikely((m->ol_flags & DEVX_ETH_TX_SESSION_MASK) != w->ol_flags) &&
	    !devx_eth_tx_may_join(txq, m, cs_flags, flags))
		return false;
	if (unlikely(!devx_eth_tx_find_range(txq, &txq->range, addr, len)))
		return false;
	copy = len <= txq->inline_max && !txq->range.dmabuf;
	bytes = copy ? devx_eth_tx_get_copy_bytes(len) : PRM_DS_BYTES;
	if (unlikely(w->stop - w->next < (ptrdiff_t)bytes)) {
		if (!devx_eth_tx_wrap_entry(txq, w, m, copy))
			return false;
	} else {
		if (copy)
			devx_eth_tx_write_copy(w->next, (const uint8_t *)addr, len);
		else
			*(struct prm_data_seg *)w->next = (struct prm_data_seg){
				prm_be32_of(len),
				txq->range.lkey,
				prm_be64_of(addr),
			};
		w->next += bytes;
	}
	w->bytes += len;
	return true;
}

/* Returns the number of segments of the WQE that starts at block @pi. */
static __rte_always_inline uint8_t devx_eth_tx_count_wqe_ds(const struct devx_eth_txq *txq,
							    const struct devx_eth_tx_entries *w,
							    uint16_t pi)
{
	const size_t ring = w->wrapped ? (txq->elts_mask + (size_t)1) * PRM_WQEBB_BYTES : 0;

	return (uint8_t)((size_t)(w->next + ring - devx_eth_tx_get_wqe(txq, pi)) / PRM_DS_BYTES);
}

/** devx_eth_tx_has_copy_room - check whether a WQE for a packet of one segment fits now */
static __rte_always_inline bool devx_eth_tx_has_copy_room(const struct devx_eth_txq *txq,
							  const struct rte_mbuf *m)
{
	const uint32_t bytes = m->data_len <= txq->inline_max
				       ? devx_eth_tx_get_copy_bytes(m->data_len)
				       : PRM_DS_BYTES;

	return devx_eth_tx_has_room(txq, (uint16_t)(2 + bytes / PRM_DS_BYTES), 1);
}

/*
 * Posts a WQE of packets of one segment, of any length. Returns the first packet that is not in it,
 * which is @pkts if none was posted.
 */
static __rte_noinline struct rte_mbuf **
devx_eth_tx_post_entries(struct devx_eth_txq *txq, struct devx_eth_tx_place *place,
			 struct rte_mbuf **pkts, struct rte_mbuf **end, uint8_t opcode,
			 struct prm_ctrl_seg **last, const unsigned int flags)
{
	struct devx_eth_tx_entries w = devx_eth_tx_start_entries(txq, place->pi, *pkts);
	struct rte_mbuf **at = pkts;
	struct prm_eth_seg eth = { 0 };

	if (flags & DEVX_ETH_TX_FULL)
		eth.cs_flags = devx_eth_tx_get_cs_flags(*pkts);
	if (devx_eth_tx_is_alone(txq, *pkts, flags))
		return pkts;
	while (at < end && devx_eth_tx_add_entry(txq, &w, *at, eth.cs_flags, flags))
		at++;
	if (at > pkts)
		*last = devx_eth_tx_write_title(txq, place, opcode, eth,
						devx_eth_tx_count_wqe_ds(txq, &w, place->pi),
						(uint16_t)(at - pkts), flags);
	txq->n.bytes += w.bytes;
	return at;
}

/**
 * devx_eth_tx_post_copies - post packets of one segment from the first one on
 * @last: receives the last WQE; untouched if no packet was posted
 *
 * Return: number of posted packets. The next one has no room, needs a WQE of another kind, or
 * cannot be sent.
 */
static __rte_always_inline uint16_t devx_eth_tx_post_copies(struct devx_eth_txq *txq,
							    struct rte_mbuf **pkts, uint16_t n,
							    uint8_t opcode,
							    struct prm_ctrl_seg **last,
							    const unsigned int flags)
{
	enum { FEW = 3 }; /* posting up to 3 one by one is faster */
	struct rte_mbuf **const end = pkts + RTE_MIN(n, devx_eth_tx_count_free_elts(txq));
	struct devx_eth_tx_place place = devx_eth_tx_load_place(txq);
	struct rte_mbuf **at = pkts, **from;
	bool same = n > FEW;

	while (at < end) {
		if (same)
			at = devx_eth_tx_post_alike_copies(txq, &place, at, end, opcode, last,
							   &same, flags);
		if (likely(at == end))
			break;
		from = at;
		at = devx_eth_tx_post_entries(txq, &place, at, end, opcode, last, flags);
		if (at == from)
			break;
	}
	n = (uint16_t)(at - pkts);
	devx_eth_tx_keep_mbufs(txq, pkts, n);
	devx_eth_tx_store_place(txq, &place);
	txq->n.packets += n;
	return n;
}

#endif
