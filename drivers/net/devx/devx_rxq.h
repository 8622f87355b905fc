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

/** struct devx_eth_rx_counters - written by the thread that bursts (and the watch in its place) */
struct devx_eth_rx_counters {
	uint64_t packets, bytes;
	uint64_t no_mbuf;              /* buffers that the pool could not give, each once */
	uint64_t too_long;             /* dropped by the device: longer than a buffer */
	uint64_t lost;                 /* received, then lost to an error of the queue */
	uint64_t error_cqes;
	uint64_t recoveries;
};

/** struct devx_eth_rxq - a receive queue */
struct devx_eth_rxq {
	/* every burst */
	uint32_t owner;                /* enum devx_eth_owner */
	uint32_t ci;                   /* buffers that came back, since the last reset of the RQ */
	struct rte_mbuf **elts;
	const struct devx_eth_types *types;
	uint64_t rearm; /* data_off, refcnt, nb_segs, port of an mbuf that goes out */
	struct rte_mempool *pool;
	uint32_t elts_mask;
	uint16_t refill;
	uint16_t starving;             /* the last refill failed and was counted */
	bool one_range;                /* the whole pool has one key, which stands in every slot */

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
	uint16_t n_desc;               /* as asked for */
	uint8_t error_syndrome;        /* enum prm_cqe_syndrome */
	uint8_t error_vendor;
};
static_assert(offsetof(struct devx_eth_rxq, cq) == RTE_CACHE_LINE_SIZE,
	      "what every burst reads stands in one cache line");

uint16_t devx_eth_rx_burst_scalar(void *queue, struct rte_mbuf **pkts, uint16_t n);
int devx_eth_rx_mode(struct rte_eth_dev *ethdev, uint16_t queue, struct rte_eth_burst_mode *mode);

/* Rare cases of a burst; recovery/devx_rx_recovery.c. */

/**
 * devx_eth_rx_skip - an error CQE: if it concerns its packet alone, drop it
 *
 * Return: whether it does; then @m is freed. Otherwise the queue needs a reset.
 */
bool devx_eth_rx_skip(struct devx_eth_rxq *rxq, struct rte_mbuf *m, const struct prm_cqe *cqe);
/** devx_eth_rx_error - an error CQE of the queue: it becomes the watch's */
void devx_eth_rx_error(struct devx_eth_rxq *rxq, const struct prm_cqe *cqe);
/** devx_eth_rx_starved - the pool has less than @n buffers: take what it has; returns how many */
uint32_t devx_eth_rx_starved(struct devx_eth_rxq *rxq, struct rte_mbuf **m, uint32_t n);
/** devx_eth_rx_recover - repair a broken queue; by the watch, with the lock. 0 or -errno */
int devx_eth_rx_recover(struct devx_eth_rxq *rxq);

/* Control path; control/devx_rxq_lifecycle.c. */

int devx_eth_rxq_setup(struct rte_eth_dev *ethdev, uint16_t queue, uint16_t n_desc,
		       unsigned int socket, const struct rte_eth_rxconf *conf,
		       struct rte_mempool *pool);
void devx_eth_rxq_release(struct rte_eth_dev *ethdev, uint16_t queue);
void devx_eth_rxq_info(struct rte_eth_dev *ethdev, uint16_t queue, struct rte_eth_rxq_info *info);
/** devx_eth_rxq_check_mtu - whether frames of @mtu fit the buffers; 0 or -EINVAL, logged */
int devx_eth_rxq_check_mtu(const struct devx_eth_rxq *rxq, uint16_t mtu);
/** devx_eth_rxq_start - create CQ and RQ and post buffers; with the lock. 0 or -errno, logged */
int devx_eth_rxq_start(struct devx_eth_rxq *rxq);
/** devx_eth_rxq_stop - undo it, however far it got */
void devx_eth_rxq_stop(struct devx_eth_rxq *rxq);
/** devx_eth_rxq_post_all - fill an RQ that was just made ready; 0 or -ENOMEM */
int devx_eth_rxq_post_all(struct devx_eth_rxq *rxq);
/** devx_eth_rxq_free_all - free every mbuf posted before @pi; the RQ is in RST or gone */
void devx_eth_rxq_free_all(struct devx_eth_rxq *rxq, uint32_t pi);

#endif
