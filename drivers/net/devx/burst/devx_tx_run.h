/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_RUN_H
#define DEVX_ETH_TX_RUN_H

#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>

#include "burst/devx_tx_room.h"
#include "burst/devx_tx_slow_path.h"
#include "burst/devx_tx_tally.h"
#include "burst/devx_tx_variants.h"
#include "burst/devx_tx_wqe.h"
#include "devx_txq.h"

/**
 * DOC: Multi-packet WQEs of pointers, without a test per packet
 *
 * The packets of a burst are usually alike: one segment, the same checksums, memory of one key.
 * devx_eth_tx_post_run() writes their data segments and checks all of them at the end
 * (devx_tx_tally.h). The slow path posts the packets that it leaves.
 */

/* Stores the mbufs of a WQE in elts from head on, until their CQE arrives. */
static __rte_always_inline void devx_eth_tx_keep_mbufs(struct devx_eth_txq *txq,
						       struct rte_mbuf **pkts, uint16_t n)
{
	enum { FEW = 4 }; /* storing up to 4 is faster than a call of memcpy() */
	const uint16_t at = txq->head & txq->elts_mask;
	const uint16_t to_end = RTE_MIN(n, (uint16_t)(txq->elts_mask + 1 - at));

	if (n <= FEW) {
		for (uint16_t i = 0; i < n; i++)
			txq->elts[(at + i) & txq->elts_mask] = pkts[i];
		return;
	}
	memcpy(&txq->elts[at], pkts, to_end * sizeof(*pkts));
	if (unlikely(n > to_end))
		memcpy(txq->elts, pkts + to_end, (size_t)(n - to_end) * sizeof(*pkts));
}

/**
 * struct devx_eth_tx_near - the memory range of the last packet, for packets of any length
 * @minus: the negative of its first address
 * @room: a packet of max_bytes or less that starts in the first @room bytes is inside the range
 * @key: its memory key
 */
struct devx_eth_tx_near {
	uint64_t minus, room;
	devx_eth_tx_key key;
};

static __rte_always_inline struct devx_eth_tx_near
devx_eth_tx_load_near(const struct devx_eth_txq *txq, uint32_t max_bytes)
{
	const struct devx_eth_range *r = &txq->range;
	uint64_t minus = 0 - r->addr;

	__asm__(""
		: "+r"(minus)); /* else gcc subtracts, which takes a copy more than an addition */
	return (struct devx_eth_tx_near){
		.minus = minus,
		.room = r->bytes >= max_bytes ? r->bytes - max_bytes + 1 : 0,
		.key = devx_eth_tx_load_key(r->lkey),
	};
}

static __rte_always_inline uint64_t devx_eth_tx_get_addr(const struct rte_mbuf *m)
{
	return (uintptr_t)m->buf_addr + m->data_off;
}

static __rte_always_inline bool devx_eth_tx_is_near(const struct devx_eth_tx_near *near,
						    uint64_t addr)
{
	return addr + near->minus < near->room;
}

/* Writes the data segment of a packet. Returns false if it is outside the range of the last one. */
static __rte_always_inline bool devx_eth_tx_add_packet(const struct rte_mbuf *m,
						       struct prm_data_seg *seg,
						       const struct devx_eth_tx_near *near,
						       devx_eth_tx_tally *tally)
{
	const uint64_t addr = devx_eth_tx_get_addr(m);

	if (unlikely(!devx_eth_tx_is_near(near, addr)))
		return false;
	devx_eth_tx_tally_add(tally, seg, m, addr, near->key);
	return true;
}

/*
 * Writes the data segments of @n packets, from @seg on. Stops and returns false if one of them is
 * outside the range of the last packet.
 */
static __rte_always_inline bool devx_eth_tx_add_near(struct rte_mbuf **pkts, unsigned int n,
						     struct prm_data_seg *seg,
						     const struct devx_eth_tx_near near,
						     devx_eth_tx_tally *tally)
{
	struct rte_mbuf **const end = pkts + n;

	for (; pkts + 4 <= end; pkts += 4, seg += 4) {
		if (unlikely(!devx_eth_tx_add_packet(pkts[0], seg, &near, tally) ||
			     !devx_eth_tx_add_packet(pkts[1], seg + 1, &near, tally) ||
			     !devx_eth_tx_add_packet(pkts[2], seg + 2, &near, tally) ||
			     !devx_eth_tx_add_packet(pkts[3], seg + 3, &near, tally)))
			return false;
	}
	for (; pkts < end; pkts++, seg++) {
		if (unlikely(!devx_eth_tx_add_packet(*pkts, seg, &near, tally)))
			return false;
	}
	return true;
}

/* Returns whether the packets of a run may share a WQE. */
static __rte_always_inline bool devx_eth_tx_judge_run(const struct devx_eth_txq *txq,
						      const struct devx_eth_tx_sum *sum,
						      uint32_t max_bytes, const unsigned int flags)
{
	if (sum->any_segs != 1 || sum->least < RTE_ETHER_HDR_LEN || sum->most > max_bytes)
		return false;
	if (flags & DEVX_ETH_TX_FULL &&
	    (sum->any_flags ^ sum->all_flags) & DEVX_ETH_TX_SESSION_MASK)
		return false;
	return !(flags & (DEVX_ETH_TX_VLAN | DEVX_ETH_TX_TSO)) || !(sum->any_flags & txq->alone);
}

/* Writes the data segments of a WQE of @n packets at @pi. Returns as devx_eth_tx_add_near(). */
static __rte_always_inline bool devx_eth_tx_add_run(const struct devx_eth_txq *txq, uint16_t pi,
						    struct rte_mbuf **pkts, unsigned int n,
						    const struct devx_eth_tx_near near,
						    struct devx_eth_tx_sum *sum)
{
	/* the ring has as many blocks as elts */
	const unsigned int at = pi & txq->elts_mask;
	struct prm_data_seg *const ring = (struct prm_data_seg *)txq->sq.wqebbs;
	const unsigned int n_segs = PRM_WQEBB_DS * (txq->elts_mask + 1u - at) - 2;
	const unsigned int to_end = RTE_MIN(n, n_segs);
	devx_eth_tx_tally tally = devx_eth_tx_tally_start();

	if (unlikely(!devx_eth_tx_add_near(pkts, to_end, ring + PRM_WQEBB_DS * (size_t)at + 2, near,
					   &tally)))
		return false;
	if (unlikely(n > to_end) &&
	    !devx_eth_tx_add_near(pkts + to_end, n - to_end, ring, near, &tally))
		return false;
	*sum = devx_eth_tx_tally_finish(&tally);
	return true;
}

/*
 * Posts packets from the first one on in multi-packet WQEs, and returns their number. Stops at a
 * WQE whose packets need different ones.
 */
static __rte_always_inline uint16_t devx_eth_tx_post_run(struct devx_eth_txq *txq,
							 struct rte_mbuf **pkts, uint16_t n,
							 struct prm_ctrl_seg **last,
							 const unsigned int flags)
{
	const unsigned int most = txq->max_ds - 2u;
	const uint32_t max_bytes = txq->max_bytes;
	const struct devx_eth_tx_near near = devx_eth_tx_load_near(txq, max_bytes);
	const unsigned int end = RTE_MIN(n, devx_eth_tx_count_free_elts(txq));
	struct devx_eth_tx_place place = devx_eth_tx_load_place(txq);
	struct prm_eth_seg eth = { 0 };
	struct devx_eth_tx_sum sum;
	unsigned int sent = 0, k;
	uint64_t bytes = 0;

	for (; sent < end; sent += k) {
		k = RTE_MIN(end - sent, most);
		if (flags & DEVX_ETH_TX_TSO)
			k = RTE_MIN(k, devx_eth_tx_count_room_at(txq, place.pi));
		if (unlikely(!k ||
			     !devx_eth_tx_add_run(txq, place.pi, pkts + sent, k, near, &sum) ||
			     !devx_eth_tx_judge_run(txq, &sum, max_bytes, flags)))
			break;
		if (flags & DEVX_ETH_TX_FULL)
			eth.cs_flags = devx_eth_tx_get_cs_flags(pkts[sent]);
		*last = devx_eth_tx_write_title(txq, &place, PRM_WQE_ENHANCED_MPSW, eth,
						(uint8_t)(2 + k), (uint16_t)k, flags);
		bytes += sum.bytes;
	}
	devx_eth_tx_keep_mbufs(txq, pkts, (uint16_t)sent);
	devx_eth_tx_store_place(txq, &place);
	txq->n.packets += sent;
	txq->n.bytes += bytes;
	return (uint16_t)sent;
}

#endif
