/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <infiniband/verbs.h>

#include <rte_malloc.h>

#include "burst/devx_rx_ring.h"
#include "devx_log.h"
#include "process/devx_leftovers.h"
#include "queue/devx_desc.h"
#include "queue/devx_rxq_buffers.h"
#include "queue/devx_rxq_lifecycle.h"
#include "queue/devx_rxq_offloads.h"
#include "recovery/devx_rx_recovery.h"

void devx_eth_rxq_free(struct devx_eth_rxq *rxq)
{
	if (!rxq)
		return;
	rte_free(rxq->elts);
	rte_free(rxq);
}

int devx_eth_rxq_setup(struct rte_eth_dev *ethdev, uint16_t queue, uint16_t n_desc,
		       unsigned int socket, const struct rte_eth_rxconf *conf,
		       struct rte_mempool *pool)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_eth_rxq *rxq;
	uint16_t n = n_desc;

	if (!pool) {
		devx_eth_log(eth, ERR, "Rx queue %u: more than one pool is unsupported", queue);
		return -ENOTSUP;
	}
	if (devx_eth_desc_validate(eth, "Rx", queue, &n) ||
	    devx_eth_desc_validate_threshold(eth, "Rx", queue, "rx_free_thresh",
					     conf->rx_free_thresh, n))
		return -EINVAL;
	rxq = rte_zmalloc_socket("devx_rxq", sizeof(*rxq), RTE_CACHE_LINE_SIZE, (int)socket);
	if (!rxq)
		goto no_memory;
	rxq->elts = rte_zmalloc_socket("devx_rx_elts",
				       (n + DEVX_ETH_RX_AHEAD) * sizeof(*rxq->elts) +
					       n * sizeof(*rxq->used),
				       RTE_CACHE_LINE_SIZE, (int)socket);
	if (!rxq->elts)
		goto no_memory;
	rxq->used = (uint8_t *)(rxq->elts + n + DEVX_ETH_RX_AHEAD);

	rxq->eth = eth;
	rxq->socket = (int)socket;
	rxq->id = queue;
	rxq->user.port = ethdev->data->port_id;
	rxq->n_desc = n_desc;
	rxq->deferred = conf->rx_deferred_start;
	rxq->offloads = conf->offloads | ethdev->data->dev_conf.rxmode.offloads;
	rxq->types = &eth->types;
	rxq->elts_mask = n - 1;
	devx_eth_rxq_set_pool(rxq, pool);
	if (devx_eth_rxq_set_offloads(rxq) || devx_eth_rxq_check_mtu(rxq, ethdev->data->mtu)) {
		devx_eth_rxq_free(rxq);
		return -EINVAL;
	}
	ethdev->data->rx_queues[queue] = rxq;
	devx_eth_leftovers_add_queue(eth, &rxq->user, &rxq->owner);
	return 0;

no_memory:
	devx_eth_rxq_free(rxq);
	devx_eth_log(
		eth, ERR,
		"Rx queue %u: cannot allocate %u descriptors on socket %d; give EAL more memory "
		"(-m)",
		queue, n, (int)socket);
	return -ENOMEM;
}

struct devx_eth_rxq *devx_eth_rxq_withdraw(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_eth_rxq *rxq = ethdev->data->rx_queues[queue];

	ethdev->data->rx_queues[queue] = NULL;
	if (rxq) {
		devx_eth_leftovers_remove_queue(eth, &rxq->user);
		devx_eth_counts_add(&eth->stats.released.rx, &rxq->n, &rxq->base, sizeof(rxq->n));
	}
	return rxq;
}

void devx_eth_rxq_release(struct rte_eth_dev *ethdev, uint16_t queue)
{
	devx_eth_rxq_free(devx_eth_rxq_withdraw(ethdev, queue));
	devx_eth_ring_memory_free(&devx_eth_port_get(ethdev)->rings);
}

void devx_eth_rxq_info_get(struct rte_eth_dev *ethdev, uint16_t queue,
			   struct rte_eth_rxq_info *info)
{
	const struct devx_eth_rxq *rxq = ethdev->data->rx_queues[queue];

	info->mp = rxq->pool;
	info->nb_desc = (uint16_t)(rxq->elts_mask + 1);
	info->rx_buf_size = (uint16_t)rxq->buf_bytes;
	info->conf.offloads = rxq->offloads;
	info->scattered_rx = rxq->log2_segs > 0;
	info->conf.rx_drop_en = 1;
	info->conf.rx_deferred_start = rxq->deferred;
}

/* Creates the interrupt of a queue if the application configured Rx interrupts. */
static int start_wakeup(struct devx_eth_rxq *rxq)
{
	struct devx_eth *eth = rxq->eth;
	int rc = 0;

	if (eth->data->dev_conf.intr_conf.rxq)
		rc = devx_eth_rx_wakeup_create(&rxq->wakeup, &eth->dev);
	if (!rc)
		rc = devx_eth_rx_wakeup_attach(&rxq->wakeup, &rxq->cq);
	return rc ? devx_eth_log_failure(eth, rc, "Rx queue %u: cannot create its interrupt",
					 rxq->id)
		  : 0;
}

int devx_eth_rxq_activate(struct devx_eth_rxq *rxq)
{
	struct devx_eth *eth = rxq->eth;
	int rc;

	if (rxq->cq_failed || rxq->flush.overdue) { /* the timer replaces the CQ */
		__atomic_store_n(&rxq->owner, DEVX_ETH_BROKEN, __ATOMIC_RELEASE);
		return 0;
	}
	rc = devx_eth_rxq_ready(rxq);
	if (rc)
		return devx_eth_log_failure(eth, rc, "Rx queue %u: cannot change the RQ to RDY",
					    rxq->id);
	if (devx_eth_rxq_post_all(rxq)) {
		devx_eth_log(eth, ERR,
			     "Rx queue %u: pool %s has %u free buffers, but the queue needs %u; "
			     "make the pool larger or the queue smaller",
			     rxq->id, rxq->pool->name, rxq->rq.pi << rxq->log2_segs,
			     rxq->elts_mask + 1);
		devx_eth_rxq_reset(rxq); /* frees the posted buffers */
		return -ENOMEM;
	}
	return 0;
}

/* Calls @place with sizes of CQ and RQ that suffice for any number of buffers per WQE. */
static int place_rings(struct devx_eth_rxq *rxq, __typeof__(devx_eth_rings_place) *place)
{
	const size_t n = rxq->elts_mask + 1;

	return place(&rxq->eth->rings, &rxq->rings, n * sizeof(struct prm_cqe),
		     n * sizeof(struct prm_data_seg), rxq->socket);
}

int devx_eth_rxq_place_rings(struct devx_eth_rxq *rxq)
{
	return place_rings(rxq, devx_eth_rings_place);
}

int devx_eth_rxq_reserve_rings(struct devx_eth_rxq *rxq)
{
	return place_rings(rxq, devx_eth_rings_reserve);
}

/*
 * Spreads the interrupts of the queues over the event queues of the kernel and thus over CPUs.
 * Without interrupts all queues use vector 0, because newer kernels create the event queue of a
 * vector at its first query.
 */
static uint32_t choose_vector(const struct devx_eth_rxq *rxq)
{
	const struct devx_eth *eth = rxq->eth;

	return eth->data->dev_conf.intr_conf.rxq
		       ? rxq->id % (uint32_t)eth->dev.ctx->num_comp_vectors
		       : 0;
}

int devx_eth_rxq_create(struct devx_eth_rxq *rxq)
{
	const struct devx_umem_ring cq = devx_eth_rings_get_cq(&rxq->rings);
	const struct devx_umem_ring rq = devx_eth_rings_get_wq(&rxq->rings);
	struct devx_eth *eth = rxq->eth;
	uint8_t log2_n;
	int rc;

	if (devx_eth_rxq_check_mtu(rxq, eth->data->mtu))
		return -EINVAL;
	devx_eth_rxq_set_segs(rxq, eth->data->mtu);
	log2_n = (uint8_t)(rte_log2_u32(rxq->elts_mask + 1) - rxq->log2_segs);
	rxq->cq_attr = (struct devx_cq_attr){
		.log2_n = log2_n,
		.uar = &eth->uar,
		.vector = choose_vector(rxq),
	};
	rxq->rq_attr = (struct devx_rq_attr){
		.log2_n = log2_n,
		.log2_segs = rxq->log2_segs,
		.cq = &rxq->cq,
		.counter = eth->counter.obj ? &eth->counter : NULL,
		.keep_vlan = !(rxq->offloads & RTE_ETH_RX_OFFLOAD_VLAN_STRIP),
		.scatter_fcs = rxq->crc_bytes,
	};
	rxq->rq_keeps_vlan = rxq->rq_attr.keep_vlan;
	rxq->cq_failed = rxq->recovery_failed = false;
	rxq->flush = (struct devx_eth_flush){ 0 };
	rxq->lost_now = 0;
	rc = devx_eth_cq_create(&rxq->cq, eth, &rxq->cq_attr, &cq, DEVX_ETH_CQ_RX, rxq->id,
				&rxq->cq_cookie);
	if (rc)
		return devx_eth_log_failure(eth, rc, "Rx queue %u: cannot create the CQ", rxq->id);
	rc = start_wakeup(rxq);
	if (rc)
		return rc;
	rc = devx_rq_create_in_umem(&rxq->rq, &eth->dev, &rxq->rq_attr, &rq);
	if (rc)
		return devx_eth_log_failure(eth, rc, "Rx queue %u: cannot create the RQ", rxq->id);
	rxq->real_time = devx_eth_has_real_time(eth);
	return devx_eth_rxq_check_pool(rxq);
}

void devx_eth_rxq_stop(struct devx_eth_rxq *rxq)
{
	__atomic_store_n(&rxq->owner, DEVX_ETH_STOPPED, __ATOMIC_RELEASE);
	devx_eth_rxq_destroy_rq(rxq);
	devx_cq_destroy(&rxq->cq);
	if (rxq->eth->recovery.restart) /* a recovery restarts the queue with the same eventfd */
		devx_eth_rx_wakeup_detach(&rxq->wakeup);
	else
		devx_eth_rx_wakeup_destroy(&rxq->wakeup);
}
