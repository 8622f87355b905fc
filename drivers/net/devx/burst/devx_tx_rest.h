/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_REST_H
#define DEVX_ETH_TX_REST_H

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>

#include "burst/devx_tx_copy.h"
#include "burst/devx_tx_inline.h"
#include "burst/devx_tx_keep.h"
#include "burst/devx_tx_room.h"
#include "burst/devx_tx_run.h"
#include "burst/devx_tx_slow_path.h"
#include "burst/devx_tx_variants.h"
#include "burst/devx_tx_wqe.h"
#include "devx_txq.h"
#include "prm/wqe.h"

/**
 * DOC: Packets that are posted one after the other
 *
 * Most bursts have packets that are alike, and are posted as a whole. The rest of a burst comes
 * here: packets that differ, that cannot be sent, or that no longer fit the ring.
 */

/**
 * devx_eth_tx_post_multi - post one WQE with packets of one segment
 * @last: receives the WQE; untouched if no packet was posted
 *
 * With DEVX_ETH_TX_EMPW the WQE holds as many packets in a row as possible, all with the same
 * checksum flags; otherwise it holds one packet.
 *
 * Return: number of posted packets; 0: the first packet has several segments, an invalid length or
 * no memory key.
 */
static __rte_always_inline uint16_t devx_eth_tx_post_multi(struct devx_eth_txq *txq,
							   struct rte_mbuf **pkts, uint16_t n,
							   struct prm_ctrl_seg **last,
							   const unsigned int flags)
{
	/* with BlueFlame a single packet is a SEND: libmlx5 copies only SENDs to the register */
	const bool empw = flags & DEVX_ETH_TX_EMPW && !(flags & DEVX_ETH_TX_BF && n == 1);
	const uint16_t max = empw ? RTE_MIN(n, (uint16_t)(txq->max_ds - 2)) : 1;
	const uint64_t ol_flags = pkts[0]->ol_flags & DEVX_ETH_TX_SESSION_MASK;
	const uint8_t cs_flags = flags & DEVX_ETH_TX_FULL ? devx_eth_tx_get_cs_flags(pkts[0]) : 0;
	const uint32_t max_bytes = txq->max_bytes;
	struct devx_eth_tx_segs segs = devx_eth_tx_start_segs(&txq->sq);
	struct devx_eth_range range = txq->range;
	uint64_t bytes = 0;
	uint16_t k;

	for (k = 0; k < max; k++) {
		const struct rte_mbuf *m = pkts[k];
		const uint64_t addr = (uintptr_t)m->buf_addr + m->data_off;
		const uint32_t len = m->data_len;

		if (unlikely(m->nb_segs != 1 ||
			     !devx_eth_tx_accepts_length(len, RTE_ETHER_HDR_LEN, max_bytes)))
			break;
		if (flags & DEVX_ETH_TX_FULL &&
		    unlikely((m->ol_flags & DEVX_ETH_TX_SESSION_MASK) != ol_flags) &&
		    !devx_eth_tx_may_join(txq, m, cs_flags, flags))
			break;
		if (unlikely(!devx_eth_tx_find_range(txq, &range, addr, len)))
			break;
		devx_eth_tx_add_seg(&segs, range.lkey, addr, len);
		bytes += len;
	}
	if (unlikely(!k))
		return 0;
	devx_eth_tx_store_mbufs(txq, txq->head, pkts, k);
	*last = devx_eth_tx_close_wqe(txq, empw ? PRM_WQE_ENHANCED_MPSW : PRM_WQE_SEND,
				      (struct prm_eth_seg){ .cs_flags = cs_flags },
				      (uint8_t)(2 + k), k, flags);
	txq->n.packets += k;
	txq->n.bytes += bytes;
	return k;
}

/*
 * Posts a packet as one SEND, with the tag that the device inserts. Returns false if the packet
 * cannot be sent.
 */
static __rte_always_inline bool devx_eth_tx_post_segments(struct devx_eth_txq *txq,
							  struct rte_mbuf *m,
							  struct prm_ctrl_seg **last,
							  const unsigned int flags)
{
	const bool vlan = flags & DEVX_ETH_TX_VLAN && m->ol_flags & txq->alone & RTE_MBUF_F_TX_VLAN;
	const uint32_t tag = vlan ? RTE_VLAN_HLEN : 0;
	struct devx_eth_tx_segs segs = devx_eth_tx_start_segs(&txq->sq);
	struct devx_eth_range range = txq->range;
	struct prm_eth_seg eth = { .cs_flags = devx_eth_tx_get_cs_flags(m) };
	const uint32_t bytes = m->pkt_len;
	uint16_t n_elts = 0;
	uint8_t n_ds = 2;

	if (unlikely(m->nb_segs > txq->max_segs ||
		     !devx_eth_tx_accepts_length(bytes, RTE_ETHER_HDR_LEN + tag,
						 txq->max_bytes - tag)))
		return false;
	for (struct rte_mbuf *s = m; n_elts < m->nb_segs; s = s->next) {
		const uint64_t addr = (uintptr_t)s->buf_addr + s->data_off;

		txq->elts[(txq->head + n_elts++) & txq->elts_mask] = s;
		if (!s->data_len)
			continue; /* some devices read byte_count 0 as 2 GiB */
		if (unlikely(!devx_eth_tx_find_range(txq, &range, addr, s->data_len)))
			return false;
		devx_eth_tx_add_seg(&segs, range.lkey, addr, s->data_len);
		n_ds++;
	}
	if (vlan) {
		eth.insert_type = prm_be16_of(txq->insert_type);
		eth.vlan_tci = prm_be16_of(m->vlan_tci);
	}
	*last = devx_eth_tx_close_wqe(txq, PRM_WQE_SEND, eth, n_ds, n_elts, flags);
	txq->n.packets++;
	txq->n.bytes += bytes + tag;
	return true;
}

/* Posts a packet of several segments, or one that must have a WQE of its own. */
static __rte_always_inline enum devx_eth_tx_result devx_eth_tx_post_one(struct devx_eth_txq *txq,
									struct rte_mbuf *m,
									struct prm_ctrl_seg **last,
									const unsigned int flags)
{
	const bool fits = m->nb_segs <= txq->max_segs; /* other packets are refused at once */

	if (devx_eth_tx_is_alone(txq, m, flags) &&
	    (m->ol_flags & txq->alone & RTE_MBUF_F_TX_TCP_SEG || !txq->insert_type))
		return devx_eth_tx_post_inline(txq, m, last);
	if (fits && m->nb_segs > devx_eth_tx_count_free_elts(txq))
		return DEVX_ETH_TX_FULL_RING;
	if (flags & DEVX_ETH_TX_COUNTED && fits &&
	    !devx_eth_tx_has_room(txq, (uint16_t)(2 + m->nb_segs), m->nb_segs))
		return DEVX_ETH_TX_FULL_RING;
	return likely(devx_eth_tx_post_segments(txq, m, last, flags)) ? DEVX_ETH_TX_POSTED
								      : DEVX_ETH_TX_REFUSED;
}

/*
 * Posts packets that are not alike, and returns their number. @last: untouched if it is 0. Not
 * inlined: most bursts are alike.
 */
static __rte_noinline uint16_t devx_eth_tx_post_more_copies(struct devx_eth_txq *txq,
							    struct rte_mbuf **pkts, uint16_t n,
							    uint8_t opcode,
							    struct prm_ctrl_seg **last,
							    const unsigned int flags)
{
	const struct devx_eth_tx_posted posted =
		devx_eth_tx_post_copies(txq, pkts, n, opcode, flags);

	if (posted.n)
		*last = posted.last;
	return (uint16_t)posted.n;
}

/*
 * Posts packets one after the other from @sent on, until all are posted or dropped, or the ring is
 * full. Returns the number of packets done, including the first @sent. Not inlined, because the
 * fast path of a variant posts most bursts completely.
 */
static __rte_noinline uint16_t devx_eth_tx_post_rest(struct devx_eth_txq *txq,
						     struct rte_mbuf **pkts, uint16_t sent,
						     uint16_t n, struct prm_ctrl_seg **last,
						     const unsigned int flags)
{
	while (sent < n) {
		const uint16_t k = devx_eth_tx_count_room(txq, (uint16_t)(n - sent), flags);
		struct rte_mbuf *m = pkts[sent];

		if (flags & DEVX_ETH_TX_FULL &&
		    (m->nb_segs > 1 || devx_eth_tx_is_alone(txq, m, flags))) {
			const uint16_t first = txq->head;
			const enum devx_eth_tx_result rc =
				devx_eth_tx_post_one(txq, m, last, flags);

			if (rc == DEVX_ETH_TX_FULL_RING)
				break;
			if (flags & DEVX_ETH_TX_INLINE && rc == DEVX_ETH_TX_POSTED)
				devx_eth_tx_keep_elts(txq, first, txq->head);
			if (unlikely(rc == DEVX_ETH_TX_REFUSED) &&
			    !devx_eth_tx_refuse_packet(txq, m))
				break;
			sent++;
		} else if (likely(k)) {
			const uint16_t took =
				flags & DEVX_ETH_TX_INLINE
					? devx_eth_tx_post_more_copies(txq, pkts + sent, k,
								       PRM_WQE_ENHANCED_MPSW, last,
								       flags)
					: devx_eth_tx_post_multi(txq, pkts + sent, k, last, flags);

			if (flags & DEVX_ETH_TX_INLINE && !took &&
			    !devx_eth_tx_has_copy_room(txq, m))
				break;
			if (unlikely(!took) && !devx_eth_tx_refuse_packet(txq, m))
				break;
			sent += took ? took : 1;
		} else {
			break;
		}
	}
	return sent;
}

#endif
