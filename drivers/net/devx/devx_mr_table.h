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
 * The port registers each contiguous piece of EAL's memory and each mempool chunk outside it, when
 * it starts and when EAL's heap grows; the application registers dma-bufs (port/devx_dmabuf.h).
 * A burst finds the key of an address and registers nothing:
 *
 *     queue: the range of the last packet --miss--> binary search in the table --miss--> no key
 *
 * A burst drops and counts a packet without a key; the device never gets its address.
 *
 * A published table never changes: each change publishes a new table, and a send queue that sees
 * a new table forgets the range of its last packet. Until it stops, the port keeps old tables and
 * the registrations of memory that EAL freed.
 */

struct devx_eth;

/**
 * struct devx_eth_range - a range of registered memory
 * @addr: first address
 * @bytes: length; 0: the range holds no address
 * @lkey: memory key, in the byte order of data segments
 * @write: the device may write
 * @dmabuf: memory of another driver: the CPU must not read it
 */
struct devx_eth_range {
	uint64_t addr;
	uint64_t bytes;
	prm_be32 lkey;
	bool write;
	bool dmabuf;
};

/** struct devx_eth_table - @n disjoint ranges, sorted by address; @older: the table before */
struct devx_eth_table {
	struct devx_eth_table *older;
	unsigned int n;
	struct devx_eth_range range[];
};

/**
 * struct devx_eth_memory - registered memory of a started port
 * @table: the newest table; bursts read it
 * @mr: every registration
 * @n_mr: number of registrations
 * @room: number of registrations that the array @mr can hold
 * @listens: the port follows memory events of EAL
 */
struct devx_eth_memory {
	struct devx_eth_table *table;
	struct devx_mr *mr;
	unsigned int n_mr, room;
	bool listens;
};

/**
 * struct devx_eth_table_room - memory of EAL for tables, which secondary processes read
 * @addr: the memory, or NULL: the port has none, and every table is private memory
 * @bytes: length
 * @used: bytes of the tables of the started port
 * @outside: a table of the started port is private memory, because @addr was full
 * @needed: a secondary process attached to the port: a private table would end it
 *
 * EAL calls the driver while it allocates, so a new table cannot come from EAL's heap.
 */
struct devx_eth_table_room {
	char *addr;
	size_t bytes, used;
	bool outside, needed;
};

enum { DEVX_ETH_TABLE_ROOM_BYTES = 256 << 10 };

/** devx_eth_range_holds - check whether [addr, addr + bytes) is inside @r */
static __rte_always_inline bool devx_eth_range_holds(const struct devx_eth_range *r, uint64_t addr,
						     uint32_t bytes)
{
	const uint64_t offset = addr - r->addr;

	return offset < r->bytes && bytes <= r->bytes - offset;
}

/** devx_eth_memory_get_table - get the newest table; NULL while the port is stopped */
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
 * devx_eth_table_create - allocate an empty table for @n ranges
 *
 * In @eth->sharing.tables, if it has room.
 *
 * Return: table, or NULL, logged
 */
struct devx_eth_table *devx_eth_table_create(struct devx_eth *eth, unsigned int n);
/** devx_eth_table_free_all - free @t and all older tables of a port, whose bursts have ended */
void devx_eth_table_free_all(struct devx_eth *eth, struct devx_eth_table *t);
/** devx_eth_table_append - append a copy of @r, unless @r has 0 bytes */
void devx_eth_table_append(struct devx_eth_table *t, const struct devx_eth_range *r);
/** devx_eth_table_publish - make @t the newest table for bursts; @memory takes ownership of @t */
void devx_eth_table_publish(struct devx_eth_memory *memory, struct devx_eth_table *t);

#endif
