/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_malloc.h>
#include <rte_mbuf.h>

#include "burst/devx_tx_check.h"
#include "burst/devx_tx_complete.h"
#include "devx_log.h"
#include "devx_queue_uar.h"
#include "devx_uar_pages.h"
#include "process/devx_leftovers.h"
#include "queue/devx_copy_limit.h"
#include "queue/devx_desc.h"
#include "queue/devx_tx_rate.h"
#include "queue/devx_txq_lifecycle.h"
#include "queue/devx_txq_offloads.h"
#include "recovery/devx_tx_recovery.h"

enum { COMP_EVERY_MAX = 64 };

static uint16_t get_comp_every(uint16_t n_desc)
{
	return RTE_MIN(n_desc / 4, COMP_EVERY_MAX);
}

uint16_t devx_eth_tx_get_max_segs(const struct devx_eth *eth, uint16_t n_desc)
{
	/* the largest packet must fit beside the comp_every segments that may have no CQE yet */
	return RTE_MIN(devx_eth_tx_get_max_ds(eth) - 2, n_desc - get_comp_every(n_desc));
}

uint16_t devx_eth_tx_get_max_tso_segs(const struct devx_eth *eth, uint16_t n_desc)
{
	const uint16_t n_inline = devx_eth_tx_count_inline_ds(DEVX_ETH_TX_HEADER_MAX);

	return RTE_MIN(devx_eth_tx_get_max_ds(eth) - 2 - n_inline,
		       devx_eth_tx_get_max_segs(eth, n_desc));
}

/*
 * Returns log2 of the CQ size: one CQE per comp_every elts; one per comp_every blocks as well if
 * WQEs contain data; one for a NOP, one for an error, and a spare.
 */
static uint8_t compute_cq_log2(const struct devx_eth_txq *txq)
{
	const unsigned int rings = txq->tso_tunnels || txq->inline_max ? 2 : 1;

	return (uint8_t)rte_log2_u32(
		rte_align32pow2(rings * (txq->elts_mask + 1u) / txq->comp_every + 3));
}

/*
 * Returns the number of blocks of the ring. A copied packet of up to 92 bytes takes at most two
 * blocks, so n_desc of them fit unless the device limits the ring.
 */
static uint16_t count_blocks(const struct devx_eth *eth, uint16_t n_desc, uint16_t inline_max)
{
	const uint32_t n = inline_max ? 2u * n_desc : n_desc;

	return (uint16_t)RTE_MIN(n, (uint32_t)devx_eth_desc_get_max(eth));
}

void devx_eth_txq_free(struct devx_eth_txq *txq)
{
	if (!txq)
		return;
	rte_free(txq->elts);
	rte_free(txq->marks);
	rte_free(txq);
}

int devx_eth_txq_setup(struct rte_eth_dev *ethdev, uint16_t queue, uint16_t n_desc,
		       unsigned int socket, const struct rte_eth_txconf *conf)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	const uint16_t inline_max = devx_eth_copy_limit_get(eth);
	struct devx_eth_txq *txq;
	uint16_t n = n_desc, n_blocks;

	if (devx_eth_desc_validate(eth, "Tx", queue, &n) ||
	    devx_eth_desc_validate_threshold(eth, "Tx", queue, "tx_free_thresh",
					     conf->tx_free_thresh, n) ||
	    devx_eth_desc_validate_threshold(eth, "Tx", queue, "tx_rs_thresh", conf->tx_rs_thresh,
					     n))
		return -EINVAL;
	n_blocks = count_blocks(eth, n, inline_max);
	txq = rte_zmalloc_socket("devx_txq", sizeof(*txq), RTE_CACHE_LINE_SIZE, (int)socket);
	if (!txq)
		goto no_memory;
	txq->elts = rte_zmalloc_socket("devx_tx_elts", n_blocks * sizeof(*txq->elts),
				       RTE_CACHE_LINE_SIZE, (int)socket);
	txq->marks = rte_zmalloc_socket("devx_tx_marks", n_blocks * sizeof(*txq->marks),
					RTE_CACHE_LINE_SIZE, (int)socket);
	if (!txq->elts || !txq->marks)
		goto no_memory;
	txq->eth = eth;
	txq->offloads = conf->offloads | ethdev->data->dev_conf.txmode.offloads;
	txq->elts_mask = n_blocks - 1;
	txq->n_elts = txq->n_desc = n;
	txq->inline_max = inline_max;
	txq->comp_every = get_comp_every(n);
	devx_eth_txq_set_offloads(txq);

	txq->id = queue;
	txq->user.port = ethdev->data->port_id;
	txq->socket = (int)socket;
	txq->deferred = conf->tx_deferred_start;
	txq->max_ds = devx_eth_tx_get_max_ds(eth);
	txq->max_segs = txq->offloads & RTE_ETH_TX_OFFLOAD_MULTI_SEGS
				? devx_eth_tx_get_max_segs(eth, n)
				: 1;
	/* the segments of a chain cannot be freed in bulk: the driver must unlink them first */
	txq->fast_free = txq->offloads & RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE && txq->max_segs == 1;
	ethdev->data->tx_queues[queue] = txq;
	devx_eth_leftovers_add_queue(eth, &txq->user, &txq->owner);
	return 0;

no_memory:
	devx_eth_txq_free(txq);
	devx_eth_log(
		eth, ERR,
		"Tx queue %u: cannot allocate %u descriptors on socket %d; give EAL more memory "
		"(-m)",
		queue, n, (int)socket);
	return -ENOMEM;
}

struct devx_eth_txq *devx_eth_txq_withdraw(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_eth_txq *txq = ethdev->data->tx_queues[queue];

	ethdev->data->tx_queues[queue] = NULL;
	if (txq) {
		devx_eth_leftovers_remove_queue(eth, &txq->user);
		devx_eth_counts_add(&eth->stats.released.tx, &txq->n, &txq->base, sizeof(txq->n));
	}
	return txq;
}

void devx_eth_txq_release(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct devx_eth_txq *txq = devx_eth_txq_withdraw(ethdev, queue);

	devx_eth_tx_rate_release(txq);
	devx_eth_txq_free(txq);
	devx_eth_ring_memory_free(&devx_eth_port_get(ethdev)->rings);
}

void devx_eth_txq_info_get(struct rte_eth_dev *ethdev, uint16_t queue,
			   struct rte_eth_txq_info *info)
{
	const struct devx_eth_txq *txq = ethdev->data->tx_queues[queue];

	info->nb_desc = txq->n_desc;
	info->conf.offloads = txq->offloads;
	info->conf.tx_deferred_start = txq->deferred;
}

int devx_eth_txq_activate(struct devx_eth_txq *txq)
{
	int rc;

	if (txq->cq_failed || txq->flush.overdue) { /* the timer replaces the CQ */
		__atomic_store_n(&txq->owner, DEVX_ETH_BROKEN, __ATOMIC_RELEASE);
		return 0;
	}
	rc = devx_sq_ready(&txq->sq);
	if (rc)
		return devx_eth_log_failure(txq->eth, rc,
					    "Tx queue %u: cannot change the SQ to RDY", txq->id);
	rc = devx_eth_tx_rate_apply(txq);
	if (rc) {
		devx_sq_reset(&txq->sq); /* the next start begins in RST */
		return rc;
	}
	devx_eth_txq_empty_ring(txq);
	txq->table = NULL;
	txq->unknown = (struct devx_eth_tx_unknown){ 0 };
	return 0;
}

static int place_rings(struct devx_eth_txq *txq, __typeof__(devx_eth_rings_place) *place)
{
	return place(&txq->eth->rings, &txq->rings, sizeof(struct prm_cqe) << compute_cq_log2(txq),
		     (txq->elts_mask + 1) * sizeof(struct devx_wqebb), txq->socket);
}

int devx_eth_txq_place_rings(struct devx_eth_txq *txq)
{
	return place_rings(txq, devx_eth_rings_place);
}

int devx_eth_txq_reserve_rings(struct devx_eth_txq *txq)
{
	return place_rings(txq, devx_eth_rings_reserve);
}

int devx_eth_txq_create(struct devx_eth_txq *txq)
{
	struct devx_eth *eth = txq->eth;
	const struct devx_caps *caps = &eth->dev.caps;
	const struct devx_umem_ring cq = devx_eth_rings_get_cq(&txq->rings);
	const struct devx_umem_ring sq = devx_eth_rings_get_wq(&txq->rings);
	static const char without_cap[] =
		" (the process needs CAP_NET_RAW when it opens the device)";
	int rc;

	txq->cq_attr = (struct devx_cq_attr){ .log2_n = compute_cq_log2(txq), .uar = &txq->uar };
	txq->sq_attr = (struct devx_sq_attr){
		.log2_n = (uint8_t)rte_log2_u32(txq->elts_mask + 1u),
		.cq = &txq->cq,
		.tis = devx_eth_tis_get(eth, txq->id),
		.uar = &txq->uar,
		.allow_multi_pkt = caps->enhanced_multi_pkt_send_wqe,
		.pp = txq->pp.pp ? &txq->pp : NULL,
	};
	txq->rate_changed = false;
	txq->cq_failed = txq->recovery_failed = false;
	txq->flush = (struct devx_eth_flush){ 0 };
	rc = devx_eth_queue_uar_create(eth, &txq->uar);
	if (rc)
		return devx_eth_log_failure(eth, rc, "Tx queue %u: cannot create the UAR", txq->id);
	/* Ignores a failure: only secondary processes may find the old address in use. */
	if (eth->sharing.multi_process)
		devx_eth_uar_pages_move(&eth->sharing.uar_pages, &txq->uar, &eth->dev,
					&txq->uar_share);
	rc = devx_eth_cq_create(&txq->cq, eth, &txq->cq_attr, &cq, DEVX_ETH_CQ_TX, txq->id,
				&txq->cq_cookie);
	if (rc)
		return devx_eth_log_failure(eth, rc, "Tx queue %u: cannot create the CQ", txq->id);
	rc = devx_sq_create_in_umem(&txq->sq, &eth->dev, &txq->sq_attr, &sq);
	if (rc)
		return devx_eth_log_failure(eth, rc, "Tx queue %u: cannot create the SQ%s", txq->id,
					    rc == -EREMOTEIO ? without_cap : "");
	txq->max_bytes = (uint32_t)eth->data->mtu + DEVX_ETH_OVERHEAD;
	txq->memory = &eth->memory;
	return 0;
}

void devx_eth_txq_stop(struct devx_eth_txq *txq)
{
	devx_eth_txq_count_lost(txq);
	__atomic_store_n(&txq->owner, DEVX_ETH_STOPPED, __ATOMIC_RELEASE);
	devx_eth_txq_destroy_sq(txq);
	devx_cq_destroy(&txq->cq);
	devx_uar_destroy(&txq->uar);
}
