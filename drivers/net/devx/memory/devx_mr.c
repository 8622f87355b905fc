/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "devx_log.h"
#include "memory/devx_mr.h"
#include "memory/devx_mr_draft.h"

/* ---- registration -------------------------------------------------------------------- */

static bool is_same(const struct devx_eth_piece *a, const struct devx_eth_piece *b)
{
	return a->addr == b->addr && a->bytes == b->bytes && a->kind == b->kind &&
	       a->pool == b->pool;
}

/* Adds a use, unless it exists already. */
static int add_use(struct devx_eth *eth, const struct devx_eth_piece *piece)
{
	struct devx_eth_memory *memory = &eth->memory;
	struct devx_eth_piece *use;

	for (unsigned int i = 0; i < memory->n_uses; i++)
		if (is_same(&memory->use[i], piece))
			return 0;
	use = devx_eth_list_grow(memory->use, &memory->use_room, memory->n_uses, sizeof(*use));
	if (!use)
		return -ENOMEM;
	memory->use = use;
	use[memory->n_uses++] = *piece;
	return 0;
}

static struct devx_eth_range make_range(const struct devx_mr *mr)
{
	return (struct devx_eth_range){
		.addr = mr->addr, .bytes = mr->bytes, .lkey = prm_be32_of(mr->lkey), .write = true
	};
}

static int register_part(struct devx_eth_mr_draft *d, const struct devx_eth_piece *part)
{
	struct devx_eth_memory *memory = &d->eth->memory;
	struct devx_mr *mr =
		devx_eth_list_grow(memory->mr, &memory->room, memory->n_mr, sizeof(*mr));
	struct devx_eth_range r;
	int rc;

	if (!mr)
		return -ENOMEM;
	memory->mr = mr;
	mr += memory->n_mr;
	*mr = (struct devx_mr){ 0 };
	rc = devx_mr_create(mr, &d->eth->dev, (void *)(uintptr_t)part->addr, part->bytes);
	if (rc)
		return rc;
	memory->n_mr++;
	r = make_range(mr);
	r.eal = part->kind == DEVX_ETH_MEMORY_EAL;
	return devx_eth_mr_draft_insert(d, &r);
}

/*
 * Returns whether a piece is a use of its own. Buffers inside a mapping end with this mapping;
 * memory of EAL or of a dma-buf ends when EAL frees it or the dma-buf is unregistered.
 */
static bool needs_use(const struct devx_eth_mr_draft *d, const struct devx_eth_piece *piece)
{
	const struct devx_eth_memory *memory = &d->eth->memory;
	const uint64_t end = piece->addr + piece->bytes;

	if (piece->kind == DEVX_ETH_MEMORY_MAPPED)
		return true;
	for (unsigned int i = 0; piece->kind == DEVX_ETH_MEMORY_BUFFERS && i < memory->n_uses; i++)
		if (memory->use[i].kind == DEVX_ETH_MEMORY_MAPPED &&
		    piece->addr - memory->use[i].addr < memory->use[i].bytes)
			return false;
	for (unsigned int i = devx_eth_table_find(d->t, piece->addr);
	     i < d->t->n && d->t->range[i].addr < end; i++)
		if (!d->t->range[i].eal && !d->t->range[i].dmabuf)
			return true;
	return false;
}

/* Registers the parts of a piece that no range covers yet. */
static int add_piece(struct devx_eth_mr_draft *d, const struct devx_eth_piece *piece)
{
	const uint64_t end = piece->addr + piece->bytes;
	struct devx_eth_piece part = *piece;

	while (part.addr < end) {
		const unsigned int i = devx_eth_table_find(d->t, part.addr);
		struct devx_eth_range *next = i < d->t->n ? &d->t->range[i] : NULL;

		if (next && next->addr <= part.addr) {
			/* a heap of EAL got memory that the application had mapped */
			if (piece->kind == DEVX_ETH_MEMORY_EAL && !next->dmabuf && !next->eal)
				next->eal = d->changed = true;
			part.addr = next->addr + next->bytes;
		} else {
			const uint64_t stop = next ? RTE_MIN(next->addr, end) : end;
			int rc;

			part.bytes = stop - part.addr;
			rc = register_part(d, &part);
			if (rc)
				return rc;
			part.addr = stop;
		}
	}
	return needs_use(d, piece) ? add_use(d->eth, piece) : 0;
}

/* Logs that a piece cannot be registered. Returns 0 if the port can do without it, or -errno. */
static int report_refusal(struct devx_eth *eth, const struct devx_eth_piece *piece, int rc)
{
	char why[DEVX_TEXT_BYTES + 64];

	if (piece->kind == DEVX_ETH_MEMORY_BUFFERS) {
		devx_eth_log(eth, INFO, "memory at %#" PRIx64 " stays unregistered: %s",
			     piece->addr, devx_strerror(&eth->dev, rc, why, sizeof(why)));
		return 0;
	}
	if (piece->kind == DEVX_ETH_MEMORY_MAPPED)
		return devx_eth_log_failure(eth, rc,
					    "cannot map memory at %#" PRIx64
					    " (for memory of a GPU, call "
					    "rte_pmd_devx_dmabuf_register() first)",
					    piece->addr);
	return devx_eth_log_failure(eth, rc, "cannot use memory at %#" PRIx64 " for packets",
				    piece->addr);
}

int devx_eth_memory_add(struct devx_eth *eth, const struct devx_eth_piece *piece, unsigned int n)
{
	struct devx_eth_mr_draft d;
	int rc = devx_eth_mr_draft_open(&d, eth);

	if (rc)
		return rc;
	for (unsigned int i = 0; !rc && i < n; i++) {
		rc = add_piece(&d, &piece[i]);
		if (rc)
			rc = report_refusal(eth, &piece[i], rc);
	}
	return devx_eth_mr_draft_close(&d, rc);
}

int devx_eth_memory_add_dmabuf(struct devx_eth *eth, const struct devx_mr *mr, bool write)
{
	struct devx_eth_range r = make_range(mr);
	struct devx_eth_mr_draft d;
	int rc = devx_eth_mr_draft_open(&d, eth);

	if (rc)
		return rc;
	r.write = write;
	r.dmabuf = true;
	return devx_eth_mr_draft_close(&d, devx_eth_mr_draft_insert(&d, &r));
}

/* ---- end of memory and of its uses --------------------------------------------------- */

int devx_eth_memory_remove(struct devx_eth *eth, uint64_t addr, uint64_t bytes)
{
	struct devx_eth_mr_draft d;
	int rc = eth->memory.table ? devx_eth_mr_draft_open(&d, eth) : 0;

	if (rc || !eth->memory.table)
		return rc;
	return devx_eth_mr_draft_close(&d, devx_eth_mr_draft_cut(&d, addr, addr + bytes, true));
}

/* Returns the use that contains @addr. If none does, lowers @next to the start of the next use. */
static const struct devx_eth_piece *find_use(const struct devx_eth_memory *memory, uint64_t addr,
					     uint64_t *next)
{
	for (unsigned int i = 0; i < memory->n_uses; i++) {
		const struct devx_eth_piece *use = &memory->use[i];

		if (addr - use->addr < use->bytes)
			return use;
		if (use->addr > addr)
			*next = RTE_MIN(*next, use->addr);
	}
	return NULL;
}

/* Removes from the ranges those parts of an ended use that no other use needs. */
static int cut_use(struct devx_eth_mr_draft *d, const struct devx_eth_piece *ended)
{
	const uint64_t end = ended->addr + ended->bytes;
	uint64_t addr = ended->addr;
	int rc = 0;

	while (!rc && addr < end) {
		uint64_t stop = end;
		const struct devx_eth_piece *use = find_use(&d->eth->memory, addr, &stop);

		if (use)
			stop = use->addr + use->bytes;
		else
			rc = devx_eth_mr_draft_cut(d, addr, stop, false);
		addr = stop;
	}
	return rc;
}

/* Ends the uses of @pool; or, if @pool is NULL, the mapping at @addr. */
static int end_uses(struct devx_eth *eth, const struct rte_mempool *pool, uint64_t addr)
{
	struct devx_eth_memory *memory = &eth->memory;
	unsigned int kept = 0;
	struct devx_eth_mr_draft d;
	int rc = devx_eth_mr_draft_open(&d, eth);

	if (rc)
		return rc;
	for (unsigned int i = 0; i < memory->n_uses; i++) { /* moves the others to the front */
		const struct devx_eth_piece use = memory->use[i];
		const bool ends = pool ? use.pool == pool
				       : use.kind == DEVX_ETH_MEMORY_MAPPED && use.addr == addr;

		if (ends)
			continue;
		memory->use[i] = memory->use[kept];
		memory->use[kept++] = use;
	}
	memory->n_uses = kept;
	for (unsigned int i = kept; !rc && i < d.n_uses; i++)
		rc = cut_use(&d, &memory->use[i]);
	return devx_eth_mr_draft_close(&d, rc);
}

int devx_eth_memory_end_pool(struct devx_eth *eth, const struct rte_mempool *pool)
{
	return end_uses(eth, pool, 0);
}

int devx_eth_memory_end_map(struct devx_eth *eth, uint64_t addr)
{
	return end_uses(eth, NULL, addr);
}

bool devx_eth_memory_outlives_map(const struct devx_eth *eth, uint64_t at)
{
	const struct devx_eth_range *r = devx_eth_range_find(eth->memory.table, at, 1);

	if (r && (r->eal || r->dmabuf))
		return true;
	for (unsigned int i = 0; i < eth->memory.n_uses; i++)
		if (eth->memory.use[i].pool &&
		    at - eth->memory.use[i].addr < eth->memory.use[i].bytes)
			return true;
	return false;
}

/* ---- stop and loss ------------------------------------------------------------------- */

/* Keeps only mappings among the uses. */
static void keep_mappings(struct devx_eth_memory *memory)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < memory->n_uses; i++)
		if (memory->use[i].kind == DEVX_ETH_MEMORY_MAPPED)
			memory->use[n++] = memory->use[i];
	memory->n_uses = n;
}

/* Adds the parts of @r that are mapped. */
static int insert_mapped(struct devx_eth_mr_draft *d, const struct devx_eth_range *r)
{
	const struct devx_eth_memory *memory = &d->eth->memory;
	int rc = 0;

	for (unsigned int i = 0; !rc && i < memory->n_uses; i++) {
		const struct devx_eth_piece *use = &memory->use[i];
		const uint64_t end = RTE_MIN(r->addr + r->bytes, use->addr + use->bytes);
		struct devx_eth_range part = *r;

		part.addr = RTE_MAX(r->addr, use->addr);
		part.bytes = end - part.addr;
		part.eal = false;
		if (part.addr < end)
			rc = devx_eth_mr_draft_insert(d, &part);
	}
	return rc;
}

void devx_eth_memory_stop(struct devx_eth *eth)
{
	struct devx_eth_memory *memory = &eth->memory;
	const struct devx_eth_table *t = memory->table;
	struct devx_eth_mr_draft d;
	int rc;

	memory->reported = false;
	keep_mappings(memory);
	if (!t)
		return;
	rc = devx_eth_mr_draft_open(&d, eth);
	if (!rc) {
		d.t->n = 0;
		d.changed = true;
		for (unsigned int i = 0; !rc && i < t->n; i++)
			rc = t->range[i].dmabuf ? devx_eth_mr_draft_insert(&d, &t->range[i])
						: insert_mapped(&d, &t->range[i]);
		rc = devx_eth_mr_draft_close(&d, rc);
	}
	if (rc) /* the port drops packets in mapped memory until rte_dev_dma_map() maps it again */
		devx_eth_memory_release(eth);
}

void devx_eth_memory_suspend(struct devx_eth *eth)
{
	struct devx_eth_memory *memory = &eth->memory;

	keep_mappings(memory);
	for (unsigned int i = 0; i < memory->n_mr; i++)
		devx_mr_destroy(&memory->mr[i]);
	memory->n_mr = 0;
	devx_eth_table_free_all(eth);
}

int devx_eth_memory_resume(struct devx_eth *eth)
{
	struct devx_eth_memory *memory = &eth->memory;
	struct devx_eth_mr_draft d;
	int rc = devx_eth_mr_draft_open(&d, eth);

	if (rc)
		return rc;
	for (unsigned int i = 0; !rc && i < d.n_uses; i++) {
		const struct devx_eth_piece use = memory->use[i];

		rc = add_piece(&d, &use);
		if (rc)
			report_refusal(eth, &use, rc);
		memory->n_uses = d.n_uses; /* the use exists */
	}
	return devx_eth_mr_draft_close(&d, rc);
}

void devx_eth_memory_release(struct devx_eth *eth)
{
	struct devx_eth_memory *memory = &eth->memory;
	const bool listens = memory->listens;

	memory->n_uses = 0;
	devx_eth_memory_suspend(eth);
	free(memory->mr);
	free(memory->use);
	*memory = (struct devx_eth_memory){ .listens = listens };
}
