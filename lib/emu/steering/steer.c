/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Receive steering: walks flow tables, groups and entries.
 */
#include "emu/steering/steer.h"

#include <string.h>

#include "emu/base/dev.h"
#include "emu/steering/flow.h"

/* State of one walk. dword[] caches the match dwords of the frame that get_dword() has returned. */
struct walk {
	const struct emu_frame *f;
	const struct emu_parsed *p;
	struct emu_verdict *v;
	unsigned n_hops;
	uint64_t have[(EMU_MATCH_DWORDS + 63) / 64];
	uint32_t dword[EMU_MATCH_DWORDS];
};

static uint32_t get_dword(struct walk *w, unsigned i)
{
	if (!(w->have[i / 64] >> i % 64 & 1)) {
		w->dword[i] = emu_match_dword(i, w->f, w->p);
		w->have[i / 64] |= 1ull << i % 64;
	}
	return w->dword[i];
}

static bool entry_matches(struct walk *w, const struct emu_flow_group *g, const struct emu_fte *fte)
{
	for (unsigned k = 0; k < g->n_used; k++) {
		const unsigned i = g->used[k];

		if ((get_dword(w, i) ^ fte->value[i]) & g->mask[i])
			return false;
	}
	return true;
}

static const struct emu_fte *find_candidates(struct walk *w, const struct emu_flow_group *g)
{
	uint32_t hash = 0;

	for (unsigned k = 0; k < g->n_used; k++)
		hash = emu_group_hash(hash, get_dword(w, g->used[k]) & g->mask[g->used[k]]);
	return emu_group_bucket(g, hash);
}

/* Finds the matching entry with the lowest flow index: groups and entries are sorted by index. */
static const struct emu_fte *find_first_match(struct walk *w, const struct emu_flow_table *t)
{
	for (const struct emu_flow_group *g = t->groups; g; g = g->next) {
		const struct emu_fte *fte;

		if (g->bucket) {
			fte = find_candidates(w, g);
			while (fte && !entry_matches(w, g, fte))
				fte = fte->next_in_bucket;
		} else {
			fte = g->ftes;
			while (fte && !entry_matches(w, g, fte))
				fte = fte->next;
		}
		if (fte)
			return fte;
	}
	return NULL;
}

static void walk_table(struct walk *w, const struct emu_flow_table *t);

static void apply_entry(struct walk *w, const struct emu_fte *fte)
{
	struct emu_verdict *v = w->v;

	if (fte->action & PRM_FLOW_CONTEXT_ACTION_COUNT && fte->counter &&
	    v->n_counters < EMU_MAX_DESTS)
		v->counter[v->n_counters++] = fte->counter;
	if (fte->action & PRM_FLOW_CONTEXT_ACTION_DROP)
		return;
	if (!(fte->action & PRM_FLOW_CONTEXT_ACTION_FWD_DEST)) {
		v->missed = true; /* action "allow" means the default, as a miss does */
		return;
	}
	for (unsigned i = 0; i < fte->n_dests; i++) {
		const struct emu_flow_dest *d = &fte->dest[i];

		if (d->type == PRM_FLOW_DESTINATION_TYPE_FLOW_TABLE)
			walk_table(w, d->table);
		else if (d->type == PRM_FLOW_DESTINATION_TYPE_TIR && v->n_tirs < EMU_MAX_DESTS) {
			v->to[v->n_tirs].tir = d->tir;
			v->to[v->n_tirs++].flow_tag = fte->flow_tag;
		}
	}
}

static void walk_table(struct walk *w, const struct emu_flow_table *t)
{
	while (t && w->n_hops++ < EMU_MAX_HOPS) {
		const struct emu_fte *fte = find_first_match(w, t);

		if (fte) {
			apply_entry(w, fte);
			return;
		}
		t = t->miss_action == PRM_FLOW_TABLE_MISS_ACTION_FWD ? t->miss : NULL;
	}
	/*
	 * Drops a frame that misses in the last table. Source: rdma-core, dr_domain_caps_init: the
	 * default destination of its NIC_RX tables is the address that drops.
	 */
	w->v->missed = true;
}

void emu_steer_frame(struct emu *emu, const struct emu_frame *f, const struct emu_parsed *p,
		     struct emu_verdict *v)
{
	struct walk w;

	w.f = f;
	w.p = p;
	w.v = v;
	w.n_hops = 0;
	memset(w.have, 0, sizeof(w.have));
	v->n_tirs = 0;
	v->n_counters = 0;
	v->missed = false;
	walk_table(&w, emu->rx_root);
}
