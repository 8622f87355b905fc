/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>

#include <rte_mempool.h>

#include "devx_log.h"
#include "devx_rxq.h"
#include "memory/devx_dma_map.h"
#include "memory/devx_mr.h"

/* Returns a mapping that overlaps [addr, addr + bytes), or NULL. */
static const struct devx_eth_piece *find_mapping(const struct devx_eth *eth, uint64_t addr,
						 uint64_t bytes)
{
	for (unsigned int i = 0; i < eth->memory.n_uses; i++) {
		const struct devx_eth_piece *use = &eth->memory.use[i];

		if (use->kind == DEVX_ETH_MEMORY_MAPPED && use->addr < addr + bytes &&
		    addr < use->addr + use->bytes)
			return use;
	}
	return NULL;
}

int devx_eth_memory_map(struct devx_eth *eth, uint64_t addr, uint64_t bytes)
{
	const struct devx_eth_piece piece = { addr, bytes, DEVX_ETH_MEMORY_MAPPED, NULL };
	const struct devx_eth_piece *other;

	if (!addr || !bytes || addr + bytes < addr) {
		devx_eth_log(eth, ERR,
			     "cannot map %" PRIu64 " bytes at %#" PRIx64
			     " (valid: at least 1 byte, no wrap at 2^64)",
			     bytes, addr);
		return -EINVAL;
	}
	other = find_mapping(eth, addr, bytes);
	if (!other)
		return devx_eth_memory_add(eth, &piece, 1);
	devx_eth_log(eth, ERR,
		     "cannot map %" PRIu64 " bytes at %#" PRIx64 ": %" PRIu64 " bytes at %#" PRIx64
		     " are mapped already; unmap these first",
		     bytes, addr, other->bytes, other->addr);
	return -EEXIST;
}

/* @n: number of buffers whose memory key ends with the mapping */
struct buffer_count {
	const struct devx_eth *eth;
	const struct devx_eth_piece *mapping;
	unsigned int n;
};

static void count_buffer(struct rte_mempool *pool, void *arg, void *obj, unsigned int idx)
{
	struct buffer_count *count = arg;
	const uint64_t addr = devx_eth_mempool_get_buffer(pool, obj);

	RTE_SET_USED(idx);
	if (addr - count->mapping->addr < count->mapping->bytes &&
	    !devx_eth_memory_outlives_map(count->eth, addr))
		count->n++;
}

/* The device may write to the buffers of a receive queue at any time. */
static int check_receive_queues(const struct devx_eth *eth, const struct devx_eth_piece *mapping)
{
	const struct rte_eth_dev_data *data = eth->data;

	for (uint16_t i = 0; eth->started && i < data->nb_rx_queues; i++) {
		const struct devx_eth_rxq *rxq = data->rx_queues[i];
		struct buffer_count count = { .eth = eth, .mapping = mapping };

		if (!rxq || !rxq->rq.obj)
			continue;
		rte_mempool_obj_iter(rxq->pool, count_buffer, &count);
		if (!count.n)
			continue;
		devx_eth_log(eth, ERR,
			     "cannot unmap memory at %#" PRIx64
			     ": Rx queue %u receives into it (pool %s, %u buffers); stop the port "
			     "first",
			     mapping->addr, i, rxq->pool->name, count.n);
		return -EBUSY;
	}
	return 0;
}

int devx_eth_memory_unmap(struct devx_eth *eth, uint64_t addr, uint64_t bytes)
{
	const struct devx_eth_piece *mapping = find_mapping(eth, addr, 1);
	int rc;

	if (!mapping || mapping->addr != addr) {
		devx_eth_log(eth, ERR,
			     "cannot unmap memory at %#" PRIx64 ": no mapping begins there", addr);
		return -ENOENT;
	}
	if (mapping->bytes != bytes) {
		devx_eth_log(eth, ERR,
			     "cannot unmap %" PRIu64 " bytes at %#" PRIx64
			     " (valid: the whole mapping, %" PRIu64 " bytes)",
			     bytes, addr, mapping->bytes);
		return -EINVAL;
	}
	rc = check_receive_queues(eth, mapping);
	if (rc)
		return rc;
	eth->memory.reported = false; /* then the timer logs a packet in this memory */
	return devx_eth_memory_end_map(eth, addr);
}
