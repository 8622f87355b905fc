/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_COPY_ALIKE_H
#define DEVX_ETH_TX_COPY_ALIKE_H

#include <stddef.h>
#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>

#include "burst/devx_tx_complete.h"
#include "burst/devx_tx_run.h"
#include "burst/devx_tx_variants.h"
#include "burst/devx_tx_wqe.h"
#include "devx_txq.h"

/**
 * DOC: Copied packets that are equally long
 *
 *     ctrl | eth | count, packet (45 to 60 bytes) | count, packet | ...
 *                  '-- 64 bytes ----------------'
 *
 * Short packets of a burst often have one length and need the same checksums. Such packets of 45 to
 * 60 bytes take a basic block each. One loop copies them, without a test of the room or of the kind
 * of entry. It collects nb_segs and flags of all packets, and one test at the end judges them.
 */

enum {
	DEVX_ETH_TX_COUNT_BYTES = 4, /* the byte count in front of a copied packet */
	/* an entry of one basic block */
	DEVX_ETH_TX_ALIKE_MAX = PRM_WQEBB_BYTES - DEVX_ETH_TX_COUNT_BYTES,
	DEVX_ETH_TX_ALIKE_MIN = DEVX_ETH_TX_ALIKE_MAX - PRM_DS_BYTES + 1,
};

static __rte_always_inline uint8_t *devx_eth_tx_get_wqe(const struct devx_eth_txq *txq, uint16_t pi)
{
	return txq->sq.wqebbs[pi & txq->elts_mask].bytes;
}

/**
 * struct devx_eth_tx_alike - packets that devx_eth_tx_copy_alike() takes
 * @minus: the negative of the first address of their memory range
 * @room: a packet that starts in the first @room bytes of the range is inside it
 * @ol_flags: upper half of their ol_flags, which has the flags that decide about the WQE
 * @count: byte count of their entries
 * @len: their length: 45 to 60 bytes; 0: no packet is alike
 */
struct devx_eth_tx_alike {
	uint64_t minus, room;
	uint32_t ol_flags;
	prm_be32 count;
	uint16_t len;
};

/* Describes packets that are like @m, in the memory range of the last packet of the queue. */
static __rte_always_inline struct devx_eth_tx_alike
devx_eth_tx_start_alike(const struct devx_eth_txq *txq, const struct rte_mbuf *m)
{
	const struct devx_eth_range *r = &txq->range;
	const uint16_t len = m->data_len;
	struct devx_eth_tx_alike alike = { .len = 0 };

	if ((unsigned int)len - DEVX_ETH_TX_ALIKE_MIN >= PRM_DS_BYTES || len > txq->inline_max)
		return alike;
	alike = (struct devx_eth_tx_alike){
		.minus = 0 - r->addr,
		.room = r->bytes >= len && !r->dmabuf ? r->bytes - len + 1 : 0,
		.ol_flags = DEVX_ETH_TX_UPPER(m->ol_flags),
		.count = prm_be32_of(PRM_INLINE_SEG | len),
		.len = len,
	};
	__asm__("" : "+r"(alike.minus)); /* else gcc subtracts, which takes a copy more */
	return alike;
}

/* The 16 bytes of an mbuf with nb_segs and ol_flags, and a vector of them. */
struct devx_eth_tx_traits {
	uint32_t others;
	uint16_t nb_segs, port;
	uint64_t ol_flags;
};
typedef uint64_t devx_eth_tx_u64x2 __attribute__((vector_size(16), may_alias));
enum { DEVX_ETH_TX_TRAITS_AT = offsetof(struct rte_mbuf, nb_segs) - 4 };
static_assert(DEVX_ETH_TX_TRAITS_AT % 16 == 0 &&
		      offsetof(struct rte_mbuf, ol_flags) == DEVX_ETH_TX_TRAITS_AT + 8,
	      "nb_segs and ol_flags are in one vector");

/* Makes the compiler keep a value in a vector register, at this place of the program. */
#ifdef __SSE2__
#define DEVX_ETH_TX_KEEP_VECTOR(value) __asm__("" : "+x"(value))
#else
#define DEVX_ETH_TX_KEEP_VECTOR(value) ((void)0)
#endif

/* struct devx_eth_tx_traits of many packets: OR and AND */
struct devx_eth_tx_all_traits {
	devx_eth_tx_u64x2 any, all;
};

/* Copies a packet into 64 bytes at @to. Returns false if its length or memory range differs. */
static __rte_always_inline bool devx_eth_tx_copy_one_alike(const struct devx_eth_tx_alike alike,
							   uint8_t *to, const struct rte_mbuf *m,
							   struct devx_eth_tx_all_traits *traits,
							   const unsigned int flags)
{
	enum { STEP = 16 };
	const uint64_t addr = devx_eth_tx_get_addr(m);
	const uint8_t *from = (const uint8_t *)addr;
	const devx_eth_tx_u64x2 *t =
		(const devx_eth_tx_u64x2 *)((const char *)m + DEVX_ETH_TX_TRAITS_AT);

	if (unlikely(m->data_len != alike.len || addr + alike.minus >= alike.room))
		return false;
	traits->any |= *t;
	if (flags & DEVX_ETH_TX_FULL)
		traits->all &= *t;
	DEVX_ETH_TX_KEEP_VECTOR(traits->any); /* else gcc needs a register for each packet */
	/* three stores at multiples of 16, and the last bytes, which overlap */
	memcpy(to, &alike.count, sizeof(alike.count));
	memcpy(to + DEVX_ETH_TX_COUNT_BYTES, from, STEP);
	memcpy(to + STEP, from + STEP - DEVX_ETH_TX_COUNT_BYTES, STEP);
	memcpy(to + 2 * STEP, from + 2 * STEP - DEVX_ETH_TX_COUNT_BYTES, STEP);
	memcpy(to + DEVX_ETH_TX_COUNT_BYTES + alike.len - STEP, from + alike.len - STEP, STEP);
	return true;
}

/* Returns whether all copied packets have one segment, and the flags of @alike. */
static __rte_always_inline bool devx_eth_tx_judge_alike(const struct devx_eth_tx_alike *alike,
							const struct devx_eth_tx_all_traits *traits,
							const unsigned int flags)
{
	struct devx_eth_tx_traits any, all;

	memcpy(&any, &traits->any, sizeof(any));
	memcpy(&all, &traits->all, sizeof(all));
	if (any.nb_segs != 1)
		return false;
	return !(flags & DEVX_ETH_TX_FULL) ||
	       !(((DEVX_ETH_TX_UPPER(any.ol_flags) ^ alike->ol_flags) |
		  (DEVX_ETH_TX_UPPER(all.ol_flags) ^ alike->ol_flags)) &
		 DEVX_ETH_TX_UPPER(DEVX_ETH_TX_SESSION_MASK));
}

/* Copies @n packets into entries of 64 bytes from @to on. Returns false if one differs. */
static __rte_always_inline bool devx_eth_tx_copy_alike(const struct devx_eth_tx_alike alike,
						       uint8_t *to, struct rte_mbuf **pkts,
						       unsigned int n,
						       struct devx_eth_tx_all_traits *traits,
						       const unsigned int flags)
{
	enum { STEP = 7 }; /* half of the packets of the largest WQE */
	struct rte_mbuf **const end = pkts + n;

	for (; pkts + STEP <= end; pkts += STEP, to += STEP * PRM_WQEBB_BYTES)
#pragma GCC unroll 7
		for (unsigned int i = 0; i < STEP; i++)
			if (unlikely(!devx_eth_tx_copy_one_alike(alike, to + i * PRM_WQEBB_BYTES,
								 pkts[i], traits, flags)))
				return false;
	for (; pkts < end; pkts++, to += PRM_WQEBB_BYTES)
		if (unlikely(!devx_eth_tx_copy_one_alike(alike, to, *pkts, traits, flags)))
			return false;
	return true;
}

/* Returns the number of free blocks from block @pi on, in front of the end of the ring. */
static __rte_always_inline unsigned int devx_eth_tx_count_straight(const struct devx_eth_txq *txq,
								   uint16_t pi)
{
	const unsigned int n = txq->elts_mask + 1u;
	const unsigned int n_free = (uint16_t)(n - (uint16_t)(pi - txq->done));

	return RTE_MIN(n - (pi & txq->elts_mask), n_free);
}

/* Writes the title of a WQE at block @pi. */
static __rte_always_inline void devx_eth_tx_write_alike_title(struct prm_ctrl_seg *ctrl,
							      uint64_t start, uint16_t pi,
							      struct prm_eth_seg eth)
{
	const prm_be64 begin = prm_be64_of(start + prm_be64_get(prm_ctrl_start(pi, 0, 0, 0)));
	const uint64_t end = devx_eth_tx_get_ctrl_end(PRM_CE_FIRST_ERROR);

	memcpy(ctrl, &begin, sizeof(begin));
	memcpy((char *)ctrl + sizeof(begin), &end, sizeof(end));
	*((struct prm_eth_seg *)ctrl + 1) = eth;
}

/**
 * devx_eth_tx_post_alike_copies - post packets that are alike, and free their mbufs
 *
 * Stops if the next WQE would have a different packet, or no room before the end of the ring. Not
 * inlined, so that all values of the inner loop have registers.
 *
 * A WQE takes one block more than it has entries, for control and Ethernet segment. It requests a
 * CQE as in devx_eth_tx_pass_wqe(), or earlier, because one counter stands for elts and blocks.
 */
static __rte_noinline struct devx_eth_tx_posted
devx_eth_tx_post_alike_copies(struct devx_eth_txq *txq, struct rte_mbuf **pkts, unsigned int n,
			      uint8_t opcode, const unsigned int flags)
{
	const struct devx_eth_tx_alike alike = devx_eth_tx_start_alike(txq, *pkts);
	const unsigned int most = (txq->max_ds - 2u) / PRM_WQEBB_DS;
	const uint64_t start = prm_be64_get(prm_ctrl_start(0, opcode, txq->sq.sqn, 2));
	struct rte_mbuf **const end = pkts + RTE_MIN(n, devx_eth_tx_count_free_elts(txq));
	struct devx_eth_tx_posted posted = { 0 };
	unsigned int since = RTE_MAX((uint16_t)(txq->head - txq->comp),
				     (uint16_t)(txq->sq.pi - txq->comp_block));
	uint16_t head = txq->head, pi = txq->sq.pi;
	struct rte_mbuf **at = pkts;
	unsigned int left = 0, k;

	if (!alike.len || !most || devx_eth_tx_is_alone(txq, *pkts, flags))
		return posted;
	for (; at < end; at += k, left -= k + 1) {
		struct prm_ctrl_seg *ctrl = (struct prm_ctrl_seg *)devx_eth_tx_get_wqe(txq, pi);
		struct devx_eth_tx_all_traits traits = { .all = { UINT64_MAX, UINT64_MAX } };
		struct prm_eth_seg eth = { 0 };

		if (unlikely(left < 2)) {
			left = devx_eth_tx_count_straight(txq, pi);
			if (left < 2)
				break;
		}
		k = RTE_MIN((unsigned int)(end - at), RTE_MIN(most, left - 1));
		if (!devx_eth_tx_copy_alike(alike, (uint8_t *)(ctrl + 2), at, k, &traits, flags))
			break;
		posted.mixed = !devx_eth_tx_judge_alike(&alike, &traits, flags);
		if (unlikely(posted.mixed))
			break;
		if (flags & DEVX_ETH_TX_FULL)
			eth.cs_flags = devx_eth_tx_get_cs_flags(*at);
		devx_eth_tx_write_alike_title(ctrl, start + k * PRM_WQEBB_DS, pi, eth);
		posted.last = ctrl;
		txq->marks[pi & txq->elts_mask] =
			(struct devx_eth_tx_mark){ head, (uint16_t)(head + k) };
		head += k;
		pi += k + 1;
		since += k + 1;
		if (unlikely(since >= txq->comp_every)) {
			ctrl->fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT;
			txq->comp = head;
			txq->comp_block = pi;
			since = 0;
		}
	}
	txq->head = head;
	txq->sq.pi = pi;
	posted.n = (uint32_t)(at - pkts);
	txq->n.packets += posted.n;
	txq->n.bytes += (uint64_t)posted.n * alike.len;
	if (likely(posted.n))
		devx_eth_tx_free_copied(txq, pkts, posted.n);
	return posted;
}

#endif
