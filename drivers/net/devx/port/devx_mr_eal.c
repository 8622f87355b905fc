/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>

#include <rte_errno.h>
#include <rte_memory.h>
#include <rte_mempool.h>

#include "devx_log.h"
#include "port/devx_dmabuf.h"
#include "port/devx_mr.h"
#include "port/devx_mr_eal.h"

/* Finds memory of EAL and of mempools when a port starts, and follows changes of EAL's memory. */

static void append_piece(struct devx_eth_pieces *pieces, uint64_t addr, uint64_t bytes)
{
	if (pieces->n == pieces->room) {
		const unsigned int room = pieces->room ? 2 * pieces->room : 64;
		void *piece = realloc(pieces->piece, room * sizeof(pieces->piece[0]));

		pieces->failed = pieces->failed || !piece;
		if (!piece)
			return;
		pieces->piece = piece;
		pieces->room = room;
	}
	pieces->piece[pieces->n].addr = addr;
	pieces->piece[pieces->n++].bytes = bytes;
}

static int append_memsegs(const struct rte_memseg_list *msl, const struct rte_memseg *ms,
			  size_t bytes, void *arg)
{
	RTE_SET_USED(msl);
	append_piece(arg, ms->addr_64, bytes);
	return 0;
}

/*
 * A pool in pages of 4 KiB whose addresses on the bus are not contiguous has a chunk for each page.
 * Neighbours become one piece, with one key: the device translates each page by itself.
 */
static void append_chunk(struct rte_mempool *mp, void *arg, struct rte_mempool_memhdr *chunk,
			 unsigned int idx)
{
	struct devx_eth_pieces *pieces = arg;
	const uint64_t addr = (uintptr_t)chunk->addr, last = pieces->n - 1;

	RTE_SET_USED(mp);
	if (idx && pieces->n && pieces->piece[last].addr + pieces->piece[last].bytes == addr)
		pieces->piece[last].bytes += chunk->len;
	else
		append_piece(pieces, addr, chunk->len);
}

static void append_mempool(struct rte_mempool *mp, void *arg)
{
	rte_mempool_mem_iter(mp, append_chunk, arg);
}

/* EAL calls this under its own locks, on any thread that allocates or frees memory of EAL. */
static void handle_memory_event(enum rte_mem_event type, const void *addr, size_t bytes, void *arg)
{
	struct devx_eth *eth = arg;

	pthread_mutex_lock(&eth->lock);
	if (eth->memory.listens && type == RTE_MEM_EVENT_ALLOC)
		devx_eth_memory_add(eth, (uintptr_t)addr, bytes);
	else if (eth->memory.listens)
		devx_eth_memory_remove(eth, (uintptr_t)addr, bytes);
	pthread_mutex_unlock(&eth->lock);
}

/* A callback that EAL has called already, and that waits for eth->lock, reads this too. */
static void set_listening(struct devx_eth *eth, bool on)
{
	pthread_mutex_lock(&eth->lock);
	eth->memory.listens = on;
	pthread_mutex_unlock(&eth->lock);
}

int devx_eth_memory_list(struct devx_eth *eth, struct devx_eth_pieces *pieces)
{
	*pieces = (struct devx_eth_pieces){ 0 };
	set_listening(eth, true);
	/* callback before walk, to miss no memory; devx_eth_memory_add() skips known ranges */
	if (rte_mem_event_callback_register(eth->name, handle_memory_event, eth) &&
	    rte_errno != ENOTSUP) {
		const int rc = -rte_errno;

		set_listening(eth, false);
		devx_eth_log(eth, ERR, "cannot register a callback for memory events of EAL: %s",
			     rte_strerror(-rc));
		return rc;
	}
	rte_memseg_contig_walk(append_memsegs, pieces);
	rte_mempool_walk(append_mempool, pieces);
	if (!pieces->failed)
		return 0;
	free(pieces->piece);
	set_listening(eth, false);
	devx_eth_memory_unlisten(eth);
	devx_eth_log(eth, ERR, "cannot allocate a list of the memory of EAL");
	return -ENOMEM;
}

int devx_eth_memory_register(struct devx_eth *eth, struct devx_eth_pieces *pieces)
{
	int rc = 0;

	/* dma-bufs first: the kernel refuses a mapping of one as ordinary memory */
	for (const struct devx_eth_dmabuf *d = eth->dmabufs; !rc && d; d = d->next)
		rc = devx_eth_memory_add_dmabuf(eth, &d->mr, d->write);
	for (unsigned int i = 0; !rc && i < pieces->n; i++)
		rc = devx_eth_memory_add(eth, pieces->piece[i].addr, pieces->piece[i].bytes);
	free(pieces->piece);
	return rc;
}

void devx_eth_memory_unlisten(struct devx_eth *eth)
{
	rte_mem_event_callback_unregister(eth->name, eth);
}
