/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <rte_malloc.h>
#include <rte_mbuf.h>

#include "burst/devx_rx_burst.h"
#include "burst/devx_rx_ring.h"
#include "control/devx_desc.h"
#include "control/devx_rxq_lifecycle.h"
#include "devx_log.h"

enum { REFILL_MAX = 64 };

int devx_eth_rxq_check_mtu(const struct devx_eth_rxq *rxq, uint16_t mtu)
{
	const uint32_t need = (uint32_t)mtu + DEVX_ETH_OVERHEAD;
	struct devx_eth *eth = rxq->eth;

	if (rxq->buf_bytes >= need)
		return 0;
	devx_eth_log(
		eth, ERR,
		"Rx queue %u: buffers of pool %s hold %u bytes, but a frame of MTU %u has up to "
		"%u bytes (one buffer per frame); make the pool with a data room of at least %u "
		"bytes or lower the MTU to %d",
		rxq->id, rxq->pool->name, rxq->buf_bytes, mtu, need, need + RTE_PKTMBUF_HEADROOM,
		RTE_MAX(0, (int)rxq->buf_bytes - DEVX_ETH_OVERHEAD));
	return -EINVAL;
}

static void free_rxq(struct devx_eth_rxq *rxq)
{
	if (!rxq)
		return;
	devx_eth_rings_free(&rxq->spare);
	devx_eth_rings_free(&rxq->rings);
	rte_free(rxq->elts);
	rte_free(rxq);
}

/* Returns data_off, refcnt, nb_segs and port of a received mbuf as one 64-bit word. */
static uint64_t make_rearm_word(uint16_t port)
{
	struct rte_mbuf m = { .data_off = RTE_PKTMBUF_HEADROOM, .nb_segs = 1, .port = port };
	uint64_t word;

	rte_mbuf_refcnt_set(&m, 1);
	memcpy(&word, (char *)&m + DEVX_ETH_RX_REARM_OFFSET, sizeof(word));
	return word;
}

int devx_eth_rxq_setup(struct rte_eth_dev *ethdev, uint16_t queue, uint16_t n_desc,
		       unsigned int socket, const struct rte_eth_rxconf *conf,
		       struct rte_mempool *pool)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_eth_rxq *rxq;
	uint16_t n = n_desc;
	uint8_t log2_n;

	if (conf->rx_deferred_start || !pool) {
		devx_eth_log(eth, ERR, "Rx queue %u: %s is unsupported", queue,
			     pool ? "deferred start" : "more than one pool");
		return -ENOTSUP;
	}
	if (devx_eth_desc_validate(eth, "Rx", queue, &n))
		return -EINVAL;
	rxq = rte_zmalloc_socket("devx_rxq", sizeof(*rxq), RTE_CACHE_LINE_SIZE, (int)socket);
	if (!rxq)
		goto no_memory;
	rxq->elts = rte_zmalloc_socket("devx_rx_elts", n * sizeof(*rxq->elts), RTE_CACHE_LINE_SIZE,
				       (int)socket);
	if (!rxq->elts)
		goto no_memory;
	log2_n = (uint8_t)rte_log2_u32(n);
	if (devx_eth_rings_alloc(&rxq->rings, devx_cq_bytes(log2_n), devx_rq_bytes(log2_n, 0),
				 (int)socket))
		goto no_memory;

	rxq->eth = eth;
	rxq->socket = (int)socket;
	rxq->id = queue;
	rxq->n_desc = n_desc;
	rxq->offloads = conf->offloads | ethdev->data->dev_conf.rxmode.offloads;
	rxq->pool = pool;
	rxq->buf_bytes = rte_pktmbuf_data_room_size(pool) - RTE_PKTMBUF_HEADROOM;
	rxq->types = &eth->types;
	rxq->ol_flags = rte_pktmbuf_priv_flags(pool) & RTE_PKTMBUF_POOL_F_PINNED_EXT_BUF
				? RTE_MBUF_F_EXTERNAL
				: 0;
	rxq->rearm = make_rearm_word(ethdev->data->port_id);
	rxq->elts_mask = n - 1;
	rxq->refill = RTE_MIN(n / 4, REFILL_MAX);
	if (devx_eth_rxq_check_mtu(rxq, ethdev->data->mtu)) {
		free_rxq(rxq);
		return -EINVAL;
	}
	ethdev->data->rx_queues[queue] = rxq;
	return 0;

no_memory:
	free_rxq(rxq);
	devx_eth_log(
		eth, ERR,
		"Rx queue %u: cannot allocate %u descriptors on socket %d; give EAL more memory "
		"(-m)",
		queue, n, (int)socket);
	return -ENOMEM;
}

void devx_eth_rxq_release(struct rte_eth_dev *ethdev, uint16_t queue)
{
	free_rxq(ethdev->data->rx_queues[queue]);
	ethdev->data->rx_queues[queue] = NULL;
}

void devx_eth_rxq_info_get(struct rte_eth_dev *ethdev, uint16_t queue,
			   struct rte_eth_rxq_info *info)
{
	const struct devx_eth_rxq *rxq = ethdev->data->rx_queues[queue];

	info->mp = rxq->pool;
	info->nb_desc = (uint16_t)(rxq->elts_mask + 1);
	info->rx_buf_size = (uint16_t)rxq->buf_bytes;
	info->conf.offloads = rxq->offloads;
	info->conf.rx_drop_en = 1;
}

/*
 * State of check_pool(). @covered: every buffer so far is inside a registered range. @one_range:
 * one range holds all buffers so far. @write: the device may write to all buffers so far. @range:
 * range of the last buffer, NULL before the first.
 */
struct pool_check {
	const struct devx_eth_rxq *rxq;
	const struct devx_eth_range *range;
	bool covered, one_range, write;
};

static void check_buffer(struct rte_mempool *pool, void *arg, void *obj, unsigned int idx)
{
	struct pool_check *check = arg;
	const struct rte_mbuf *m = obj;
	const uint64_t addr = (uintptr_t)m->buf_addr + RTE_PKTMBUF_HEADROOM;
	const struct devx_eth_range *r = check->range;

	RTE_SET_USED(pool);
	RTE_SET_USED(idx);
	if (r && devx_eth_range_holds(r, addr, check->rxq->buf_bytes))
		return;
	check->one_range = !r;
	check->range = devx_eth_range_find(check->rxq->table, addr, check->rxq->buf_bytes);
	check->covered = check->covered && check->range;
	check->write = check->write && (!check->range || check->range->write);
}

/* Checks that every buffer of the pool has a key, and sets size and key of every slot. */
static int check_pool(struct devx_eth_rxq *rxq)
{
	struct pool_check check = { .rxq = rxq, .covered = true, .one_range = true, .write = true };
	struct prm_data_seg *seg = rxq->rq.wqes;

	rxq->table = devx_eth_memory_get_table(&rxq->eth->memory);
	rte_mempool_obj_iter(rxq->pool, check_buffer, &check);
	if (!check.covered) {
		devx_eth_log(rxq->eth, ERR,
			     "Rx queue %u: pool %s has buffers in unregistered memory; use a pool "
			     "whose buffers follow their mbufs, or register the dma-buf "
			     "(rte_pmd_devx.h)",
			     rxq->id, rxq->pool->name);
		return -ENOTSUP;
	}
	if (!check.write) {
		devx_eth_log(rxq->eth, ERR,
			     "Rx queue %u: pool %s has buffers in a dma-buf that the device may "
			     "only read; register it with RTE_PMD_DEVX_DMABUF_WRITE",
			     rxq->id, rxq->pool->name);
		return -EINVAL;
	}
	rxq->one_range = check.one_range;
	for (uint32_t i = 0; check.range && i <= rxq->elts_mask; i++) {
		seg[i].byte_count = prm_be32_of(rxq->buf_bytes);
		seg[i].lkey = check.range->lkey;
	}
	return 0;
}

/* Creates the interrupt of the queue, if the application configured Rx interrupts. */
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

int devx_eth_rxq_start(struct devx_eth_rxq *rxq)
{
	struct devx_eth *eth = rxq->eth;
	const uint8_t log2_n = (uint8_t)rte_log2_u32(rxq->elts_mask + 1);
	int rc;

	rxq->cq_attr =
		(struct devx_cq_attr){ .log2_n = log2_n, .uar = &eth->uar, .mem = rxq->rings.cq };
	rxq->rq_attr = (struct devx_rq_attr){
		.log2_n = log2_n,
		.cq = &rxq->cq,
		.counter = eth->counter.obj ? &eth->counter : NULL,
		.keep_vlan = true,
		.mem = rxq->rings.wq,
	};
	rxq->cq_failed = rxq->recovery_failed = false;
	rxq->lost_now = 0;
	if (devx_eth_rxq_check_mtu(rxq, eth->data->mtu))
		return -EINVAL;
	rc = devx_eth_cq_create(&rxq->cq, eth, &rxq->cq_attr, DEVX_ETH_CQ_RX, rxq->id,
				&rxq->cq_cookie);
	if (rc)
		return devx_eth_log_failure(eth, rc, "Rx queue %u: cannot create the CQ", rxq->id);
	rc = start_wakeup(rxq);
	if (rc)
		return rc;
	rc = devx_rq_create(&rxq->rq, &eth->dev, &rxq->rq_attr);
	if (rc)
		return devx_eth_log_failure(eth, rc, "Rx queue %u: cannot create the RQ", rxq->id);
	rc = check_pool(rxq);
	if (rc)
		return rc;
	rc = devx_rq_ready(&rxq->rq);
	if (rc)
		return devx_eth_log_failure(eth, rc, "Rx queue %u: cannot change the RQ to RDY",
					    rxq->id);
	if (devx_eth_rxq_post_all(rxq)) {
		devx_eth_log(eth, ERR,
			     "Rx queue %u: pool %s has %u free buffers, but the queue needs %u; "
			     "make the pool larger or the queue smaller",
			     rxq->id, rxq->pool->name, rxq->rq.pi, rxq->elts_mask + 1);
		return -ENOMEM;
	}
	__atomic_store_n(&rxq->owner, DEVX_ETH_RUNNING, __ATOMIC_RELEASE);
	return 0;
}

void devx_eth_rxq_stop(struct devx_eth_rxq *rxq)
{
	const struct devx_dev *dev = &rxq->eth->dev;
	const uint32_t pi = rxq->rq.pi;
	const unsigned int n_stuck = dev->n_stuck;

	__atomic_store_n(&rxq->owner, DEVX_ETH_STOPPED, __ATOMIC_RELEASE);
	devx_rq_destroy(&rxq->rq); /* without an RQ the device writes to no buffer */
	devx_cq_destroy(&rxq->cq);
	devx_eth_rings_check(&rxq->rings, dev, n_stuck);
	devx_eth_rx_wakeup_destroy(&rxq->wakeup);
	devx_eth_rxq_free_all(rxq, pi);
}
