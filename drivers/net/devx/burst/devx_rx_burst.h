/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_H
#define DEVX_ETH_RX_H

#include <stddef.h>
#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>
#include <rte_prefetch.h>

#include "burst/devx_rx_slow_path.h"
#include "burst/devx_queue_yield.h"
#include "devx_rxq.h"
#include "prm/cqe.h"
#include "prm/wqe.h"

/**
 * DOC: Receive burst, the template
 *
 *     for each CQE: take its mbuf from the ring; set length, packet type and flags
 *     release the CQEs, then fill the empty slots
 *
 * A receive burst writes at most two doorbell records and no doorbell register.
 */

/* Offset of four adjacent fields of an mbuf, which a burst writes in one store. */
enum { DEVX_ETH_RX_REARM_OFFSET = offsetof(struct rte_mbuf, data_off) };
static_assert(offsetof(struct rte_mbuf, port) == DEVX_ETH_RX_REARM_OFFSET + 3 * sizeof(uint16_t),
	      "data_off, refcnt, nb_segs, port");

/* Writes the buffer addresses of @n mbufs into the slots from pi on, up to the end of the ring. */
static __rte_always_inline void devx_eth_rx_write_slots(struct devx_eth_rxq *rxq, unsigned int n)
{
	struct prm_data_seg *seg = devx_rq_get_wqe(&rxq->rq, rxq->rq.pi);
	struct rte_mbuf **m = &rxq->elts[rxq->rq.pi & rxq->elts_mask];

	for (unsigned int i = 0; i < n; i++)
		seg[i].addr = prm_be64_of((uintptr_t)m[i]->buf_addr + RTE_PKTMBUF_HEADROOM);
	if (likely(rxq->one_range))
		return;
	for (unsigned int i = 0; i < n; i++) {
		const uint64_t addr = prm_be64_get(seg[i].addr);

		/* not NULL: check_pool() found a range for every buffer when the queue started */
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
			rxq->starving = 0;
		}
		devx_eth_rx_write_slots(rxq, n);
		rxq->rq.pi += n;
	}
	if (rxq->rq.pi != pi)
		devx_rq_post(&rxq->rq);
}

/* Copies the fields of a CQE into its mbuf. Returns the length of the packet in bytes. */
static __rte_always_inline uint32_t devx_eth_rx_fill_mbuf(const struct devx_eth_rxq *rxq,
							  struct rte_mbuf *m,
							  const struct prm_cqe *cqe)
{
	const struct devx_eth_type *type = devx_eth_type_get(rxq->types, cqe);
	const uint32_t bytes = prm_be32_get(cqe->byte_cnt);

	memcpy((char *)m + DEVX_ETH_RX_REARM_OFFSET, &rxq->rearm, sizeof(rxq->rearm));
	m->ol_flags = type->ol_flags | rxq->ol_flags;
	m->packet_type = type->ptype;
	m->pkt_len = bytes;
	m->data_len = (uint16_t)bytes;
	return bytes;
}

static __rte_always_inline uint16_t devx_eth_rx_burst_template(struct devx_eth_rxq *rxq,
							       struct rte_mbuf **pkts, uint16_t n)
{
	const struct prm_cqe *cqe = NULL;
	const uint32_t ci = rxq->ci;
	uint64_t bytes = 0;
	uint16_t k = 0;

	if (unlikely(__atomic_load_n(&rxq->owner, __ATOMIC_ACQUIRE) != DEVX_ETH_RUNNING))
		return devx_eth_queue_yield(&rxq->owner);
	while (k < n && (cqe = devx_cq_peek(&rxq->cq))) {
		struct rte_mbuf *m = rxq->elts[rxq->ci & rxq->elts_mask];

		rte_prefetch0(rxq->elts[(rxq->ci + 4) & rxq->elts_mask]);
		if (likely(prm_cqe_opcode(cqe->op_own) == PRM_CQE_RESP_SEND)) {
			bytes += devx_eth_rx_fill_mbuf(rxq, m, cqe);
			pkts[k++] = m;
		} else if (!devx_eth_rx_skip_packet(rxq, m, cqe)) {
			break;
		}
		devx_cq_pop(&rxq->cq);
		rxq->ci++;
		cqe = NULL;
	}
	/* releases CQEs before the refill: each posted buffer needs a free slot in the CQ */
	if (rxq->ci != ci)
		devx_cq_release(&rxq->cq);
	devx_eth_rx_refill_ring(rxq);
	rxq->n.packets += k;
	rxq->n.bytes += bytes;
	/* the last access of the burst to @rxq: then the recovery timer owns the queue */
	if (unlikely(cqe != NULL))
		devx_eth_rxq_mark_broken(rxq, cqe);
	return k;
}

#endif
