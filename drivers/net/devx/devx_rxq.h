/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RXQ_H
#define DEVX_ETH_RXQ_H

#include <stdint.h>

#include "devx/cq.h"
#include "devx/rq.h"
#include "devx_counts.h"
#include "devx_flush.h"
#include "devx_last_error.h"
#include "devx_mr_table.h"
#include "devx_port.h"
#include "devx_ring_memory.h"
#include "devx_rx_wakeup.h"
#include "devx_types.h"

/**
 * DOC: Receive queue of a port
 *
 *     RQ and elts  |   | m | m | m | m |   |    slot i & mask: a buffer and its mbuf
 *                      ci              pi
 *     CQ               ^ one CQE per slot, in the same order
 *
 * ci and pi are free-running. The slots from pi to ci of the next lap are empty. A burst fills
 * at most `refill` slots at a time, and never across the end of the ring.
 *
 * If a packet may need several buffers, a WQE has 1 << log2_segs slots, and ci and pi count WQEs:
 *
 *     | m m m m | m m m m | . . m m | . m m m |      used[]: number of empty slots of a WQE,
 *       ci                  pi                       which are its first ones
 *
 * Slots that a short packet does not need keep their buffers. The first buffer of a WQE begins
 * behind the headroom of its mbuf; the others have no headroom.
 */

/* A burst prefetches mbufs this many slots ahead; elts ends with as many NULL elements. */
enum { DEVX_ETH_RX_AHEAD = 8 };

/** struct devx_eth_rxq - a receive queue */
struct devx_eth_rxq {
	/* read in every burst */
	uint32_t owner; /* enum devx_eth_owner */
	uint32_t ci;    /* buffers that the device returned since the last reset of the RQ */
	struct rte_mbuf **elts;
	const struct devx_eth_types *types;
	uint64_t rearm; /* data_off, refcnt, nb_segs and port of each received mbuf */
	struct rte_mempool *pool;
	uint32_t elts_mask;
	uint16_t refill;     /* WQEs */
	uint8_t log2_segs;   /* log2 of the slots of a WQE */
	bool starving;       /* the pool is short of buffers, and no_mbuf has counted it */
	bool one_range;      /* one key covers the whole pool; every slot holds this key */
	uint8_t crc_bytes;   /* bytes of the frame check sequence in buffers: 0 or 4 */
	uint32_t csum_flags; /* flags of valid checksums, if the application requested them; or 0 */
	uint64_t ol_flags;   /* RTE_MBUF_F_EXTERNAL for a pool of external buffers, else 0 */

	struct devx_cq cq __rte_cache_aligned;
	const struct devx_eth_table *table; /* read at start; the memory of a pool never moves */
	uint64_t ts_flag;    /* ol_flags of an mbuf with a timestamp; 0: not requested */
	int ts_offset;       /* offset of the timestamp in an mbuf */
	bool real_time;      /* CQEs have seconds and nanoseconds, not cycles; set at start */
	bool unreadable;     /* external buffers that the CPU may not access; set at start */
	uint32_t buf_bytes;  /* room in the first buffer of a WQE */
	uint32_t buf_delta;  /* distance from mbuf to packet; 0: not constant, or several keys */
	uint32_t more_bytes; /* room in each further buffer */
	uint64_t more_rearm; /* as rearm, of the further mbufs of a packet */
	uint8_t *used;       /* empty slots of each WQE, if a WQE has several */
	struct devx_rq rq __rte_cache_aligned;
	struct devx_eth_rx_counters n __rte_cache_aligned;

	struct devx_eth_user user; /* bursts of a secondary process read it */

	/* control path */
	struct devx_eth *eth;
	struct devx_eth_rxq *next_parked;
	struct devx_eth_rx_wakeup wakeup;
	struct devx_eth_rx_counters base; /* at the last reset of statistics */
	uint64_t offloads;
	uint16_t id;
	uint16_t n_desc; /* descriptors that the application requested */
	bool deferred;   /* a port start leaves the queue stopped */
	struct devx_eth_flush flush;
	uint8_t error_syndrome; /* enum prm_cqe_syndrome */
	uint8_t error_vendor;
	uint8_t cq_syndrome;         /* enum prm_cq_error_syndrome; 0: unknown */
	bool cq_failed;              /* the recovery timer replaces CQ and RQ */
	bool recovery_failed;        /* a failure to restart the queue was logged */
	uint64_t cq_cookie;          /* cookie of the CQ's events; 0: the device withholds them */
	uint32_t polled_ci;          /* cq.ci when the timer last looked at the CQ */
	uint64_t lost_now;           /* packets lost since the last successful restart */
	int socket;                  /* NUMA node of the memory of the queue */
	struct devx_eth_rings rings; /* places of the CQ and the RQ, while the port is started */
	struct devx_eth_rings spare; /* for the next CQ and RQ, if a recovery replaces them */
	struct devx_cq_attr cq_attr; /* attributes that the queue was created with */
	struct devx_rq_attr rq_attr;
	struct devx_eth_last_error last_error;
	bool rq_keeps_vlan; /* current setting of the RQ; rq_attr.keep_vlan is the wanted one */
};
static_assert(offsetof(struct devx_eth_rxq, cq) == RTE_CACHE_LINE_SIZE,
	      "the fields of every burst are in one cache line");

#endif
