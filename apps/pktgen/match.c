/* SPDX-License-Identifier: BSD-3-Clause */
#include "match.h"

#include <stdbool.h>
#include <string.h>

/* How good a number is for a frame: smaller is better. */
struct candidate {
	uint64_t seq;
	uint32_t damage;
	uint64_t distance;
	enum { MISSING, ARRIVED, AHEAD } kind; /* behind the head, behind the head, not behind */
};

static struct candidate judge(const struct match *m, const struct track *t, uint64_t seq,
			      uint32_t damage)
{
	if (seq >= m->head)
		return (struct candidate){ seq, damage, seq - m->head + 1, AHEAD };
	return (struct candidate){ seq, damage, m->head - seq,
				   track_has(t, seq) ? ARRIVED : MISSING };
}

/* A damaged frame is rather one that has not come yet than a further copy of one that has. */
static bool better(const struct candidate *a, const struct candidate *b)
{
	if (a->damage != b->damage)
		return a->damage < b->damage;
	if (a->damage && (a->kind == ARRIVED) != (b->kind == ARRIVED))
		return b->kind == ARRIVED;
	return a->distance != b->distance ? a->distance < b->distance : a->kind < b->kind;
}

/*
 * The numbers next to the head, one behind and one not, that stand for frame @i. One behind
 * that has arrived, while the same frame of the pass before has not: then it is that one, late,
 * rather than one lost and another duplicated.
 */
static void try_frame(const struct match *m, const struct track *t, uint64_t limit, uint32_t i,
		      struct candidate *best)
{
	const uint32_t n = m->capture->n_frames;
	const uint64_t ahead = m->head + (i >= m->cursor ? i - m->cursor : n - m->cursor + i);
	struct candidate c;

	if (ahead < limit) {
		c = judge(m, t, ahead, 0);
		if (better(&c, best))
			*best = c;
	}
	if (ahead < n)
		return;
	c = judge(m, t, ahead - n, 0);
	if (c.kind == ARRIVED && ahead >= 2ull * n && !track_has(t, ahead - 2ull * n)) {
		c.seq -= n;
		c.kind = MISSING;
	}
	if (better(&c, best))
		*best = c;
}

static uint32_t damage_of(const struct capture_frame *f, const uint8_t *bytes, uint32_t n_bytes)
{
	uint32_t damage = 0;

	if (f->n_bytes != n_bytes)
		return UINT32_MAX;
	for (uint32_t i = 0; i < n_bytes && damage <= MATCH_MAX_DAMAGE; i++)
		damage += f->bytes[i] != bytes[i];
	return damage <= MATCH_MAX_DAMAGE ? damage : UINT32_MAX;
}

static void try_damaged(const struct match *m, const struct track *t, uint64_t limit,
			const uint8_t *bytes, uint32_t n_bytes, struct candidate *best)
{
	const uint64_t first = m->head > MATCH_NEAR ? m->head - MATCH_NEAR : 0;

	for (uint64_t seq = first; seq < m->head + MATCH_NEAR && seq < limit; seq++) {
		const uint32_t i = (uint32_t)(seq % m->capture->n_frames);
		const uint32_t damage = damage_of(&m->capture->frames[i], bytes, n_bytes);
		const struct candidate c = judge(m, t, seq, damage);

		if (damage != UINT32_MAX && better(&c, best))
			*best = c;
	}
}

static void advance(struct match *m, uint64_t seq)
{
	if (seq < m->head)
		return;
	m->head = seq + 1;
	m->cursor = (uint32_t)(m->head % m->capture->n_frames);
}

static enum match_verdict match_other(struct match *m, const struct track *t, uint64_t limit,
				      const uint8_t *bytes, uint32_t n_bytes, uint64_t *seq)
{
	struct candidate best = { .damage = UINT32_MAX, .distance = UINT64_MAX };
	const uint32_t first = capture_find(m->capture, bytes, n_bytes);
	uint32_t i = first;

	if (first != CAPTURE_NONE) {
		do {
			try_frame(m, t, limit, i, &best);
			i = m->capture->frames[i].twin;
		} while (i != first);
	}
	if (best.damage != 0)
		try_damaged(m, t, limit, bytes, n_bytes, &best);
	if (best.damage == UINT32_MAX)
		return MATCH_FOREIGN;
	*seq = best.seq;
	advance(m, best.seq);
	return best.damage ? MATCH_DAMAGED : MATCH_GOOD;
}

enum match_verdict match_frame(struct match *m, const struct track *t, uint64_t limit,
			       const uint8_t *bytes, uint32_t n_bytes, uint64_t *seq)
{
	const struct capture_frame *f = &m->capture->frames[m->cursor];

	if (m->head >= limit || f->n_bytes != n_bytes || memcmp(f->bytes, bytes, n_bytes))
		return match_other(m, t, limit, bytes, n_bytes, seq);
	*seq = m->head++;
	if (++m->cursor == m->capture->n_frames)
		m->cursor = 0;
	return MATCH_GOOD;
}
