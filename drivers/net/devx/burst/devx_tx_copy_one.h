/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_COPY_ONE_H
#define DEVX_ETH_TX_COPY_ONE_H

#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>

#include "burst/devx_tx_complete.h"
#include "burst/devx_tx_copy_alike.h"
#include "burst/devx_tx_room.h"
#include "burst/devx_tx_variants.h"
#include "burst/devx_tx_wqe.h"
#include "devx_txq.h"

/**
 * DOC: The entry of one copied packet, and bursts of a single one
 *
 *     count | packet | padding to a multiple of 16 bytes
 */

/** devx_eth_tx_get_copy_bytes - get the length of the entry of a copied packet */
static __rte_always_inline uint32_t devx_eth_tx_get_copy_bytes(uint32_t len)
{
	return RTE_ALIGN_CEIL(len + DEVX_ETH_TX_COUNT_BYTES, (uint32_t)PRM_DS_BYTES);
}

/* Copies a packet of at least 14 bytes. Reads none of the bytes around the packet. */
static __rte_always_inline void devx_eth_tx_copy_packet(uint8_t *to, const uint8_t *from,
							uint32_t len)
{
	enum { STEP = 16, HALF = 8, FIRST = STEP - DEVX_ETH_TX_COUNT_BYTES };

	if (unlikely(len < STEP)) {
		memcpy(to, from, HALF);
		memcpy(to + len - HALF, from + len - HALF, HALF);
		return;
	}
	memcpy(to, from, STEP);
	/* behind the count, these places are multiples of 16 in the ring */
	for (uint32_t at = FIRST; at + STEP < len; at += STEP)
		memcpy(to + at, from + at, STEP);
	memcpy(to + len - STEP, from + len - STEP, STEP);
}

/** devx_eth_tx_write_copy - write an entry that contains a packet of @len bytes */
static __rte_always_inline void devx_eth_tx_write_copy(uint8_t *to, const uint8_t *from,
						       uint32_t len)
{
	const prm_be32 count = prm_be32_of(PRM_INLINE_SEG | len);

	memcpy(to, &count, sizeof(count));
	devx_eth_tx_copy_packet(to + sizeof(count), from, len);
}

/**
 * devx_eth_tx_post_first_copy - post one packet in its WQE, and free its mbuf
 * @m: the packet, of up to inline_max bytes
 *
 * Bursts of one packet are short, so each instruction counts: this function has no loop over
 * packets, and does not post a WQE that wraps.
 *
 * Return: false if the packet has no room yet, or needs devx_eth_tx_post_copies()
 */
static __rte_always_inline bool devx_eth_tx_post_first_copy(struct devx_eth_txq *txq,
							    struct rte_mbuf **m, uint8_t opcode,
							    struct prm_ctrl_seg **last,
							    const unsigned int flags)
{
	const uint8_t cs_flags = flags & DEVX_ETH_TX_FULL ? devx_eth_tx_get_cs_flags(*m) : 0;
	const uint64_t addr = devx_eth_tx_get_addr(*m);
	const uint32_t len = (*m)->data_len;
	const uint32_t n_ds = 2 + devx_eth_tx_get_copy_bytes(len) / PRM_DS_BYTES;

	if (unlikely((*m)->nb_segs != 1 || txq->range.dmabuf ||
		     !devx_eth_tx_accepts_length(len, RTE_ETHER_HDR_LEN, txq->max_bytes) ||
		     !devx_eth_range_holds(&txq->range, addr, len)))
		return false;
	if (unlikely(!devx_eth_tx_count_free_elts(txq) ||
		     n_ds > PRM_WQEBB_DS * devx_eth_tx_count_straight(txq, txq->sq.pi)))
		return false;
	*last = devx_eth_tx_close_wqe(txq, opcode, (struct prm_eth_seg){ .cs_flags = cs_flags },
				      (uint8_t)n_ds, 1, flags);
	devx_eth_tx_write_copy((uint8_t *)(*last + 2), (const uint8_t *)addr, len);
	devx_eth_tx_free_copied(txq, m, 1);
	txq->n.packets++;
	txq->n.bytes += len;
	return true;
}

#endif
