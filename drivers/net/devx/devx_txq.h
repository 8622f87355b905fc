/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TXQ_H
#define DEVX_ETH_TXQ_H

#include <stdint.h>

#include <rte_ether.h>

#include "devx/cq.h"
#include "devx/sq.h"
#include "devx/uar.h"
#include "devx_port.h"
#include "devx_mr_table.h"

/**
 * DOC: Send queue of a port
 *
 *     elts   | m | m | m | m |   |    every segment the device may still read, in order
 *              tail            head
 *     wqebbs | W   | W |     |        WQEs over them; as many blocks as elts
 *     marks  | a   | b |              at a WQE's first block: its elts, [first, end)
 *
 * A WQE of k segments takes at most k blocks, so a free elt means a free block. Every
 * comp_every segments one WQE asks for a CQE; the CQE names its first block, and the mark
 * there says how far elts may be freed.
 */

/** struct devx_eth_tx_mark - elts of a WQE, free-running */
struct devx_eth_tx_mark {
	uint16_t first, end;
};

/** struct devx_eth_tx_counters - written by the queue's owner: bursts, or the recovery timer */
struct devx_eth_tx_counters {
	uint64_t packets, bytes; /* handed to the device, minus those an error took back */
	uint64_t unregistered;   /* dropped: no key for the memory */
	uint64_t bad_length;     /* dropped: shorter than a header, or longer than the port takes */
	uint64_t bad_segments;   /* dropped: more segments than a WQE holds, or not announced */
	uint64_t lost;           /* in or behind a WQE that failed */
	uint64_t error_cqes;
	uint64_t recoveries;
};

/** struct devx_eth_txq - a send queue */
struct devx_eth_txq {
	/* every burst */
	uint32_t owner;      /* enum devx_eth_owner */
	uint16_t head, tail; /* of elts, free-running */
	uint16_t comp;       /* head at the last WQE that asked for a CQE */
	uint16_t comp_every;
	uint16_t elts_mask;
	uint16_t max_ds;   /* of a WQE */
	uint16_t max_segs; /* of a packet */
	uint16_t fast_free;
	uint32_t max_bytes; /* of a packet */
	struct rte_mbuf **elts;
	struct devx_eth_tx_mark *marks;
	struct devx_eth_range range; /* of the last packet */

	const struct devx_eth_table *table __rte_cache_aligned; /* that range is from */
	const struct devx_eth_memory *memory;
	struct devx_sq sq __rte_cache_aligned;
	struct devx_cq cq __rte_cache_aligned;
	struct devx_eth_tx_counters n __rte_cache_aligned;

	/* control path */
	struct devx_eth *eth;
	struct devx_uar uar;
	struct devx_eth_tx_counters base; /* at the last reset of statistics */
	uint64_t offloads;
	uint16_t id;
	uint16_t n_desc;        /* as asked for */
	uint16_t error_wqe;     /* of the error CQE: first block, */
	uint8_t error_syndrome; /* enum prm_cqe_syndrome */
	uint8_t error_vendor;
};
static_assert(offsetof(struct devx_eth_txq, table) == RTE_CACHE_LINE_SIZE,
	      "what every burst reads stands in one cache line");

/** devx_eth_tx_accepts_length - from a header to what the port takes; @max is txq->max_bytes */
static __rte_always_inline bool devx_eth_tx_accepts_length(uint32_t bytes, uint32_t max)
{
	return bytes - RTE_ETHER_HDR_LEN <= max - RTE_ETHER_HDR_LEN;
}

#endif
