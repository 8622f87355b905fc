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
 * DOC: Memory that packets may lie in
 *
 * All of EAL's memory, one registration per contiguous piece, and the chunks of every
 * mempool that lies elsewhere. Registered when the port starts, and when EAL's heap grows,
 * so that a burst finds a key by address and never has to make one:
 *
 *     queue: the range of the last packet --miss--> table, by halving --miss--> no key
 *
 * A packet without a key is dropped and counted; its address never reaches the device.
 *
 * A table is never changed once bursts can see it. A change makes a new one, and queues
 * drop the range they remember when they see another table than before. Old tables, and
 * registrations of memory that EAL gave back, go when the port stops.
 */

struct devx_eth;

/**
 * struct devx_eth_range - a piece of registered memory
 * @addr: first address
 * @bytes: length; 0 for a range that holds nothing
 * @lkey: key, as data segments carry it
 */
struct devx_eth_range {
	uint64_t addr;
	uint64_t bytes;
	prm_be32 lkey;
};

/** struct devx_eth_table - ranges, sorted by address, disjoint */
struct devx_eth_table {
	struct devx_eth_table *older;
	unsigned int n;
	struct devx_eth_range range[];
};

/**
 * struct devx_eth_memory - what a started port has registered
 * @table: the newest; read by bursts
 * @mr: every registration
 * @n_mr: how many
 * @room: how many @mr holds
 * @listens: EAL's calls count
 */
struct devx_eth_memory {
	struct devx_eth_table *table;
	struct devx_mr *mr;
	unsigned int n_mr, room;
	bool listens;
};

/** devx_eth_range_holds - whether [addr, addr + bytes) lies in @r */
static __rte_always_inline bool devx_eth_range_holds(const struct devx_eth_range *r, uint64_t addr,
						     uint32_t bytes)
{
	const uint64_t offset = addr - r->addr;

	return offset < r->bytes && bytes <= r->bytes - offset;
}

/** devx_eth_memory_get_table - the newest table; NULL while the port is stopped */
static __rte_always_inline const struct devx_eth_table *
devx_eth_memory_get_table(const struct devx_eth_memory *memory)
{
	return __atomic_load_n(&memory->table, __ATOMIC_ACQUIRE);
}

/** devx_eth_range_find - the range that holds [addr, addr + bytes), or NULL */
const struct devx_eth_range *devx_eth_range_find(const struct devx_eth_table *table, uint64_t addr,
						 uint32_t bytes);

/** devx_eth_table_find - index of the first range that ends behind @addr; @t may be NULL */
unsigned int devx_eth_table_find(const struct devx_eth_table *t, uint64_t addr);
/** devx_eth_table_create - an empty one with room for @n ranges; NULL, logged, without memory */
struct devx_eth_table *devx_eth_table_create(struct devx_eth *eth, unsigned int n);
/** devx_eth_table_append - add @r behind the last range, unless it holds nothing */
void devx_eth_table_append(struct devx_eth_table *t, const struct devx_eth_range *r);
/** devx_eth_table_publish - show @t to bursts; from now on it belongs to @memory */
void devx_eth_table_publish(struct devx_eth_memory *memory, struct devx_eth_table *t);

#endif
