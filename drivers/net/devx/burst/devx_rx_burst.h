/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_H
#define DEVX_ETH_RX_H

#include <stddef.h>
#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>
#include <rte_mbuf_dyn.h>
#include <rte_prefetch.h>

#include "burst/devx_rx_refill.h"
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
 * A receive burst writes at most two doorbell records and no doorbell register. A variant is the
 * template with constant @flags, so a port does not pay for what it did not request:
 *
 *     DEVX_ETH_RX_HASH     copies the RSS hash
 *     DEVX_ETH_RX_FIELDS   VLAN tag, timestamp and frame check sequence, tested per packet
 *     DEVX_ETH_RX_SCATTER  a packet may have several buffers
 */

enum devx_eth_rx_flags {
	DEVX_ETH_RX_HASH = 1 << 0,
	DEVX_ETH_RX_FIELDS = 1 << 1,
	DEVX_ETH_RX_SCATTER = 1 << 2,
};

/*
 * Flags of an mbuf for checksums: the device's two bits of valid checksums, shifted. Like net_mlx5:
 * without the bit, the flags say that the checksum is unknown, never that it is bad.
 *
 * PRM-MISSING: whether the L4 bit is set for a UDP packet whose checksum is 0, that is, absent.
 */
enum { DEVX_ETH_RX_CSUM_SHIFT = 6 };
static_assert(PRM_CQE_L3_OK << DEVX_ETH_RX_CSUM_SHIFT == RTE_MBUF_F_RX_IP_CKSUM_GOOD, "L3");
static_assert(PRM_CQE_L4_OK << DEVX_ETH_RX_CSUM_SHIFT == RTE_MBUF_F_RX_L4_CKSUM_GOOD, "L4");

/* Copies stripped VLAN tag and timestamp. Returns flags of the mbuf. */
static __rte_always_inline uint64_t devx_eth_rx_fill_fields(const struct devx_eth_rxq *rxq,
							    struct rte_mbuf *m,
							    const struct prm_cqe *cqe)
{
	uint64_t ol_flags = rxq->ts_flag;

	if (cqe->l4_l3_hdr_type & PRM_CQE_HDR_CV) {
		ol_flags |= RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED;
		m->vlan_tci = prm_be16_get(cqe->vlan_info);
	}
	if (rxq->ts_flag)
		*RTE_MBUF_DYNFIELD(m, rxq->ts_offset, rte_mbuf_timestamp_t *) =
			prm_be64_get(cqe->timestamp);
	return ol_flags;
}

/* Copies the fields of a CQE into its first mbuf. Returns the length of the packet in bytes. */
static __rte_always_inline uint32_t devx_eth_rx_fill_mbuf(const struct devx_eth_rxq *rxq,
							  struct rte_mbuf *m,
							  const struct prm_cqe *cqe,
							  const unsigned int flags)
{
	uint64_t ol_flags = rxq->ol_flags;
	uint32_t bytes = prm_be32_get(cqe->byte_cnt);

	memcpy((char *)m + DEVX_ETH_RX_REARM_OFFSET, &rxq->rearm, sizeof(rxq->rearm));
	ol_flags |= (uint32_t)cqe->hds_ip_ext << DEVX_ETH_RX_CSUM_SHIFT & rxq->csum_flags;
	if (flags & DEVX_ETH_RX_HASH) {
		m->hash.rss = prm_be32_get(cqe->rss_hash_result);
		if (cqe->rss_hash_type)
			ol_flags |= RTE_MBUF_F_RX_RSS_HASH;
	}
	if (flags & DEVX_ETH_RX_FIELDS) {
		ol_flags |= devx_eth_rx_fill_fields(rxq, m, cqe);
		bytes -= rxq->crc_bytes;
	}
	m->ol_flags = ol_flags;
	m->packet_type = devx_eth_type_get(rxq->types, cqe);
	m->pkt_len = bytes;
	m->data_len = (uint16_t)bytes;
	return bytes;
}

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

static __rte_always_inline uint16_t devx_eth_rx_burst_template(struct devx_eth_rxq *rxq,
							       struct rte_mbuf **pkts, uint16_t n,
							       const unsigned int flags)
{
	const uint8_t log2_segs = flags & DEVX_ETH_RX_SCATTER ? rxq->log2_segs : 0;
	const uint32_t mask = rxq->elts_mask;
	struct rte_mbuf **elts = rxq->elts;
	const struct prm_cqe *cqe = NULL;
	uint32_t ci = rxq->ci;
	uint64_t bytes = 0;
	uint16_t k = 0;

	if (unlikely(__atomic_load_n(&rxq->owner, __ATOMIC_ACQUIRE) != DEVX_ETH_RUNNING))
		return devx_eth_queue_yield(&rxq->owner);
	while (k < n && (cqe = devx_cq_peek(&rxq->cq))) {
		struct rte_mbuf **slot = &elts[ci << log2_segs & mask], *m = *slot;
		uint8_t used = 0;

		rte_prefetch0(elts[(ci + 4) << log2_segs & mask]);
		if (likely(prm_cqe_opcode(cqe->op_own) == PRM_CQE_RESP_SEND)) {
			const uint32_t len = devx_eth_rx_fill_mbuf(rxq, m, cqe, flags);

			if (log2_segs)
				used = devx_eth_rx_chain_mbufs(rxq, slot, len);
			bytes += len;
			pkts[k++] = m;
		} else if (!devx_eth_rx_skip_packet(rxq, m, cqe)) {
			break;
		}
		if (log2_segs)
			rxq->used[ci & mask >> log2_segs] = used;
		devx_cq_pop(&rxq->cq);
		ci++;
		cqe = NULL;
	}
	/* releases CQEs before the refill: each posted buffer needs a free slot in the CQ */
	if (rxq->ci != ci)
		devx_cq_release(&rxq->cq);
	rxq->ci = ci;
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

#endif
