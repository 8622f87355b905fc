/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/steering/flow.h"

#include <stdlib.h>

static uint32_t hash_value(const struct emu_flow_group *g, const struct emu_fte *fte)
{
	uint32_t hash = 0;

	for (unsigned k = 0; k < g->n_used; k++)
		hash = emu_group_hash(hash, fte->value[g->used[k]] & g->mask[g->used[k]]);
	return hash;
}

static struct emu_fte **find_bucket(const struct emu_flow_group *g, const struct emu_fte *fte)
{
	return &g->bucket[hash_value(g, fte) >> (32 - g->log_buckets)];
}

/* Fills empty buckets with all entries: first in reverse order, then reverses each bucket. */
static void fill_buckets(struct emu_flow_group *g)
{
	for (struct emu_fte *fte = g->ftes; fte; fte = fte->next) {
		struct emu_fte **bucket = find_bucket(g, fte);

		fte->next_in_bucket = *bucket;
		*bucket = fte;
	}
	for (uint32_t i = 0; i < 1u << g->log_buckets; i++) {
		struct emu_fte *left = g->bucket[i];

		g->bucket[i] = NULL;
		while (left) {
			struct emu_fte *fte = left;

			left = fte->next_in_bucket;
			fte->next_in_bucket = g->bucket[i];
			g->bucket[i] = fte;
		}
	}
}

/* Replaces the buckets by at least one per entry. Returns false if memory runs out. */
static bool grow_buckets(struct emu_flow_group *g)
{
	const unsigned log = 32 - (unsigned)__builtin_clz(g->n_ftes);
	struct emu_fte **bucket = calloc(1ull << log, sizeof(*bucket));

	if (!bucket)
		return false;
	free(g->bucket);
	g->bucket = bucket;
	g->log_buckets = (uint8_t)log;
	fill_buckets(g);
	return true;
}

void emu_group_insert(struct emu_flow_group *g, struct emu_fte **link, struct emu_fte *fte)
{
	struct emu_fte **place;

	fte->next = *link;
	*link = fte;
	g->n_ftes++;
	if (g->n_ftes >= EMU_GROUP_HASHED && g->n_ftes > 1u << g->log_buckets && grow_buckets(g))
		return;
	if (!g->bucket)
		return;
	place = find_bucket(g, fte);
	while (*place && (*place)->index < fte->index)
		place = &(*place)->next_in_bucket;
	fte->next_in_bucket = *place;
	*place = fte;
}

struct emu_fte *emu_group_remove(struct emu_flow_group *g, struct emu_fte **link)
{
	struct emu_fte *fte = *link, **place;

	*link = fte->next;
	g->n_ftes--;
	if (!g->bucket)
		return fte;
	place = find_bucket(g, fte);
	while (*place != fte)
		place = &(*place)->next_in_bucket;
	*place = fte->next_in_bucket;
	return fte;
}

void emu_group_free(struct emu_flow_group *g)
{
	free(g->bucket);
	free(g);
}
