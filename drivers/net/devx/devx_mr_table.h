/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_MR_H
#define DEVX_ETH_MR_H

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
static __rte_always_inline bool
devx_eth_range_holds(const struct devx_eth_range *r, uint64_t addr, uint32_t bytes)
{
	const uint64_t offset = addr - r->addr;

	return offset < r->bytes && bytes <= r->bytes - offset;
}

/** devx_eth_table_of - the newest table; NULL while the port is stopped */
static __rte_always_inline const struct devx_eth_table *
devx_eth_table_of(const struct devx_eth_memory *memory)
{
	return __atomic_load_n(&memory->table, __ATOMIC_ACQUIRE);
}

/** devx_eth_range_find - the range that holds [addr, addr + bytes), or NULL */
const struct devx_eth_range *devx_eth_range_find(const struct devx_eth_table *table, uint64_t addr,
						 uint32_t bytes);

/** struct devx_eth_pieces - memory there is, before it is registered */
struct devx_eth_pieces {
	struct { uint64_t addr, bytes; } *piece;
	unsigned int n, room;
	bool failed;
};

/**
 * devx_eth_memory_look - listen to EAL's memory and list it
 * @pieces: receives the list; freed by devx_eth_memory_start()
 *
 * Takes EAL's locks: the port's must not be held, for EAL calls back with its own held.
 *
 * Return: 0 or -errno, logged.
 */
int devx_eth_memory_look(struct devx_eth *eth, struct devx_eth_pieces *pieces);
/** devx_eth_memory_start - register what was listed; with the lock. 0 or -errno, logged */
int devx_eth_memory_start(struct devx_eth *eth, struct devx_eth_pieces *pieces);
/** devx_eth_memory_unlisten - EAL calls no more; the lock must not be held */
void devx_eth_memory_unlisten(struct devx_eth *eth);
/** devx_eth_memory_stop - give all registrations up, however far start came; with the lock */
void devx_eth_memory_stop(struct devx_eth *eth);

/** devx_eth_memory_came - EAL has memory at @addr now; with the lock. 0 or -errno, logged */
int devx_eth_memory_came(struct devx_eth *eth, uint64_t addr, uint64_t bytes);
/** devx_eth_memory_went - and now it has not; with the lock. 0 or -ENOMEM, logged */
int devx_eth_memory_went(struct devx_eth *eth, uint64_t addr, uint64_t bytes);

#endif
