/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "devx_log.h"
#include "devx_mr_table.h"

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

/* Takes @bytes of the room, or private memory. Returns NULL if neither is possible. */
static void *take_memory(struct devx_eth *eth, size_t bytes)
{
	struct devx_eth_table_room *room = &eth->sharing.tables;
	void *t;

	bytes = RTE_ALIGN_CEIL(bytes, sizeof(uint64_t));
	if (room->addr && bytes <= room->bytes - room->used) {
		t = room->addr + room->used;
		room->used += bytes;
		return memset(t, 0, bytes);
	}
	if (room->needed)
		return NULL;
	room->outside = true;
	return calloc(1, bytes);
}

struct devx_eth_table *devx_eth_table_create(struct devx_eth *eth, unsigned int n)
{
	struct devx_eth_table *t =
		take_memory(eth, sizeof(struct devx_eth_table) + n * sizeof(t->range[0]));

	if (!t && eth->sharing.tables.needed)
		devx_eth_log(eth, ERR,
			     "the tables of memory for secondary processes are full; packets in "
			     "new memory are dropped until the port restarts");
	else if (!t)
		devx_eth_log(eth, ERR, "cannot allocate a table of %u memory ranges", n);
	return t;
}

void devx_eth_table_free_all(struct devx_eth *eth, struct devx_eth_table *t)
{
	struct devx_eth_table_room *room = &eth->sharing.tables;

	while (t) {
		struct devx_eth_table *older = t->older;

		if ((uintptr_t)t - (uintptr_t)room->addr >= room->bytes)
			free(t);
		t = older;
	}
	room->used = 0;
	room->outside = false;
}

void devx_eth_table_publish(struct devx_eth_memory *memory, struct devx_eth_table *t)
{
	t->older = memory->table;
	__atomic_store_n(&memory->table, t, __ATOMIC_RELEASE);
}

void devx_eth_table_append(struct devx_eth_table *t, const struct devx_eth_range *r)
{
	if (r->bytes)
		t->range[t->n++] = *r;
}
