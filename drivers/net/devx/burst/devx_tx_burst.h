/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_H
#define DEVX_ETH_TX_H

#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>

#include "burst/devx_tx_block.h"
#include "burst/devx_tx_complete.h"
#include "burst/devx_tx_copy.h"
#include "burst/devx_tx_inline.h"
#include "burst/devx_tx_keep.h"
#include "burst/devx_tx_rest.h"
#include "burst/devx_tx_run.h"
#include "burst/devx_tx_variants.h"
#include "burst/devx_tx_wqe.h"
#include "devx_cq_failure.h"
#include "devx_txq.h"
#include "prm/wqe.h"

/**
 * DOC: Send burst, the template
 *
 *     free the mbufs of completed WQEs
 *     until all packets are posted or the ring is full:
 *         packets of one segment in a row -> one multi-packet WQE (DEVX_ETH_TX_EMPW), else SENDs
 *         a packet of several segments    -> one SEND
 *         a packet with VLAN or TSO       -> one SEND or LSO
 *         a packet that cannot be sent    -> dropped and counted
 *     ring the doorbell once, if a WQE was posted; DEVX_ETH_TX_BF: copy the WQE of a single packet
 *     no WQE, as in a burst of 0 packets: request a CQE for the last packets, if none is pending
 *
 * A variant is a function that calls the template with constant flags. Without DEVX_ETH_TX_FULL
 * the template ignores checksum requests and drops packets of several segments; without
 * DEVX_ETH_TX_VLAN and DEVX_ETH_TX_TSO it ignores requests for them.
 */

/*
 * Handles pending CQEs, once per burst; most bursts find none. Returns false if one of them is an
 * error CQE: then the recovery timer owns the queue.
 */
static __rte_always_inline bool devx_eth_tx_poll_cq(struct devx_eth_txq *txq)
{
	const struct prm_cqe *cqe = devx_cq_peek(&txq->cq);

	if (likely(!cqe))
		return true;
	devx_eth_tx_complete_wqes(txq, cqe);
	return likely(__atomic_load_n(&txq->owner, __ATOMIC_RELAXED) == DEVX_ETH_RUNNING);
}

/* Takes the newest memory table; if the table changed, forgets the range of the last packet. */
static __rte_always_inline void devx_eth_tx_refresh_table(struct devx_eth_txq *txq)
{
	const struct devx_eth_table *table = devx_eth_memory_get_table(txq->memory);

	if (likely(table == txq->table))
		return;
	txq->table = table;
	txq->range.bytes = 0;
}

/*
 * Rings the doorbell. With DEVX_ETH_TX_BF the doorbells of the queue alternate between the two
 * BlueFlame buffers, as in libmlx5.
 */
static __rte_always_inline void devx_eth_tx_ring(struct devx_eth_txq *txq,
						 const struct prm_ctrl_seg *last, uint16_t n,
						 const unsigned int flags)
{
	if (!(flags & DEVX_ETH_TX_BF))
		devx_sq_ring(&txq->sq, last);
	else if (n == 1)
		devx_sq_ring_wqe(&txq->sq, last);
	else
		devx_sq_ring_next(&txq->sq, last);
}

/* Not inlined, because a burst of one packet then has fewer registers to save. */
static __rte_noinline struct devx_eth_tx_posted devx_eth_tx_post_pointers(struct devx_eth_txq *txq,
									  struct rte_mbuf **pkts,
									  uint16_t n,
									  const unsigned int flags)
{
	return devx_eth_tx_post_run(txq, pkts, n, flags);
}

/*
 * Posts the only packet, or the first ones if they are alike, and returns their number. The queue
 * copies packets of up to inline_max bytes.
 */
static __rte_always_inline uint16_t devx_eth_tx_post_alike_inline(struct devx_eth_txq *txq,
								  struct rte_mbuf **pkts,
								  uint16_t n, uint8_t opcode,
								  struct prm_ctrl_seg **last,
								  const unsigned int flags)
{
	const bool copy = n && pkts[0]->data_len <= txq->inline_max;
	struct devx_eth_tx_posted posted;

	if (unlikely(!n))
		return 0; /* pkts may be NULL */
	if (n == 1) {
		if (likely(copy ? devx_eth_tx_post_first_copy(txq, pkts, opcode, last, flags)
				: devx_eth_tx_post_first(txq, pkts[0], opcode, last, flags)))
			return 1;
		return devx_eth_tx_post_more_copies(txq, pkts, n, opcode, last, flags);
	}
	posted = copy ? devx_eth_tx_post_alike_copies(txq, pkts, n, opcode, flags)
		      : devx_eth_tx_post_pointers(txq, pkts, n, flags);
	*last = posted.last;
	return (uint16_t)posted.n;
}

/* Posts packets, up to the first that needs another kind of WQE than pkts[0]. Returns how many. */
static __rte_always_inline uint16_t devx_eth_tx_post_alike(struct devx_eth_txq *txq,
							   struct rte_mbuf **pkts, uint16_t n,
							   struct prm_ctrl_seg **last,
							   const unsigned int flags)
{
	/* with BlueFlame a single packet is a SEND: libmlx5 copies only SENDs to the register */
	const bool empw = flags & DEVX_ETH_TX_EMPW && !(flags & DEVX_ETH_TX_BF && n == 1);
	struct devx_eth_tx_posted posted;

	if (flags & (DEVX_ETH_TX_VLAN | DEVX_ETH_TX_TSO) && n &&
	    devx_eth_tx_is_alone(txq, pkts[0], flags)) {
		const uint16_t first = txq->head;

		n = devx_eth_tx_post_tags(txq, pkts, n, last);
		if (flags & DEVX_ETH_TX_INLINE && n)
			devx_eth_tx_keep_elts(txq, first, txq->head);
		return n;
	}
	if (flags & DEVX_ETH_TX_INLINE)
		return devx_eth_tx_post_alike_inline(
			txq, pkts, n, empw ? PRM_WQE_ENHANCED_MPSW : PRM_WQE_SEND, last, flags);
	if (n == 1)
		return devx_eth_tx_post_first(
			txq, pkts[0], empw ? PRM_WQE_ENHANCED_MPSW : PRM_WQE_SEND, last, flags);
	if (!empw)
		return devx_eth_tx_post_blocks(txq, pkts, n, PRM_WQE_SEND, DEVX_ETH_TX_TAG_NONE,
					       last, flags);
	posted = devx_eth_tx_post_pointers(txq, pkts, n, flags);
	*last = posted.last;
	return (uint16_t)posted.n;
}

static __rte_always_inline uint16_t devx_eth_tx_burst_template(struct devx_eth_txq *txq,
							       struct rte_mbuf **pkts, uint16_t n,
							       const unsigned int flags)
{
	struct prm_ctrl_seg *last = NULL;
	uint16_t sent = 0;

	if (unlikely(__atomic_load_n(&txq->owner, __ATOMIC_ACQUIRE) != DEVX_ETH_RUNNING))
		return devx_eth_queue_yield(&txq->owner);
	if (unlikely(!devx_eth_tx_poll_cq(txq)))
		return 0;
	devx_eth_tx_refresh_table(txq);
	sent = devx_eth_tx_post_alike(txq, pkts, n, &last, flags);
	if (unlikely(sent < n))
		sent = devx_eth_tx_post_rest(txq, pkts, sent, n, &last, flags);
	if (likely(last != NULL))
		devx_eth_tx_ring(txq, last, n, flags);
	else
		devx_eth_tx_request_cqe(txq);
	return sent;
}

#endif
