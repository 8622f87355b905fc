/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

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

struct devx_eth_table *devx_eth_table_create(struct devx_eth *eth, unsigned int n)
{
	struct devx_eth_table *t = calloc(1, sizeof(*t) + n * sizeof(t->range[0]));

	if (!t)
		devx_eth_log(eth, ERR, "cannot allocate a table of %u memory ranges", n);
	return t;
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
