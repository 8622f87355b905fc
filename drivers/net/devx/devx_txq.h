/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TXQ_H
#define DEVX_ETH_TXQ_H

#include <stdint.h>

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

/** struct devx_eth_tx_counters - written by the thread that bursts (and the watch in its place) */
struct devx_eth_tx_counters {
	uint64_t packets, bytes;       /* handed to the device, minus those an error took back */
	uint64_t unregistered;         /* dropped: no key for the memory */
	uint64_t bad_length;   /* dropped: shorter than a header, or longer than the port takes */
	uint64_t bad_segments; /* dropped: more segments than a WQE holds, or not announced */
	uint64_t lost;                 /* in or behind a WQE that failed */
	uint64_t error_cqes;
	uint64_t recoveries;
};

/** struct devx_eth_txq - a send queue */
struct devx_eth_txq {
	/* every burst */
	uint32_t owner;                /* enum devx_eth_owner */
	uint16_t head, tail;           /* of elts, free-running */
	uint16_t comp;                 /* head at the last WQE that asked for a CQE */
	uint16_t comp_every;
	uint16_t elts_mask;
	uint16_t max_ds;               /* of a WQE */
	uint16_t max_segs;             /* of a packet */
	uint16_t fast_free;
	uint32_t max_bytes;            /* of a packet */
	struct rte_mbuf **elts;
	struct devx_eth_tx_mark *marks;
	struct devx_eth_range range;   /* of the last packet */

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
	uint16_t n_desc;               /* as asked for */
	uint16_t error_wqe;            /* of the error CQE: first block, */
	uint8_t error_syndrome;        /* enum prm_cqe_syndrome */
	uint8_t error_vendor;
};
static_assert(offsetof(struct devx_eth_txq, table) == RTE_CACHE_LINE_SIZE,
	      "what every burst reads stands in one cache line");

/* Flags of the template, constants of each variant. */
enum {
	DEVX_TX_EMPW = 1 << 0, /* the device takes many packets in a WQE */
	DEVX_TX_FULL = 1 << 1, /* the application asked for checksums or several segments */
};

uint16_t devx_eth_tx_burst_multi(void *queue, struct rte_mbuf **pkts, uint16_t n);
uint16_t devx_eth_tx_burst_full(void *queue, struct rte_mbuf **pkts, uint16_t n);
uint16_t devx_eth_tx_burst_single(void *queue, struct rte_mbuf **pkts, uint16_t n);

/** devx_eth_tx_select - burst function for what the application asked and the device can */
eth_tx_burst_t devx_eth_tx_select(const struct devx_eth *eth, uint64_t offloads);
int devx_eth_tx_mode(struct rte_eth_dev *ethdev, uint16_t queue, struct rte_eth_burst_mode *mode);

/* Once in many bursts; burst/devx_tx_complete.c. */

/** devx_eth_tx_complete - take @cqe, the oldest, and those after it; free what they cover */
void devx_eth_tx_complete(struct devx_eth_txq *txq, const struct prm_cqe *cqe);
/** devx_eth_tx_free - free the mbufs of elts [tail, end) */
void devx_eth_tx_free(struct devx_eth_txq *txq, uint16_t end);

/* Rare cases of a burst; recovery/devx_tx_recovery.c. */

/** devx_eth_tx_refuse - drop a packet that cannot be sent, and count why */
void devx_eth_tx_refuse(struct devx_eth_txq *txq, struct rte_mbuf *m);
/** devx_eth_tx_error - an error CQE: the queue becomes the watch's */
void devx_eth_tx_error(struct devx_eth_txq *txq, const struct prm_cqe *cqe);
/** devx_eth_tx_recover - repair a broken queue; by the watch, with the lock. 0 or -errno */
int devx_eth_tx_recover(struct devx_eth_txq *txq);

/* Control path; control/devx_txq_lifecycle.c. */

/** devx_eth_tx_max_segs - most segments of a packet in a ring of @n_desc */
uint16_t devx_eth_tx_max_segs(const struct devx_eth *eth, uint16_t n_desc);

int devx_eth_txq_setup(struct rte_eth_dev *ethdev, uint16_t queue, uint16_t n_desc,
		       unsigned int socket, const struct rte_eth_txconf *conf);
void devx_eth_txq_release(struct rte_eth_dev *ethdev, uint16_t queue);
void devx_eth_txq_info(struct rte_eth_dev *ethdev, uint16_t queue, struct rte_eth_txq_info *info);
/** devx_eth_txq_start - create UAR, CQ and SQ; with the lock. 0 or -errno, logged */
int devx_eth_txq_start(struct devx_eth_txq *txq);
/** devx_eth_txq_stop - undo it, however far it got, and free what was not sent */
void devx_eth_txq_stop(struct devx_eth_txq *txq);

#endif
