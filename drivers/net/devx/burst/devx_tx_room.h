/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_ROOM_H
#define DEVX_ETH_TX_ROOM_H

#include "burst/devx_tx_variants.h"
#include "devx_txq.h"
#include "prm/wqe.h"

/**
 * DOC: Room in the rings of a send queue
 *
 *     elts     tail .......... head ..free.. tail + n_elts
 *     blocks   done .......... sq.pi .free.. done + n
 *
 * The ring has n blocks, at least as many as n_elts. Without data in WQEs a free elt implies a free
 * block (devx_txq.h), so only a queue with TSO or copied packets looks at the blocks. A packet
 * waits until it has room in both rings. It gets room eventually: fewer than comp_every elts and
 * blocks have no CQE requested, and the largest packet fits the rest (devx_eth_tx_get_max_segs()).
 */

/** devx_eth_tx_count_free_elts - get the number of segments that elts has room for */
static __rte_always_inline uint16_t devx_eth_tx_count_free_elts(const struct devx_eth_txq *txq)
{
	return txq->n_elts - (uint16_t)(txq->head - txq->tail);
}

/** devx_eth_tx_count_free_blocks - get the number of basic blocks that the ring has room for */
static __rte_always_inline uint16_t devx_eth_tx_count_free_blocks(const struct devx_eth_txq *txq)
{
	return txq->elts_mask + 1 - (uint16_t)(txq->sq.pi - txq->done);
}

/**
 * devx_eth_tx_count_room_at - get how many packets of one segment the ring has blocks for, in one
 * WQE at block @pi
 */
static __rte_always_inline unsigned int devx_eth_tx_count_room_at(const struct devx_eth_txq *txq,
								  uint16_t pi)
{
	const uint16_t n_blocks = (uint16_t)(txq->elts_mask + 1 - (uint16_t)(pi - txq->done));

	return n_blocks ? PRM_WQEBB_DS * n_blocks - 2u : 0;
}

/** devx_eth_tx_has_room - check whether a WQE of @n_ds segments for @n_elts mbufs fits now */
static __rte_always_inline bool devx_eth_tx_has_room(const struct devx_eth_txq *txq, uint16_t n_ds,
						     uint16_t n_elts)
{
	return n_elts <= devx_eth_tx_count_free_elts(txq) &&
	       prm_wqe_count_blocks(n_ds) <= devx_eth_tx_count_free_blocks(txq);
}

/** devx_eth_tx_count_room - get how many of @n packets of one segment fit now into one WQE */
static __rte_always_inline uint16_t devx_eth_tx_count_room(const struct devx_eth_txq *txq,
							   uint16_t n, const unsigned int flags)
{
	const uint16_t k = RTE_MIN(n, devx_eth_tx_count_free_elts(txq));

	if (!(flags & DEVX_ETH_TX_COUNTED))
		return k;
	return (uint16_t)RTE_MIN(k, devx_eth_tx_count_room_at(txq, txq->sq.pi));
}

#endif
