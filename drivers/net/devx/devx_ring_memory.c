/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_malloc.h>

#include "devx/mem.h"
#include "devx_log.h"
#include "devx_ring_memory.h"

/* Rings beyond this size get another chunk: the heap may have no larger contiguous memory. */
enum { CHUNK_RING_BYTES = 2 << 20 };

static size_t round_to_pages(size_t bytes)
{
	return RTE_ALIGN_CEIL(bytes, (size_t)sysconf(_SC_PAGESIZE));
}

/* Returns a chunk with room for @bytes of rings, a new one if necessary; NULL: out of memory. */
static struct devx_eth_chunk *find_chunk(struct devx_eth_ring_memory *memory, size_t bytes,
					 int socket)
{
	struct devx_eth_chunk *c = memory->chunks;

	while (c && (c->addr || c->socket != socket || c->ring_bytes + bytes > CHUNK_RING_BYTES))
		c = c->next;
	if (c)
		return c;
	c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->socket = socket;
	c->next = memory->chunks;
	memory->chunks = c;
	return c;
}

int devx_eth_rings_place(struct devx_eth_ring_memory *memory, struct devx_eth_rings *rings,
			 size_t cq_bytes, size_t wq_bytes, int socket)
{
	const size_t cq = round_to_pages(cq_bytes), wq = round_to_pages(wq_bytes);
	struct devx_eth_chunk *c = find_chunk(memory, cq + wq, socket);

	if (!c)
		return -ENOMEM;
	*rings = (struct devx_eth_rings){
		.chunk = c, .cq = c->ring_bytes, .wq = c->ring_bytes + cq, .record = c->n_records
	};
	c->ring_bytes += cq + wq;
	c->n_records += 2;
	return 0;
}

static size_t count_chunk_bytes(const struct devx_eth_chunk *c)
{
	return round_to_pages(c->ring_bytes + c->n_records * DEVX_DBREC_BYTES);
}

/* Reuses the memory of an idle chunk of the same size and socket, if there is one. */
static void take_idle_memory(struct devx_eth_ring_memory *memory, struct devx_eth_chunk *c)
{
	const size_t bytes = count_chunk_bytes(c);

	for (struct devx_eth_chunk **at = &memory->idle; *at; at = &(*at)->next) {
		struct devx_eth_chunk *old = *at;

		if (old->bytes != bytes || old->socket != c->socket)
			continue;
		c->addr = old->addr;
		c->bytes = bytes;
		*at = old->next;
		free(old);
		return;
	}
}

/* Does not zero the memory: lib/devx zeroes each ring and record. */
static int allocate_chunk(struct devx_eth_chunk *c)
{
	c->bytes = count_chunk_bytes(c);
	c->addr = rte_malloc_socket("devx_rings", c->bytes, (unsigned int)sysconf(_SC_PAGESIZE),
				    c->socket);
	return c->addr ? 0 : -ENOMEM;
}

int devx_eth_ring_memory_allocate(struct devx_eth_ring_memory *memory, const struct devx_dev *dev,
				  const struct devx_eth_chunk **failed)
{
	memory->n_stuck = dev->n_stuck;
	for (struct devx_eth_chunk *c = memory->chunks; c; c = c->next)
		take_idle_memory(memory, c);
	devx_eth_ring_memory_free(memory);
	for (struct devx_eth_chunk *c = memory->chunks; c; c = c->next)
		if (!c->addr && allocate_chunk(c)) {
			*failed = c;
			return -ENOMEM;
		}
	return 0;
}

int devx_eth_ring_memory_register(struct devx_eth_ring_memory *memory, struct devx_dev *dev)
{
	int rc = 0;

	for (struct devx_eth_chunk *c = memory->chunks; !rc && c; c = c->next)
		rc = devx_umem_create(&c->umem, dev, c->addr, c->bytes);
	return rc;
}

void devx_eth_ring_memory_unregister(struct devx_eth_ring_memory *memory)
{
	for (struct devx_eth_chunk *c = memory->chunks; c; c = c->next)
		devx_umem_destroy(&c->umem);
}

void devx_eth_ring_memory_retire(struct devx_eth_ring_memory *memory, const struct devx_dev *dev)
{
	struct devx_eth_chunk *c;

	while ((c = memory->chunks)) {
		memory->chunks = c->next;
		if (c->addr && dev->n_stuck == memory->n_stuck) {
			c->next = memory->idle;
			memory->idle = c;
		} else {
			free(c);
		}
	}
}

void devx_eth_ring_memory_free(struct devx_eth_ring_memory *memory)
{
	struct devx_eth_chunk *c;

	while ((c = memory->idle)) {
		memory->idle = c->next;
		rte_free(c->addr);
		free(c);
	}
}

int devx_eth_rings_reserve(struct devx_eth_ring_memory *memory, struct devx_eth_rings *rings,
			   size_t cq_bytes, size_t wq_bytes, int socket)
{
	struct devx_eth_ring_memory one = { 0 };
	struct devx_eth_rings place;

	if (rings->chunk)
		return 0;
	if (devx_eth_rings_place(&one, &place, cq_bytes, wq_bytes, socket))
		return -ENOMEM;
	if (allocate_chunk(place.chunk)) {
		free(place.chunk);
		return -ENOMEM;
	}
	place.chunk->of_one = true;
	place.chunk->next = memory->chunks;
	memory->chunks = place.chunk;
	*rings = place;
	return 0;
}

void devx_eth_rings_retire(struct devx_eth_ring_memory *memory, struct devx_eth_rings *rings,
			   const struct devx_dev *dev)
{
	struct devx_eth_chunk *c = rings->chunk, **at = &memory->chunks;
	const unsigned int n_stuck = dev->n_stuck;

	*rings = (struct devx_eth_rings){ 0 };
	if (!c || !c->of_one)
		return;
	devx_umem_destroy(&c->umem);
	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	if (dev->n_stuck != n_stuck) { /* the device may still use the memory: nobody frees it */
		free(c);
		return;
	}
	c->next = memory->idle;
	memory->idle = c;
}

int devx_eth_rings_register(struct devx_eth_rings *rings, struct devx_dev *dev)
{
	struct devx_eth_chunk *c = rings->chunk;

	return c->umem.umem ? 0 : devx_umem_create(&c->umem, dev, c->addr, c->bytes);
}

static struct devx_umem_ring get_place(const struct devx_eth_chunk *c, size_t at,
				       unsigned int record)
{
	return (struct devx_umem_ring){ .umem = &c->umem,
					.ring = c->addr + at,
					.dbrec = c->addr + c->ring_bytes +
						 record * DEVX_DBREC_BYTES };
}

struct devx_umem_ring devx_eth_rings_get_cq(const struct devx_eth_rings *rings)
{
	return get_place(rings->chunk, rings->cq, rings->record);
}

struct devx_umem_ring devx_eth_rings_get_wq(const struct devx_eth_rings *rings)
{
	return get_place(rings->chunk, rings->wq, rings->record + 1);
}

void devx_eth_rings_swap(struct devx_eth_rings *a, struct devx_eth_rings *b)
{
	const struct devx_eth_rings old = *a;

	*a = *b;
	*b = old;
}

void devx_eth_rings_check(struct devx_eth_rings *rings, const struct devx_dev *dev,
			  unsigned int n_stuck)
{
	if (dev->n_stuck != n_stuck)
		*rings = (struct devx_eth_rings){ 0 };
}

bool devx_eth_is_stuck(struct devx_eth *eth, unsigned int n_stuck, const char *side, uint16_t queue)
{
	if (eth->dev.n_stuck == n_stuck || devx_eth_is_lost(eth))
		return false;
	devx_eth_log(eth, WARNING,
		     "%s queue %u: the kernel refused to destroy it, so the device may still use "
		     "its mbufs; they stay out of their pools until the process ends",
		     side, queue);
	return true;
}
