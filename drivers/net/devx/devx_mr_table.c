/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include <rte_mbuf.h>

#include "devx_log.h"
#include "devx_mr_table.h"
#include "devx_rxq.h"
#include "devx_time.h"
#include "devx_txq.h"

unsigned int devx_eth_table_find(const struct devx_eth_table *t, uint64_t addr)
{
	unsigned int low = 0, high = t ? t->n : 0;

	while (low < high) {
		const unsigned int mid = low + (high - low) / 2;

		if (t->range[mid].addr + t->range[mid].bytes <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct devx_eth_range *devx_eth_range_find(const struct devx_eth_table *table, uint64_t addr,
						 uint32_t bytes)
{
	const unsigned int i = devx_eth_table_find(table, addr);

	return table && i < table->n && devx_eth_range_holds(&table->range[i], addr, bytes)
		       ? &table->range[i]
		       : NULL;
}

bool devx_eth_mempool_is_pinned(struct rte_mempool *pool)
{
	return pool->private_data_size >= sizeof(struct rte_pktmbuf_pool_private) &&
	       pool->elt_size >= sizeof(struct rte_mbuf) &&
	       rte_pktmbuf_priv_flags(pool) & RTE_PKTMBUF_POOL_F_PINNED_EXT_BUF;
}

uint64_t devx_eth_mempool_get_buffer(struct rte_mempool *pool, struct rte_mbuf *m)
{
	return (uintptr_t)(devx_eth_mempool_is_pinned(pool) ? m->buf_addr
							    : rte_mbuf_buf_addr(m, pool));
}

static size_t count_bytes(unsigned int n)
{
	return RTE_ALIGN_CEIL(sizeof(struct devx_eth_table) + n * sizeof(struct devx_eth_range),
			      sizeof(uint64_t));
}

/* Returns the first @bytes bytes of the room that no table of the port overlaps, or NULL. */
static void *find_room(const struct devx_eth *eth, size_t bytes)
{
	const struct devx_eth_table_room *room = &eth->sharing.tables;
	char *at = room->addr;
	bool moved = at;

	while (moved) {
		moved = false;
		for (struct devx_eth_table *t = eth->memory.table; t; t = t->older) {
			char *const end = (char *)t + count_bytes(t->n);

			if (at >= end || (char *)t >= at + bytes)
				continue;
			at = end;
			moved = true;
		}
	}
	return at && bytes <= room->bytes && at <= room->addr + room->bytes - bytes ? at : NULL;
}

static bool is_private(const struct devx_eth *eth, const struct devx_eth_table *t)
{
	return (uintptr_t)t - (uintptr_t)eth->sharing.tables.addr >= eth->sharing.tables.bytes;
}

struct devx_eth_table *devx_eth_table_create(struct devx_eth *eth,
					     const struct devx_eth_range *range, unsigned int n)
{
	struct devx_eth_table *t = find_room(eth, count_bytes(n));

	if (!t && eth->sharing.tables.needed) {
		devx_eth_log(eth, ERR,
			     "the tables of memory for secondary processes are full; packets in "
			     "new memory are dropped until the port restarts");
		return NULL;
	}
	if (!t)
		t = malloc(count_bytes(n));
	if (!t) {
		devx_eth_log(eth, ERR, "cannot allocate a table of %u memory ranges", n);
		return NULL;
	}
	*t = (struct devx_eth_table){ .n = n };
	if (n)
		memcpy(t->range, range, n * sizeof(*range));
	return t;
}

static bool is_of_queue(const struct devx_eth *eth, const struct devx_eth_table *t)
{
	const struct rte_eth_dev_data *data = eth->data;

	for (uint16_t i = 0; i < data->nb_rx_queues; i++) {
		const struct devx_eth_rxq *rxq = data->rx_queues[i];

		if (rxq && rxq->table == t)
			return true;
	}
	for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
		const struct devx_eth_txq *txq = data->tx_queues[i];

		if (txq && txq->table == t)
			return true;
	}
	return false;
}

/* Frees the predecessors of @t that no burst can still use. */
static void free_old_tables(struct devx_eth *eth, struct devx_eth_table *t)
{
	const uint64_t now_ms = devx_eth_get_now_ms();
	struct devx_eth_table **at = &t->older;

	eth->sharing.tables.outside = is_private(eth, t);
	while ((t = *at)) {
		if ((eth->started && now_ms - t->replaced_ms < DEVX_ETH_BURST_MS) ||
		    is_of_queue(eth, t)) {
			at = &t->older;
			continue;
		}
		*at = t->older;
		if (is_private(eth, t))
			free(t);
	}
}

void devx_eth_table_publish(struct devx_eth *eth, struct devx_eth_table *t)
{
	t->older = eth->memory.table;
	if (t->older)
		t->older->replaced_ms = devx_eth_get_now_ms();
	__atomic_store_n(&eth->memory.table, t, __ATOMIC_RELEASE);
	free_old_tables(eth, t);
}

void devx_eth_table_free_all(struct devx_eth *eth)
{
	struct devx_eth_table *t = eth->memory.table;

	__atomic_store_n(&eth->memory.table, NULL, __ATOMIC_RELEASE);
	while (t) {
		struct devx_eth_table *older = t->older;

		if (is_private(eth, t))
			free(t);
		t = older;
	}
	eth->sharing.tables.outside = false;
}
