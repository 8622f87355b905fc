/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "devx_log.h"
#include "port/devx_mr.h"

static struct devx_mr *reserve_mr(struct devx_eth_memory *memory)
{
	if (memory->n_mr == memory->room) {
		const unsigned int room = memory->room ? 2 * memory->room : 16;
		struct devx_mr *mr = realloc(memory->mr, room * sizeof(*mr));

		if (!mr)
			return NULL;
		memory->mr = mr;
		memory->room = room;
	}
	memory->mr[memory->n_mr] = (struct devx_mr){ 0 };
	return &memory->mr[memory->n_mr];
}

/* Publishes a new table with @r, which overlaps no range of the old one. Return: 0 or -ENOMEM */
static int insert_range(struct devx_eth *eth, const struct devx_eth_range *r)
{
	const struct devx_eth_table *old = eth->memory.table;
	const unsigned int n = old ? old->n : 0, at = devx_eth_table_find(old, r->addr);
	struct devx_eth_table *t = devx_eth_table_create(eth, n + 1);

	if (!t)
		return -ENOMEM;
	for (unsigned int i = 0; i < at; i++)
		devx_eth_table_append(t, &old->range[i]);
	devx_eth_table_append(t, r);
	for (unsigned int i = at; i < n; i++)
		devx_eth_table_append(t, &old->range[i]);
	devx_eth_table_publish(&eth->memory, t);
	return 0;
}

static struct devx_eth_range get_range(const struct devx_mr *mr, bool write, bool dmabuf)
{
	return (struct devx_eth_range){ .addr = mr->addr,
					.bytes = mr->bytes,
					.lkey = prm_be32_of(mr->lkey),
					.write = write,
					.dmabuf = dmabuf };
}

int devx_eth_memory_add_dmabuf(struct devx_eth *eth, const struct devx_mr *mr, bool write)
{
	const struct devx_eth_range r = get_range(mr, write, true);

	return insert_range(eth, &r);
}

/* Registers [addr, addr + bytes), which overlaps no range, and publishes a new table. */
static int register_range(struct devx_eth *eth, uint64_t addr, uint64_t bytes)
{
	struct devx_eth_memory *memory = &eth->memory;
	struct devx_mr *mr = reserve_mr(memory);
	struct devx_eth_range r;
	int rc = -ENOMEM;

	if (mr)
		rc = devx_mr_create(mr, &eth->dev, (void *)(uintptr_t)addr, bytes);
	if (rc)
		return devx_eth_log_failure(eth, rc,
					    "cannot use memory at %#" PRIx64 " for packets", addr);
	r = get_range(mr, true, false);
	rc = insert_range(eth, &r);
	if (rc)
		devx_mr_destroy(mr);
	else
		memory->n_mr++;
	return rc;
}

int devx_eth_memory_add(struct devx_eth *eth, uint64_t addr, uint64_t bytes)
{
	const uint64_t end = addr + bytes;

	while (addr < end) { /* registers the parts that no range covers yet */
		const struct devx_eth_table *t = eth->memory.table;
		const unsigned int i = devx_eth_table_find(t, addr);
		const struct devx_eth_range *next = t && i < t->n ? &t->range[i] : NULL;

		if (next && next->addr <= addr) {
			addr = next->addr + next->bytes;
		} else {
			const uint64_t stop = next ? RTE_MIN(next->addr, end) : end;
			const int rc = register_range(eth, addr, stop - addr);

			if (rc)
				return rc;
			addr = stop;
		}
	}
	return 0;
}

/* Ends the registrations of which the table has no range. One that is partly freed stays. */
static void end_unused(struct devx_eth *eth)
{
	struct devx_eth_memory *memory = &eth->memory;
	const struct devx_eth_table *t = memory->table;
	unsigned int kept = 0;

	for (unsigned int i = 0; i < memory->n_mr; i++) {
		struct devx_mr *mr = &memory->mr[i];
		const unsigned int at = devx_eth_table_find(t, mr->addr);

		if (at < t->n && t->range[at].addr < mr->addr + mr->bytes)
			memory->mr[kept++] = *mr;
		else
			devx_mr_destroy(mr);
	}
	memory->n_mr = kept;
}

int devx_eth_memory_remove(struct devx_eth *eth, uint64_t addr, uint64_t bytes)
{
	const struct devx_eth_table *old = eth->memory.table;
	const uint64_t end = addr + bytes;
	struct devx_eth_table *t;

	if (!old)
		return 0;
	t = devx_eth_table_create(eth, 2 * old->n); /* room for removing the middle of each range */
	if (!t)
		return -ENOMEM;
	for (unsigned int i = 0; i < old->n; i++) {
		const struct devx_eth_range *r = &old->range[i];
		const uint64_t r_end = r->addr + r->bytes;
		struct devx_eth_range left = *r, right = *r;

		if (r_end <= addr || end <= r->addr) {
			devx_eth_table_append(t, r);
			continue;
		}
		left.bytes = addr > r->addr ? addr - r->addr : 0;
		right.addr = end;
		right.bytes = r_end > end ? r_end - end : 0;
		devx_eth_table_append(t, &left);
		devx_eth_table_append(t, &right);
	}
	devx_eth_table_publish(&eth->memory, t);
	end_unused(eth);
	return 0;
}

void devx_eth_memory_release(struct devx_eth *eth)
{
	struct devx_eth_memory *memory = &eth->memory;

	for (unsigned int i = 0; i < memory->n_mr; i++)
		devx_mr_destroy(&memory->mr[i]);
	free(memory->mr);
	devx_eth_table_free_all(eth, memory->table);
	*memory = (struct devx_eth_memory){ 0 };
}
