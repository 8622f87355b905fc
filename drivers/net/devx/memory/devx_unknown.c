/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>

#include <rte_mempool.h>

#include "devx_log.h"
#include "devx_txq.h"
#include "memory/devx_mr_eal.h"
#include "memory/devx_unknown.h"

/* @pool: the pool to list, if it still exists; @found: it still exists */
struct search {
	struct rte_mempool *pool;
	struct devx_eth_pieces pieces;
	bool found;
};

/* Runs under the lock of the list of pools, so no thread frees the pool meanwhile. */
static void visit_pool(struct rte_mempool *pool, void *arg)
{
	struct search *search = arg;

	if (pool != search->pool || !devx_eth_mempool_is_pinned(pool))
		return;
	search->found = true;
	devx_eth_memory_list_buffers(pool, &search->pieces);
}

static void report_unknown(struct devx_eth *eth, const struct devx_eth_txq *txq)
{
	if (eth->memory.reported)
		return;
	eth->memory.reported = true;
	devx_eth_log(eth, ERR,
		     "Tx queue %u: dropped a packet at %#" PRIx64
		     " (pool %s): this memory is neither mapped nor part of a pool; call "
		     "rte_dev_dma_map(), or rte_pmd_devx_dmabuf_register() for memory of a GPU "
		     "(tx_unregistered_packets counts such packets)",
		     txq->id, txq->unknown.addr, txq->unknown.pool_name);
}

static bool is_known(const struct devx_eth *eth, const struct devx_eth_tx_unknown *unknown)
{
	return devx_eth_range_find(eth->memory.table, unknown->addr, unknown->bytes);
}

static void handle_queue(struct devx_eth *eth, struct devx_eth_txq *txq)
{
	struct devx_eth_tx_unknown *unknown = &txq->unknown;
	struct search search = { .pool = unknown->pool };

	rte_mempool_walk(visit_pool, &search);
	if (pthread_mutex_trylock(&eth->lock)) { /* the next period of the timer tries again */
		devx_eth_memory_drop_list(&search.pieces);
		return;
	}
	devx_eth_memory_register(eth, &search.pieces);
	if (!search.found || !is_known(eth, unknown))
		report_unknown(eth, txq);
	if (!is_known(eth, unknown))
		__atomic_store_n(&unknown->refused, unknown->pool, __ATOMIC_RELAXED);
	__atomic_store_n(&unknown->pool, NULL, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&eth->lock);
}

void devx_eth_unknown_handle(struct devx_eth *eth)
{
	struct rte_eth_dev_data *data = eth->data;

	for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
		struct devx_eth_txq *txq = data->tx_queues[i];

		if (txq && __atomic_load_n(&txq->unknown.pool, __ATOMIC_ACQUIRE))
			handle_queue(eth, txq);
	}
}
