/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_H
#define DEVX_ETH_RX_H

#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>
#include <rte_prefetch.h>

#include "burst/devx_rx_group.h"
#include "burst/devx_rx_mbuf.h"
#include "burst/devx_rx_refill.h"
#include "burst/devx_rx_slow_path.h"
#include "devx_cq_failure.h"
#include "devx_rxq.h"
#include "prm/cqe.h"

/**
 * DOC: Receive burst, the template
 *
 *     for each CQE: take its mbuf from the ring; set length, packet type and flags
 *     release the CQEs, then fill the empty slots
 *
 * A receive burst writes at most two doorbell records and no doorbell register. A variant is the
 * template with constant @flags (devx_rx_variants.h), so a port does not pay for what it did not
 * request.
 *
 * A variant with vector instructions also has a function that receives packets in groups
 * (devx_rx_group.h). The template calls this function as long as there are whole groups of
 * ordinary packets. It handles all others one by one: rare CQEs, the last ones of a burst, and
 * groups that cross the end of a ring.
 */

/* Chains the further mbufs of a packet of @bytes bytes. Returns the number of its mbufs. */
static __rte_always_inline uint8_t devx_eth_rx_chain_mbufs(const struct devx_eth_rxq *rxq,
							   struct rte_mbuf **slot, uint32_t bytes)
{
	const unsigned int max = 1u << rxq->log2_segs;
	struct rte_mbuf *last = slot[0];
	unsigned int n = 1;

	if (bytes <= rxq->buf_bytes)
		return 1;
	last->data_len = (uint16_t)rxq->buf_bytes;
	bytes -= rxq->buf_bytes;
	for (; bytes && n < max; n++) {
		struct rte_mbuf *m = slot[n];

		memcpy((char *)m + DEVX_ETH_RX_REARM_OFFSET, &rxq->more_rearm,
		       sizeof(rxq->more_rearm));
		m->ol_flags = rxq->ol_flags;
		m->data_len = (uint16_t)RTE_MIN(bytes, rxq->more_bytes);
		bytes -= m->data_len;
		last->next = m;
		last = m;
	}
	slot[0]->nb_segs = (uint16_t)n;
	return (uint8_t)n;
}

/* Calls @take_groups for up to @n packets that do not cross the end of one of the two rings. */
static __rte_always_inline uint16_t devx_eth_rx_take_groups(
	const struct devx_eth_rx_fixed *fixed, const struct devx_cq *cq, struct rte_mbuf **elts,
	uint32_t n_elts, struct rte_mbuf **pkts, uint16_t n, uint64_t *bytes,
	const unsigned int flags, const devx_eth_rx_take_groups_t take_groups)
{
	const uint32_t n_cqes = 1u << cq->log2_n, at = cq->ci & (n_cqes - 1);
	const uint32_t room = RTE_MIN((uint32_t)n, RTE_MIN(n_cqes - at, n_elts));
	const uint8_t op_own =
		prm_cqe_op_own(PRM_CQE_RESP_SEND, cq->ci >> cq->log2_n & PRM_CQE_OWNER);

	return take_groups(fixed, &cq->cqes[at], op_own, elts, pkts, (uint16_t)room, bytes, flags);
}

static __rte_always_inline bool devx_eth_rx_is_running(const struct devx_eth_rxq *rxq)
{
	return __atomic_load_n(&rxq->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_RUNNING;
}

/*
 * Returns whether a running queue has neither a new CQE nor a refill that is due. A refill leaves
 * too many empty slots only if the pool is short, and then sets rxq->starving. So an idle call
 * needs no counters; rq.pi would be a cache line more.
 */
static __rte_always_inline bool devx_eth_rx_is_idle(const struct devx_eth_rxq *rxq)
{
	return !devx_cq_peek(&rxq->cq) && !rxq->starving;
}

/* The caller has checked the owner: before that, the fields may belong to another thread. */
static __rte_always_inline uint16_t
devx_eth_rx_burst_template(struct devx_eth_rxq *rxq, struct rte_mbuf **pkts, uint16_t n,
			   const unsigned int flags, const devx_eth_rx_take_groups_t take_groups)
{
	const uint8_t log2_segs = flags & DEVX_ETH_RX_SCATTER ? rxq->log2_segs : 0;
	const struct devx_eth_rx_fixed fixed = devx_eth_rx_load_fixed(rxq, flags);
	const uint32_t mask = rxq->elts_mask;
	struct rte_mbuf **const elts = rxq->elts;
	struct devx_cq cq = { .cqes = rxq->cq.cqes, .ci = rxq->cq.ci, .log2_n = rxq->cq.log2_n };
	const struct prm_cqe *cqe = NULL;
	uint32_t ci = rxq->ci;
	uint64_t bytes = 0;
	uint16_t k = 0;

	while (k < n) {
		struct rte_mbuf **slot = &elts[ci << log2_segs & mask], *m;
		uint8_t used = 0;

		if (take_groups && n - k >= DEVX_ETH_RX_GROUP) {
			const uint16_t got = devx_eth_rx_take_groups(
				&fixed, &cq, slot, mask + 1 - (ci & mask), &pkts[k],
				(uint16_t)(n - k), &bytes, flags, take_groups);

			k += got;
			ci += got;
			cq.ci += got;
			if (k == n)
				break;
			slot = &elts[ci & mask];
		}
		cqe = devx_cq_peek(&cq);
		if (!cqe)
			break;
		m = *slot;
		rte_prefetch0(elts[(ci + DEVX_ETH_RX_AHEAD) << log2_segs & mask]);
		if (likely(prm_cqe_opcode(cqe->op_own) == PRM_CQE_RESP_SEND)) {
			const uint32_t len = devx_eth_rx_fill_mbuf(&fixed, m, cqe, flags);

			if (log2_segs)
				used = devx_eth_rx_chain_mbufs(rxq, slot, len);
			if (flags & DEVX_ETH_RX_FCS && rxq->crc_bytes && log2_segs)
				devx_eth_rx_gather_fcs(rxq, slot, used);
			bytes += len;
			pkts[k++] = m;
		} else if (!devx_eth_rx_skip_packet(rxq, m, cqe)) {
			break;
		}
		if (log2_segs)
			rxq->used[ci & mask >> log2_segs] = used;
		devx_cq_pop(&cq);
		ci++;
		cqe = NULL;
	}
	/* releases CQEs before the refill: each posted buffer needs a free slot in the CQ */
	if (rxq->ci != ci) {
		rxq->cq.ci = cq.ci;
		rxq->ci = ci;
		devx_cq_release(&rxq->cq);
	}
	if (log2_segs)
		devx_eth_rx_refill_segments(rxq);
	else
		devx_eth_rx_refill_ring(rxq);
	rxq->n.packets += k;
	rxq->n.bytes += bytes;
	/* the last access of the burst to @rxq: then the recovery timer owns the queue */
	if (unlikely(cqe != NULL))
		devx_eth_rxq_mark_broken(rxq, cqe);
	return k;
}

/*
 * Defines the receive function devx_eth_rx_burst_@name. An idle call returns before the rest of the
 * function saves registers.
 */
#define DEVX_ETH_RX_BURST(name, flags, take_groups)                                                \
	static __rte_noinline uint16_t take_##name(struct devx_eth_rxq *rxq,                       \
						   struct rte_mbuf **pkts, uint16_t n)             \
	{                                                                                          \
		return devx_eth_rx_burst_template(rxq, pkts, n, flags, take_groups);               \
	}                                                                                          \
                                                                                                   \
	uint16_t devx_eth_rx_burst_##name(void *queue, struct rte_mbuf **pkts, uint16_t n)         \
	{                                                                                          \
		struct devx_eth_rxq *rxq = queue;                                                  \
                                                                                                   \
		if (unlikely(!devx_eth_rx_is_running(rxq)))                                        \
			return devx_eth_queue_yield(&rxq->owner);                                  \
		if (devx_eth_rx_is_idle(rxq))                                                      \
			return 0;                                                                  \
		return take_##name(rxq, pkts, n);                                                  \
	}

#endif
