/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "devx_log.h"
#include "memory/devx_mr_draft.h"

void *devx_eth_list_grow(void *list, unsigned int *room, unsigned int n, size_t item_bytes)
{
	const unsigned int more = *room ? 2 * *room : 16;

	if (n < *room)
		return list;
	list = realloc(list, more * item_bytes);
	if (list)
		*room = more;
	return list;
}

int devx_eth_mr_draft_open(struct devx_eth_mr_draft *d, struct devx_eth *eth)
{
	const struct devx_eth_table *old = eth->memory.table;
	const unsigned int n = old ? old->n : 0;

	*d = (struct devx_eth_mr_draft){
		.eth = eth,
		.t = malloc(sizeof(*d->t) + (n + 1) * sizeof(d->t->range[0])),
		.room = n + 1,
		.n_mr = eth->memory.n_mr,
		.n_uses = eth->memory.n_uses,
	};
	if (!d->t) {
		devx_eth_log(eth, ERR, "cannot allocate a table of %u memory ranges", n);
		return -ENOMEM;
	}
	d->t->n = n;
	if (n)
		memcpy(d->t->range, old->range, n * sizeof(old->range[0]));
	return 0;
}

int devx_eth_mr_draft_insert(struct devx_eth_mr_draft *d, const struct devx_eth_range *r)
{
	const unsigned int at = devx_eth_table_find(d->t, r->addr);

	if (d->t->n == d->room) {
		const size_t bytes = sizeof(*d->t) + 2 * d->room * sizeof(*r);
		struct devx_eth_table *t = realloc(d->t, bytes);

		if (!t) {
			devx_eth_log(d->eth, ERR, "cannot allocate a table of %u memory ranges",
				     2 * d->room);
			return -ENOMEM;
		}
		d->t = t;
		d->room *= 2;
	}
	memmove(&d->t->range[at + 1], &d->t->range[at], (d->t->n - at) * sizeof(*r));
	d->t->range[at] = *r;
	d->t->n++;
	d->changed = true;
	return 0;
}

static void drop_empty_ranges(struct devx_eth_table *t)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < t->n; i++)
		if (t->range[i].bytes)
			t->range[n++] = t->range[i];
	t->n = n;
}

int devx_eth_mr_draft_cut(struct devx_eth_mr_draft *d, uint64_t addr, uint64_t end, bool all)
{
	unsigned int i = devx_eth_table_find(d->t, addr);

	for (; i < d->t->n && d->t->range[i].addr < end; i++) {
		struct devx_eth_range *left = &d->t->range[i], right = *left;
		const uint64_t r_end = left->addr + left->bytes;

		if (!all && (left->eal || left->dmabuf))
			continue;
		d->changed = true;
		left->bytes = addr > left->addr ? addr - left->addr : 0;
		right.addr = end;
		right.bytes = r_end > end ? r_end - end : 0;
		if (right.bytes && devx_eth_mr_draft_insert(d, &right))
			return -ENOMEM;
	}
	drop_empty_ranges(d->t);
	return 0;
}

/* Ends registrations that contain no range of the table. One that is partly freed stays. */
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

static void undo_draft(const struct devx_eth_mr_draft *d)
{
	struct devx_eth_memory *memory = &d->eth->memory;

	while (memory->n_mr > d->n_mr)
		devx_mr_destroy(&memory->mr[--memory->n_mr]);
	memory->n_uses = d->n_uses;
}

int devx_eth_mr_draft_close(struct devx_eth_mr_draft *d, int rc)
{
	struct devx_eth_table *t = NULL;

	if (!rc && d->changed) {
		t = devx_eth_table_create(d->eth, d->t->range, d->t->n);
		rc = t ? 0 : -ENOMEM;
	}
	free(d->t);
	if (rc)
		undo_draft(d);
	if (t) {
		devx_eth_table_publish(d->eth, t);
		end_unused(d->eth);
	}
	return rc;
}
