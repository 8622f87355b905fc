/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_COPY_H
#define DEVX_ETH_TX_COPY_H

#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>

#include "burst/devx_tx_complete.h"
#include "burst/devx_tx_copy_alike.h"
#include "burst/devx_tx_copy_one.h"
#include "burst/devx_tx_keep.h"
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

/** enum devx_eth_tx_entry - result of adding a packet to a WQE */
enum devx_eth_tx_entry {
	DEVX_ETH_TX_NO_ENTRY, /* does not fit, cannot be sent, or differs from the first one */
	DEVX_ETH_TX_COPY,     /* the entry contains the packet */
	DEVX_ETH_TX_POINTER,  /* the entry points to the packet */
};

/* Adds a packet of one segment. */
static __rte_always_inline enum devx_eth_tx_entry
devx_eth_tx_add_entry(struct devx_eth_txq *txq, struct devx_eth_tx_entries *w,
		      const struct rte_mbuf *m, uint8_t cs_flags, const unsigned int flags)
{
	const uint64_t addr = devx_eth_tx_get_addr(m);
	const uint32_t len = m->data_len;
	bool copy;
	uint32_t bytes;

	if (unlikely(m->nb_segs != 1 ||
		     !devx_eth_tx_accepts_length(len, RTE_ETHER_HDR_LEN, txq->max_bytes)))
		return DEVX_ETH_TX_NO_ENTRY;
	if (flags & DEVX_ETH_TX_FULL &&
	    unlikely((m->ol_flags & DEVX_ETH_TX_SESSION_MASK) != w->ol_flags) &&
	    !devx_eth_tx_may_join(txq, m, cs_flags, flags))
		return DEVX_ETH_TX_NO_ENTRY;
	if (unlikely(!devx_eth_tx_find_range(txq, &txq->range, addr, len)))
		return DEVX_ETH_TX_NO_ENTRY;
	copy = len <= txq->inline_max && !txq->range.dmabuf;
	bytes = copy ? devx_eth_tx_get_copy_bytes(len) : PRM_DS_BYTES;
	if (unlikely(w->stop - w->next < (ptrdiff_t)bytes)) {
		if (!devx_eth_tx_wrap_entry(txq, w, m, copy))
			return DEVX_ETH_TX_NO_ENTRY;
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
	return copy ? DEVX_ETH_TX_COPY : DEVX_ETH_TX_POINTER;
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

/* Frees the mbufs of packets [@run, @at) of a WQE if it contains them, else stores them in elts. */
static __rte_always_inline void devx_eth_tx_end_entries(struct devx_eth_txq *txq,
							struct rte_mbuf **pkts,
							struct rte_mbuf **run, struct rte_mbuf **at,
							enum devx_eth_tx_entry kind)
{
	const uint16_t first = (uint16_t)(txq->head + (run - pkts)), n = (uint16_t)(at - run);

	if (!n)
		return;
	if (kind == DEVX_ETH_TX_COPY) {
		devx_eth_tx_free_copied(txq, run, n);
		return;
	}
	devx_eth_tx_store_mbufs(txq, first, run, n);
	devx_eth_tx_keep_elts(txq, first, (uint16_t)(first + n));
}

/*
 * Posts a WQE of packets of one segment, of any length, from the first packet on, and frees the
 * mbufs of those that it contains.
 */
static __rte_noinline struct devx_eth_tx_posted devx_eth_tx_post_entries(struct devx_eth_txq *txq,
									 struct rte_mbuf **pkts,
									 uint16_t n, uint8_t opcode,
									 const unsigned int flags)
{
	struct rte_mbuf **const end = pkts + RTE_MIN(n, devx_eth_tx_count_free_elts(txq));
	struct devx_eth_tx_entries w = devx_eth_tx_start_entries(txq, txq->sq.pi, *pkts);
	enum devx_eth_tx_entry kind = DEVX_ETH_TX_NO_ENTRY, entry;
	struct rte_mbuf **at = pkts, **run = pkts;
	struct devx_eth_tx_posted posted = { 0 };
	struct prm_eth_seg eth = { 0 };

	if (flags & DEVX_ETH_TX_FULL)
		eth.cs_flags = devx_eth_tx_get_cs_flags(*pkts);
	if (devx_eth_tx_is_alone(txq, *pkts, flags))
		return posted;
	while (at < end && (entry = devx_eth_tx_add_entry(txq, &w, *at, eth.cs_flags, flags))) {
		if (entry != kind) {
			devx_eth_tx_end_entries(txq, pkts, run, at, kind);
			kind = entry;
			run = at;
		}
		at++;
	}
	devx_eth_tx_end_entries(txq, pkts, run, at, kind);
	posted.n = (uint32_t)(at - pkts);
	if (posted.n)
		posted.last = devx_eth_tx_close_wqe(txq, opcode, eth,
						    devx_eth_tx_count_wqe_ds(txq, &w, txq->sq.pi),
						    (uint16_t)posted.n, flags);
	txq->n.packets += posted.n;
	txq->n.bytes += w.bytes;
	return posted;
}

/**
 * devx_eth_tx_post_copies - post packets of one segment from the first one on
 *
 * WQEs of any packets and WQEs of packets that are alike take turns. Stops at a packet that has no
 * room, needs a WQE of another kind, or cannot be sent.
 */
static __rte_always_inline struct devx_eth_tx_posted
devx_eth_tx_post_copies(struct devx_eth_txq *txq, struct rte_mbuf **pkts, uint16_t n,
			uint8_t opcode, const unsigned int flags)
{
	struct devx_eth_tx_posted all = { 0 }, posted;
	bool alike = false;

	while (all.n < n) {
		const uint16_t left = (uint16_t)(n - all.n);

		posted = alike ? devx_eth_tx_post_alike_copies(txq, pkts + all.n, left, opcode,
							       flags)
			       : devx_eth_tx_post_entries(txq, pkts + all.n, left, opcode, flags);
		if (!posted.n && !alike)
			break;
		if (posted.n)
			all.last = posted.last;
		all.n += posted.n;
		all.mixed |= posted.mixed;
		alike = !alike && !all.mixed;
	}
	return all;
}

#endif
