/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_REFILL_H
#define DEVX_ETH_RX_REFILL_H

#include <stddef.h>

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "burst/devx_rx_slow_path.h"
#include "devx_rxq.h"
#include "prm/wqe.h"

/* Fills the empty slots of a receive queue with mbufs of its pool (devx_rxq.h has the picture). */

enum {
	/* offset of four adjacent fields of an mbuf, which a burst writes in one store */
	DEVX_ETH_RX_REARM_OFFSET = offsetof(struct rte_mbuf, data_off),
	DEVX_ETH_RX_REFILL_MAX = 64, /* largest number of mbufs taken at a time */
};
static_assert(offsetof(struct rte_mbuf, port) == DEVX_ETH_RX_REARM_OFFSET + 3 * sizeof(uint16_t),
	      "data_off, refcnt, nb_segs, port");

/* Writes the buffer addresses of @n mbufs into the slots from pi on, up to the end of the ring. */
static __rte_always_inline void devx_eth_rx_write_slots(struct devx_eth_rxq *rxq, unsigned int n)
{
	struct prm_data_seg *seg = devx_rq_get_wqe(&rxq->rq, rxq->rq.pi);
	struct rte_mbuf **m = &rxq->elts[rxq->rq.pi & rxq->elts_mask];

	if (likely(rxq->buf_delta)) {
		const uint32_t delta = rxq->buf_delta;

		for (unsigned int i = 0; i < n; i++)
			seg[i].addr = prm_be64_of((uintptr_t)m[i] + delta);
		return;
	}
	for (unsigned int i = 0; i < n; i++)
		seg[i].addr = prm_be64_of((uintptr_t)m[i]->buf_addr + RTE_PKTMBUF_HEADROOM);
	if (rxq->one_range)
		return;
	for (unsigned int i = 0; i < n; i++) {
		const uint64_t addr = prm_be64_get(seg[i].addr);

		/* not NULL: devx_eth_rxq_check_pool() found a range for every buffer */
		seg[i].lkey = devx_eth_range_find(rxq->table, addr, rxq->buf_bytes)->lkey;
	}
}

/* While rxq->refill slots or more are empty, fills up to that many with mbufs of the pool. */
static __rte_always_inline void devx_eth_rx_refill_ring(struct devx_eth_rxq *rxq)
{
	const uint32_t size = rxq->elts_mask + 1;
	const uint32_t pi = rxq->rq.pi;

	while (rxq->ci + size - rxq->rq.pi >= rxq->refill) {
		const uint32_t at = rxq->rq.pi & rxq->elts_mask;
		uint32_t n = RTE_MIN((uint32_t)rxq->refill, size - at);

		if (unlikely(rte_mempool_get_bulk(rxq->pool, (void **)&rxq->elts[at], n))) {
			n = devx_eth_rx_take_remaining(rxq, &rxq->elts[at], n);
			if (!n)
				break;
		} else {
			rxq->starving = false;
		}
		devx_eth_rx_write_slots(rxq, n);
		rte_compiler_barrier(); /* a process killed here has an mbuf in each counted slot */
		rxq->rq.pi += n;
	}
	if (rxq->rq.pi != pi)
		devx_rq_post(&rxq->rq);
}

/* Puts @n mbufs into the last @n empty slots of the WQE at pi. */
static __rte_always_inline void devx_eth_rx_fill_wqe(struct devx_eth_rxq *rxq, struct rte_mbuf **m,
						     unsigned int n)
{
	const uint32_t at = rxq->rq.pi << rxq->log2_segs & rxq->elts_mask;
	struct prm_data_seg *seg = devx_rq_get_wqe(&rxq->rq, rxq->rq.pi);
	uint8_t *used = &rxq->used[at >> rxq->log2_segs];

	while (n--) {
		const unsigned int i = *used - 1u;
		const uint64_t addr = (uintptr_t)m[n]->buf_addr + (i ? 0 : RTE_PKTMBUF_HEADROOM);

		rxq->elts[at + i] = m[n];
		rte_compiler_barrier(); /* as in devx_eth_rx_refill_ring() */
		*used = (uint8_t)i;
		seg[i].addr = prm_be64_of(addr);
		if (unlikely(!rxq->one_range))
			seg[i].lkey = devx_eth_range_find(rxq->table, addr,
							  i ? rxq->more_bytes : rxq->buf_bytes)
					      ->lkey;
	}
}

/*
 * Fills WQEs from pi on with up to DEVX_ETH_RX_REFILL_MAX mbufs. If the pool is short, the last
 * WQE may get a part of its mbufs; a later call adds the others.
 *
 * Returns whether the pool had enough mbufs.
 */
static __rte_always_inline bool devx_eth_rx_fill_wqes(struct devx_eth_rxq *rxq, uint32_t end)
{
	struct rte_mbuf *m[DEVX_ETH_RX_REFILL_MAX];
	const uint32_t mask = rxq->elts_mask >> rxq->log2_segs;
	uint32_t to = rxq->rq.pi, need = 0, got, i = 0;

	for (; to != end && need + rxq->used[to & mask] <= RTE_DIM(m); to++)
		need += rxq->used[to & mask];
	got = need;
	if (unlikely(need && rte_mempool_get_bulk(rxq->pool, (void **)m, need)))
		got = devx_eth_rx_take_remaining(rxq, m, need);
	else
		rxq->starving = false;
	for (; rxq->rq.pi != to; rxq->rq.pi++) {
		const uint32_t n = RTE_MIN((uint32_t)rxq->used[rxq->rq.pi & mask], got - i);

		devx_eth_rx_fill_wqe(rxq, &m[i], n);
		i += n;
		if (unlikely(rxq->used[rxq->rq.pi & mask]))
			break;
	}
	return got == need;
}

/* Fills the empty slots of all free WQEs, if at least rxq->refill WQEs are free. */
static __rte_always_inline void devx_eth_rx_refill_segments(struct devx_eth_rxq *rxq)
{
	const uint32_t end = rxq->ci + ((rxq->elts_mask + 1) >> rxq->log2_segs);
	const uint32_t pi = rxq->rq.pi;

	if (end - pi < rxq->refill)
		return;
	while (rxq->rq.pi != end && devx_eth_rx_fill_wqes(rxq, end))
		;
	if (rxq->rq.pi != pi)
		devx_rq_post(&rxq->rq);
}

#endif
