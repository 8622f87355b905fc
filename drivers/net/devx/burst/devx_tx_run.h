/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_RUN_H
#define DEVX_ETH_TX_RUN_H

#include <stdbool.h>
#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>

#include "burst/devx_tx_keep.h"
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
 *
 * The loop has no prefetch: the processor loads the mbufs of later packets early, because no load
 * depends on another packet. With a prefetch bursts of 64 took 10 to 17 % more cycles (Intel Xeon).
 */

/* Stores mbufs in elts from @first on. */
static __rte_always_inline void devx_eth_tx_store_mbufs(struct devx_eth_txq *txq, uint16_t first,
							struct rte_mbuf **pkts, uint16_t n)
{
	enum { FEW = 4 }; /* storing up to 4 is faster than a call of memcpy() */
	const uint16_t at = first & txq->elts_mask;
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

/* Not inlined: few bursts lie on both sides of 4 GiB, or close to the end of their range. */
static __rte_noinline bool devx_eth_tx_are_all_near(uint64_t minus, uint64_t room,
						    struct rte_mbuf **pkts, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		if (devx_eth_tx_get_addr(pkts[i]) + minus >= room)
			return false;
	return true;
}

/* Returns whether the packets of a run are in the range of the last packet. */
static __rte_always_inline bool devx_eth_tx_is_run_near(const struct devx_eth_tx_near *near,
							const struct devx_eth_tx_sum *sum,
							struct rte_mbuf **pkts, unsigned int n)
{
	return likely(devx_eth_tx_is_near(near, sum->low) &&
		      devx_eth_tx_is_near(near, sum->high)) ||
	       devx_eth_tx_are_all_near(near->minus, near->room, pkts, n);
}

/* Writes the data segments of @n packets from @seg on, and stores the packets from @elts on. */
static __rte_always_inline void
devx_eth_tx_add_packets(struct rte_mbuf **pkts, unsigned int n, struct prm_data_seg *seg,
			struct rte_mbuf **elts, const devx_eth_tx_key key, devx_eth_tx_tally *tally)
{
	enum { STEP = 4 };

	for (; n >= STEP; n -= STEP, pkts += STEP, elts += STEP, seg += STEP) {
		memcpy(elts, pkts, STEP * sizeof(*pkts));
#pragma GCC unroll 4
		for (unsigned int i = 0; i < STEP; i++)
			devx_eth_tx_tally_add(tally, seg + i, pkts[i],
					      devx_eth_tx_get_addr(pkts[i]), key);
	}
	for (; n; n--, pkts++, elts++, seg++) {
		*elts = *pkts;
		devx_eth_tx_tally_add(tally, seg, *pkts, devx_eth_tx_get_addr(*pkts), key);
	}
}

/* Returns whether the packets of a run may share a WQE. */
static __rte_always_inline bool devx_eth_tx_judge_run(const struct devx_eth_txq *txq,
						      const struct devx_eth_tx_sum *sum,
						      const unsigned int flags)
{
	if (sum->any_segs != 1 || sum->least < RTE_ETHER_HDR_LEN || sum->most > txq->max_bytes)
		return false;
	if (flags & DEVX_ETH_TX_INLINE && sum->least <= txq->inline_max)
		return false;
	if (flags & DEVX_ETH_TX_FULL &&
	    (sum->any_flags ^ sum->all_flags) & DEVX_ETH_TX_SESSION_MASK)
		return false;
	return !(flags & (DEVX_ETH_TX_VLAN | DEVX_ETH_TX_TSO)) || !(sum->any_flags & txq->alone);
}

/* Adds a run whose segments or elts wrap from the end of their ring to the start. */
static __rte_noinline struct devx_eth_tx_sum devx_eth_tx_wrap_run(const struct devx_eth_txq *txq,
								  struct rte_mbuf **pkts,
								  unsigned int n,
								  const devx_eth_tx_key key)
{
	const unsigned int n_elts = txq->elts_mask + 1u, n_segs = PRM_WQEBB_DS * n_elts;
	struct prm_data_seg *const ring = (struct prm_data_seg *)txq->sq.wqebbs;
	unsigned int seg = PRM_WQEBB_DS * txq->sq.pi + 2u, elt = txq->head, k;
	devx_eth_tx_tally tally = devx_eth_tx_tally_start();

	for (; n; n -= k, pkts += k, seg += k, elt += k) {
		seg &= n_segs - 1;
		elt &= n_elts - 1;
		k = RTE_MIN(n, RTE_MIN(n_segs - seg, n_elts - elt));
		devx_eth_tx_add_packets(pkts, k, ring + seg, txq->elts + elt, key, &tally);
	}
	return devx_eth_tx_tally_finish(&tally);
}

/*
 * Writes the data segments of a WQE of @n packets, at least 1, and stores the packets in elts from
 * head on. Nothing is posted yet.
 */
static __rte_always_inline struct devx_eth_tx_sum
devx_eth_tx_add_run(const struct devx_eth_txq *txq, struct rte_mbuf **pkts, unsigned int n,
		    const devx_eth_tx_key key)
{
	/* the ring has as many blocks as elts */
	const unsigned int n_elts = txq->elts_mask + 1u;
	const unsigned int block = txq->sq.pi & txq->elts_mask, elt = txq->head & txq->elts_mask;
	struct prm_data_seg *const seg = (struct prm_data_seg *)(txq->sq.wqebbs + block) + 2;
	devx_eth_tx_tally tally = devx_eth_tx_tally_start();

	if (unlikely(n + 2 > PRM_WQEBB_DS * (n_elts - block) || n > n_elts - elt))
		return devx_eth_tx_wrap_run(txq, pkts, n, key);
	devx_eth_tx_add_packets(pkts, n, seg, txq->elts + elt, key, &tally);
	return devx_eth_tx_tally_finish(&tally);
}

/**
 * struct devx_eth_tx_posted - what was posted from the first packet of a burst on
 * @last: last WQE; NULL if @n is 0
 * @n: number of packets
 * @mixed: the next packets were copied in vain, because they have several segments or other flags
 */
struct devx_eth_tx_posted {
	struct prm_ctrl_seg *last;
	uint32_t n;
	bool mixed;
};

/**
 * devx_eth_tx_post_run - post packets from the first one on in multi-packet WQEs
 *
 * Stops at a WQE whose packets need different ones.
 */
static __rte_always_inline struct devx_eth_tx_posted devx_eth_tx_post_run(struct devx_eth_txq *txq,
									  struct rte_mbuf **pkts,
									  uint16_t n,
									  const unsigned int flags)
{
	const struct devx_eth_tx_near near = devx_eth_tx_load_near(txq, txq->max_bytes);
	const unsigned int room = RTE_MIN(n, devx_eth_tx_count_free_elts(txq));
	const uint16_t first = txq->head;
	struct devx_eth_tx_posted posted = { 0 };
	unsigned int left = room;

	while (left) {
		unsigned int k = RTE_MIN(left, txq->max_ds - 2u);
		struct prm_eth_seg eth = { 0 };
		struct devx_eth_tx_sum sum;

		if (flags & DEVX_ETH_TX_COUNTED)
			k = RTE_MIN(k, devx_eth_tx_count_room_at(txq, txq->sq.pi));
		if (flags & DEVX_ETH_TX_COUNTED && unlikely(!k))
			break;
		sum = devx_eth_tx_add_run(txq, pkts, k, near.key);
		if (unlikely(!devx_eth_tx_judge_run(txq, &sum, flags) ||
			     !devx_eth_tx_is_run_near(&near, &sum, pkts, k)))
			break;
		if (flags & DEVX_ETH_TX_FULL)
			eth.cs_flags = devx_eth_tx_get_cs_flags(pkts[0]);
		posted.last = devx_eth_tx_close_wqe(txq, PRM_WQE_ENHANCED_MPSW, eth,
						    (uint8_t)(2 + k), (uint16_t)k, flags);
		txq->n.bytes += sum.bytes;
		left -= k;
		pkts += k;
	}
	posted.n = room - left;
	if (flags & DEVX_ETH_TX_INLINE && posted.n)
		devx_eth_tx_keep_elts(txq, first, txq->head);
	txq->n.packets += posted.n;
	return posted;
}

#endif
