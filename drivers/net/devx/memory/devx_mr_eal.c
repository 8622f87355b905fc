/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>

#include <rte_errno.h>
#include <rte_mbuf.h>
#include <rte_memory.h>
#include <rte_mempool.h>

#include "devx_log.h"
#include "memory/devx_mr.h"
#include "memory/devx_mr_draft.h"
#include "memory/devx_mr_eal.h"

static void append_piece(struct devx_eth_pieces *pieces, const struct devx_eth_piece *piece)
{
	struct devx_eth_piece *list =
		devx_eth_list_grow(pieces->piece, &pieces->room, pieces->n, sizeof(*pieces->piece));

	pieces->failed = pieces->failed || !list;
	if (!list)
		return;
	pieces->piece = list;
	list[pieces->n++] = *piece;
}

static int append_memsegs(const struct rte_memseg_list *msl, const struct rte_memseg *ms,
			  size_t bytes, void *arg)
{
	const struct devx_eth_piece piece = { ms->addr_64, bytes, DEVX_ETH_MEMORY_EAL, NULL };

	/* skips memory of rte_extmem_register(): the application maps it or makes a pool of it */
	if (!msl->external || msl->heap)
		append_piece(arg, &piece);
	return 0;
}

/* Appends memory of a pool. Neighbours with up to @gap bytes between them become one piece. */
static void append_to_pool(struct devx_eth_pieces *pieces, const struct devx_eth_piece *piece,
			   uint64_t gap)
{
	struct devx_eth_piece *last = pieces->n ? &pieces->piece[pieces->n - 1] : NULL;
	const uint64_t end = last ? last->addr + last->bytes : 0;

	if (last && last->pool == piece->pool && last->kind == piece->kind && piece->addr >= end &&
	    piece->addr - end <= gap)
		last->bytes = piece->addr + piece->bytes - last->addr;
	else
		append_piece(pieces, piece);
}

/*
 * A pool in pages of 4 KiB that are not contiguous on the bus has a chunk for each page. Adjacent
 * chunks share a key, because the device translates each page by itself.
 */
static void append_chunk(struct rte_mempool *mp, void *arg, struct rte_mempool_memhdr *chunk,
			 unsigned int idx)
{
	const struct devx_eth_piece piece = { (uintptr_t)chunk->addr, chunk->len,
					      DEVX_ETH_MEMORY_CHUNK, mp };

	RTE_SET_USED(idx);
	append_to_pool(arg, &piece, 0);
}

/* Skips an mbuf that its pool has not initialized yet. */
static void append_buffer(struct rte_mempool *mp, void *arg, void *obj, unsigned int idx)
{
	enum { GAP = 4095 }; /* too small to contain a whole page, which might be unmapped */
	const struct rte_mbuf *m = obj;
	const struct devx_eth_piece piece = { (uintptr_t)m->buf_addr, m->buf_len,
					      DEVX_ETH_MEMORY_BUFFERS, mp };

	RTE_SET_USED(idx);
	if (m->pool == mp && piece.addr && piece.bytes)
		append_to_pool(arg, &piece, GAP);
}

void devx_eth_memory_list_buffers(struct rte_mempool *mp, struct devx_eth_pieces *pieces)
{
	if (devx_eth_mempool_is_pinned(mp))
		rte_mempool_obj_iter(mp, append_buffer, pieces);
}

static void append_mempool(struct rte_mempool *mp, void *arg)
{
	rte_mempool_mem_iter(mp, append_chunk, arg);
	devx_eth_memory_list_buffers(mp, arg);
}

void devx_eth_memory_drop_list(struct devx_eth_pieces *pieces)
{
	free(pieces->piece);
	*pieces = (struct devx_eth_pieces){ 0 };
}

int devx_eth_memory_register(struct devx_eth *eth, struct devx_eth_pieces *pieces)
{
	int rc = -ENOMEM;

	if (!pieces->failed)
		rc = devx_eth_memory_add(eth, pieces->piece, pieces->n);
	else
		devx_eth_log(eth, ERR, "cannot allocate a list of the memory of EAL");
	devx_eth_memory_drop_list(pieces);
	return rc;
}

int devx_eth_memory_add_buffers(struct devx_eth *eth, struct rte_mempool *pool)
{
	struct devx_eth_pieces pieces = { 0 };

	devx_eth_memory_list_buffers(pool, &pieces);
	return devx_eth_memory_register(eth, &pieces);
}

/* ---- events --------------------------------------------------------------------------- */

/* EAL calls this with its own locks held, on the thread that allocates or frees its memory. */
static void handle_memory_event(enum rte_mem_event type, const void *addr, size_t bytes, void *arg)
{
	const struct devx_eth_piece piece = { (uintptr_t)addr, bytes, DEVX_ETH_MEMORY_EAL, NULL };
	struct devx_eth *eth = arg;

	pthread_mutex_lock(&eth->lock);
	if (eth->memory.listens && type == RTE_MEM_EVENT_ALLOC)
		devx_eth_memory_add(eth, &piece, 1);
	else if (eth->memory.listens)
		devx_eth_memory_remove(eth, (uintptr_t)addr, bytes);
	pthread_mutex_unlock(&eth->lock);
}

/*
 * Runs on any thread that fills or frees a mempool, without locks of EAL. Pinned buffers have no
 * address yet when their pool becomes ready; see devx_unknown.h.
 */
static void handle_mempool_event(enum rte_mempool_event event, struct rte_mempool *mp, void *arg)
{
	struct devx_eth_pieces pieces = { 0 };
	struct devx_eth *eth = arg;

	pthread_mutex_lock(&eth->lock);
	if (eth->memory.listens && event == RTE_MEMPOOL_EVENT_READY) {
		append_mempool(mp, &pieces);
		devx_eth_memory_register(eth, &pieces);
	} else if (eth->memory.listens) {
		devx_eth_memory_end_pool(eth, mp);
	}
	pthread_mutex_unlock(&eth->lock);
}

/* Also affects a callback that EAL has already called and that waits for eth->lock. */
static void set_listening(struct devx_eth *eth, bool on)
{
	pthread_mutex_lock(&eth->lock);
	eth->memory.listens = on;
	pthread_mutex_unlock(&eth->lock);
}

static int listen_to_events(struct devx_eth *eth)
{
	if (rte_mem_event_callback_register(eth->name, handle_memory_event, eth) &&
	    rte_errno != ENOTSUP)
		return -rte_errno;
	return rte_mempool_event_callback_register(handle_mempool_event, eth) ? -rte_errno : 0;
}

int devx_eth_memory_list(struct devx_eth *eth, struct devx_eth_pieces *pieces)
{
	int rc;

	*pieces = (struct devx_eth_pieces){ 0 };
	set_listening(eth, true);
	/* callbacks before walks, to miss no memory; devx_eth_memory_add() skips known ranges */
	rc = listen_to_events(eth);
	if (rc) {
		devx_eth_memory_unlisten(eth);
		devx_eth_log(eth, ERR, "cannot register a callback for memory events of EAL: %s",
			     rte_strerror(-rc));
		return rc;
	}
	rte_memseg_contig_walk(append_memsegs, pieces);
	rte_mempool_walk(append_mempool, pieces);
	return 0;
}

void devx_eth_memory_unlisten(struct devx_eth *eth)
{
	set_listening(eth, false);
	rte_mem_event_callback_unregister(eth->name, eth);
	rte_mempool_event_callback_unregister(handle_mempool_event, eth);
}
