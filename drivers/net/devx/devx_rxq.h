/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RXQ_H
#define DEVX_ETH_RXQ_H

#include <stdint.h>

#include "devx/cq.h"
#include "devx/rq.h"
#include "devx_port.h"
#include "devx_mr_table.h"
#include "devx_types.h"

/**
 * DOC: Receive queue of a port
 *
 *     RQ and elts  |   | m | m | m | m |   |    slot i & mask: a buffer and its mbuf
 *                      ci              pi
 *     CQ               ^ one CQE for each, in the same order
 *
 * ci and pi run free. Slots between pi and ci (of the next lap) are empty; they are
 * filled refill at a time, so that a refill never crosses the end of the ring.
 */

/** struct devx_eth_rx_counters - written by the queue's owner: bursts, or the recovery timer */
struct devx_eth_rx_counters {
	uint64_t packets, bytes;
	uint64_t no_mbuf;  /* buffers that the pool could not give, each once */
	uint64_t too_long; /* dropped by the device: longer than a buffer */
	uint64_t lost;     /* received, then lost to an error of the queue */
	uint64_t error_cqes;
	uint64_t recoveries;
};

/** struct devx_eth_rxq - a receive queue */
struct devx_eth_rxq {
	/* every burst */
	uint32_t owner; /* enum devx_eth_owner */
	uint32_t ci;    /* buffers that came back, since the last reset of the RQ */
	struct rte_mbuf **elts;
	const struct devx_eth_types *types;
	uint64_t rearm; /* data_off, refcnt, nb_segs, port of an mbuf that goes out */
	struct rte_mempool *pool;
	uint32_t elts_mask;
	uint16_t refill;
	uint16_t starving; /* the last refill failed and was counted */
	bool one_range;    /* the whole pool has one key, which stands in every slot */

	const struct devx_eth_table *table; /* at start: the pool stays where it was then */
	struct devx_cq cq __rte_cache_aligned;
	struct devx_rq rq __rte_cache_aligned;
	struct devx_eth_rx_counters n __rte_cache_aligned;

	/* control path */
	struct devx_eth *eth;
	struct devx_eth_rx_counters base; /* at the last reset of statistics */
	uint64_t offloads;
	uint32_t buf_bytes;
	uint16_t id;
	uint16_t n_desc;        /* as asked for */
	uint8_t error_syndrome; /* enum prm_cqe_syndrome */
	uint8_t error_vendor;
};
static_assert(offsetof(struct devx_eth_rxq, cq) == RTE_CACHE_LINE_SIZE,
	      "what every burst reads stands in one cache line");

#endif
