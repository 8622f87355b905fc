/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_MR_TABLE_H
#define DEVX_ETH_MR_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>

#include "devx/mem.h"
#include "prm/be.h"

/**
 * DOC: Memory that can hold packets
 *
 *     EAL's memory, its heaps ..... registered at start, then as EAL allocates and frees it
 *     chunks of a mempool ......... when the pool becomes ready, until it is freed
 *     rte_dev_dma_map() ........... at once, until rte_dev_dma_unmap() or close
 *     dma-bufs .................... at once, until unregistered (memory/devx_dmabuf.h)
 *
 * A burst finds the key of an address and registers nothing:
 *
 *     queue: the range of the last packet --miss--> binary search in the table --miss--> no key
 *
 * The device never gets an address without a key (burst/devx_tx_slow_path.c).
 *
 * A published table never changes: each change publishes a new one, and a send queue that sees a
 * new table forgets the range of its last packet. The port frees a table one second after its
 * replacement, unless a queue still points to it. A queue recognizes a new table by its address, so
 * that address must not be reused before.
 */

struct devx_eth;
struct rte_mbuf;

/**
 * struct devx_eth_range - a range of registered memory
 * @addr: first address
 * @bytes: length; 0: the range holds no address
 * @lkey: memory key, in the byte order of data segments
 * @write: the device may write
 * @dmabuf: memory of another driver: the CPU must not read it
 * @eal: memory of EAL, which stays registered until EAL frees it
 */
struct devx_eth_range {
	uint64_t addr;
	uint64_t bytes;
	prm_be32 lkey;
	bool write;
	bool dmabuf;
	bool eal;
};

/**
 * struct devx_eth_table - @n disjoint ranges, sorted by address
 * @older: the previous table
 * @replaced_ms: time when the next table replaced this one, in ms
 */
struct devx_eth_table {
	struct devx_eth_table *older;
	uint64_t replaced_ms;
	unsigned int n;
	struct devx_eth_range range[];
};

/** enum devx_eth_memory_kind - why the port registers memory */
enum devx_eth_memory_kind {
	DEVX_ETH_MEMORY_EAL,     /* memory in a heap of EAL */
	DEVX_ETH_MEMORY_CHUNK,   /* a chunk of a mempool, outside the heaps of EAL */
	DEVX_ETH_MEMORY_BUFFERS, /* pinned external buffers of a mempool */
	DEVX_ETH_MEMORY_MAPPED,  /* memory that the application mapped, rte_dev_dma_map() */
};

/** struct devx_eth_piece - memory to register; @pool: its mempool, or NULL */
struct devx_eth_piece {
	uint64_t addr, bytes;
	enum devx_eth_memory_kind kind;
	const struct rte_mempool *pool;
};

/**
 * struct devx_eth_memory - registered memory of a port
 * @table: the newest table; bursts of a started port read it. NULL: no memory
 * @mr: all registrations except those of dma-bufs
 * @room: number of registrations that the array @mr can hold
 * @use: uses of registered memory that is not EAL's; a range without a use is removed
 * @n_uses, @use_room: as @n_mr and @room
 * @listens: the port follows events of EAL and of mempools
 * @reported: the first packet in unknown memory was logged
 */
struct devx_eth_memory {
	struct devx_eth_table *table;
	struct devx_mr *mr;
	unsigned int n_mr, room;
	struct devx_eth_piece *use;
	unsigned int n_uses, use_room;
	bool listens, reported;
};

/**
 * struct devx_eth_table_room - memory of EAL for tables, which secondary processes read
 * @addr: the memory; NULL: the port has none, and every table is in private memory
 * @bytes: length
 * @outside: the newest table is in private memory, because @addr was full
 * @needed: a secondary process is attached, and would crash if a table were in private memory
 *
 * EAL calls the driver while it allocates memory, so the driver cannot allocate a table from EAL's
 * heap then.
 */
struct devx_eth_table_room {
	char *addr;
	size_t bytes;
	bool outside, needed;
};

enum { DEVX_ETH_TABLE_ROOM_BYTES = 256 << 10 };

/** devx_eth_mempool_is_pinned - check whether a pool has mbufs with pinned external buffers */
bool devx_eth_mempool_is_pinned(struct rte_mempool *pool);
/**
 * devx_eth_mempool_get_buffer - get the address of the buffer that an mbuf has in its pool
 *
 * An mbuf in use may have another buffer attached, which is detached before it returns to the pool.
 */
uint64_t devx_eth_mempool_get_buffer(struct rte_mempool *pool, struct rte_mbuf *m);

/** devx_eth_range_holds - check whether [addr, addr + bytes) is inside @r */
static __rte_always_inline bool devx_eth_range_holds(const struct devx_eth_range *r, uint64_t addr,
						     uint32_t bytes)
{
	const uint64_t offset = addr - r->addr;

	return offset < r->bytes && bytes <= r->bytes - offset;
}

static __rte_always_inline const struct devx_eth_table *
devx_eth_memory_get_table(const struct devx_eth_memory *memory)
{
	return __atomic_load_n(&memory->table, __ATOMIC_ACQUIRE);
}

/** devx_eth_range_find - find the range that holds [addr, addr + bytes). Return: it, or NULL */
const struct devx_eth_range *devx_eth_range_find(const struct devx_eth_table *table, uint64_t addr,
						 uint32_t bytes);

/**
 * devx_eth_table_find - find the first range that ends after @addr
 *
 * Return: index of the range; the number of ranges if all end before; 0 if @t is NULL
 */
unsigned int devx_eth_table_find(const struct devx_eth_table *t, uint64_t addr);
/**
 * devx_eth_table_create - allocate a table, in @eth->sharing.tables if it has room
 * @range: @n disjoint ranges, sorted by address; copied
 *
 * Return: table, or NULL, logged
 */
struct devx_eth_table *devx_eth_table_create(struct devx_eth *eth,
					     const struct devx_eth_range *range, unsigned int n);
/**
 * devx_eth_table_publish - make @t the newest table for bursts; the port owns it
 *
 * Frees old tables that no burst can still use.
 */
void devx_eth_table_publish(struct devx_eth *eth, struct devx_eth_table *t);
/** devx_eth_table_free_all - free all tables of a port, whose bursts have ended */
void devx_eth_table_free_all(struct devx_eth *eth);

#endif
