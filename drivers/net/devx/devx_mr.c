/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_memory.h>
#include <rte_mempool.h>

#include "devx_ethdev.h"
#include "devx_mr.h"

/* Index of the first range that ends behind @addr. */
static unsigned int
first_behind(const struct devx_eth_ranges *t, uint64_t addr)
{
	unsigned int low = 0, high = t->n;

	while (low < high) {
		const unsigned int mid = low + (high - low) / 2;

		if (t->range[mid].addr + t->range[mid].bytes <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct devx_eth_range *
devx_eth_range_find(const struct devx_eth_ranges *t, uint64_t addr, uint32_t bytes)
{
	const unsigned int i = first_behind(t, addr);

	return i < t->n && devx_eth_range_holds(&t->range[i], addr, bytes) ? &t->range[i] : NULL;
}

static int
grow(struct devx_eth_ranges *t)
{
	const unsigned int room = t->room ? 2 * t->room : 16;
	struct devx_eth_range *range = realloc(t->range, room * sizeof(*range));
	struct devx_mr *mr;

	if (!range)
		return -ENOMEM;
	t->range = range;
	mr = realloc(t->mr, room * sizeof(*mr));
	if (!mr)
		return -ENOMEM;
	t->mr = mr;
	t->room = room;
	return 0;
}

/* Register [addr, addr + bytes), which overlaps no range of the table. */
static int
add(struct devx_eth *eth, uint64_t addr, uint64_t bytes, const char *what)
{
	struct devx_eth_ranges *t = &eth->ranges;
	unsigned int i;
	int rc = 0;

	if (t->n == t->room)
		rc = grow(t);
	if (!rc) {
		t->mr[t->n] = (struct devx_mr){0};
		rc = devx_mr_create(&t->mr[t->n], &eth->dev, (void *)(uintptr_t)addr, bytes);
	}
	if (rc)
		return devx_eth_fail(eth, rc, "cannot register %" PRIu64 " bytes of %s", bytes, what);

	i = first_behind(t, addr);
	memmove(&t->range[i + 1], &t->range[i], (t->n - i) * sizeof(t->range[0]));
	t->range[i] = (struct devx_eth_range){ addr, bytes, prm_be32_of(t->mr[t->n].lkey) };
	t->n++;
	return 0;
}

/* Register the parts of [addr, addr + bytes) that no range covers yet. */
static int
cover(struct devx_eth *eth, uint64_t addr, uint64_t bytes, const char *what)
{
	const uint64_t end = addr + bytes;

	while (addr < end) {
		const struct devx_eth_ranges *t = &eth->ranges;
		const unsigned int i = first_behind(t, addr);
		const uint64_t next = i < t->n ? t->range[i].addr : UINT64_MAX;

		if (addr < next) {
			const uint64_t stop = RTE_MIN(next, end);
			const int rc = add(eth, addr, stop - addr, what);

			if (rc)
				return rc;
			addr = stop;
		} else {
			addr = t->range[i].addr + t->range[i].bytes;
		}
	}
	return 0;
}

struct walk {
	struct devx_eth *eth;
	int rc;
};

static int
cover_memsegs(const struct rte_memseg_list *msl, const struct rte_memseg *ms, size_t bytes,
	      void *arg)
{
	struct walk *walk = arg;

	RTE_SET_USED(msl);
	walk->rc = cover(walk->eth, ms->addr_64, bytes, "EAL's memory");
	return walk->rc ? 1 : 0;
}

static void
cover_chunk(struct rte_mempool *mp, void *arg, struct rte_mempool_memhdr *chunk,
	    unsigned int idx)
{
	struct walk *walk = arg;

	RTE_SET_USED(idx);
	if (!walk->rc)
		walk->rc = cover(walk->eth, (uintptr_t)chunk->addr, chunk->len, mp->name);
}

static void
cover_mempool(struct rte_mempool *mp, void *arg)
{
	rte_mempool_mem_iter(mp, cover_chunk, arg);
}

int
devx_eth_ranges_start(struct devx_eth *eth)
{
	struct walk walk = { .eth = eth };

	if (rte_memseg_contig_walk(cover_memsegs, &walk) < 0 && !walk.rc)
		walk.rc = -EIO;
	if (!walk.rc)
		rte_mempool_walk(cover_mempool, &walk);
	if (walk.rc)
		devx_eth_ranges_stop(eth);
	return walk.rc;
}

void
devx_eth_ranges_stop(struct devx_eth *eth)
{
	struct devx_eth_ranges *t = &eth->ranges;

	for (unsigned int i = 0; i < t->n; i++)
		devx_mr_destroy(&t->mr[i]);
	free(t->range);
	free(t->mr);
	*t = (struct devx_eth_ranges){0};
}
