/* SPDX-License-Identifier: BSD-3-Clause */
#include "receive/match.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A number that the received frame may have. is_better_candidate() compares two of them. */
struct candidate {
	uint64_t seq;
	uint32_t damage;
	enum {
		JUST_AHEAD, /* at most MATCH_AHEAD after the head: a few frames were lost */
		LATE,       /* before the head, and has not arrived yet */
		NEAREST,    /* any other number */
	} kind;
	uint64_t distance;
	bool has_arrived;
};

int match_init(struct match *m, const struct capture *c)
{
	*m = (struct match){ .capture = c, .order = calloc(c->n_conversations, sizeof(*m->order)) };
	return m->order ? 0 : -ENOMEM;
}

void match_free(struct match *m)
{
	free(m->order);
	*m = (struct match){ 0 };
}

static struct candidate judge_number(const struct match *m, const struct track *t, uint64_t seq,
				     uint32_t damage)
{
	struct candidate c = { .seq = seq, .damage = damage, .kind = NEAREST };

	if (seq >= m->head) {
		c.distance = seq - m->head + 1;
		if (c.distance <= MATCH_AHEAD)
			c.kind = JUST_AHEAD;
		return c;
	}
	c.distance = m->head - seq;
	c.has_arrived = track_has_seq(t, seq);
	if (!c.has_arrived)
		c.kind = LATE;
	return c;
}

static bool is_better_candidate(const struct candidate *a, const struct candidate *b)
{
	if (a->damage != b->damage)
		return a->damage < b->damage;
	/* A damaged frame may fit several numbers by chance: prefers one that has not arrived. */
	if (a->damage && a->has_arrived != b->has_arrived)
		return b->has_arrived;
	if (!a->damage && a->kind != b->kind)
		return a->kind < b->kind;
	if (a->distance != b->distance)
		return a->distance < b->distance;
	return a->has_arrived > b->has_arrived;
}

static void try_number(const struct match *m, const struct track *t, uint64_t seq, uint32_t damage,
		       struct candidate *best)
{
	const struct candidate c = judge_number(m, t, seq, damage);

	if (is_better_candidate(&c, best))
		*best = c;
}

/* Tries three numbers of frame @i of the capture: the first from the head on, and two before it. */
static void try_frame(const struct match *m, const struct track *t, uint64_t limit, uint32_t i,
		      struct candidate *best)
{
	const uint64_t n = m->capture->n_frames;
	const uint64_t ahead = m->head + (i >= m->cursor ? i - m->cursor : n - m->cursor + i);

	if (ahead < limit)
		try_number(m, t, ahead, 0, best);
	if (ahead >= n)
		try_number(m, t, ahead - n, 0, best);
	if (ahead >= 2 * n)
		try_number(m, t, ahead - 2 * n, 0, best);
}

static uint32_t count_damage(const struct capture_frame *f, const uint8_t *bytes, uint32_t n_bytes)
{
	uint32_t damage = 0;

	if (f->n_bytes != n_bytes)
		return UINT32_MAX;
	for (uint32_t i = 0; i < n_bytes && damage <= MATCH_MAX_DAMAGE; i++)
		damage += f->bytes[i] != bytes[i];
	return damage <= MATCH_MAX_DAMAGE ? damage : UINT32_MAX;
}

static void try_damaged_frames(const struct match *m, const struct track *t, uint64_t limit,
			       const uint8_t *bytes, uint32_t n_bytes, struct candidate *best)
{
	const uint64_t first = m->head > MATCH_NEAR ? m->head - MATCH_NEAR : 0;

	for (uint64_t seq = first; seq < m->head + MATCH_NEAR && seq < limit; seq++) {
		const uint32_t i = (uint32_t)(seq % m->capture->n_frames);
		const uint32_t damage = count_damage(&m->capture->frames[i], bytes, n_bytes);

		if (damage != UINT32_MAX)
			try_number(m, t, seq, damage, best);
	}
}

static void advance_head(struct match *m, uint64_t seq)
{
	if (seq < m->head)
		return;
	m->head = seq + 1;
	m->cursor = (uint32_t)(m->head % m->capture->n_frames);
}

static enum match_verdict match_unexpected_frame(struct match *m, const struct track *t,
						 uint64_t limit, const uint8_t *bytes,
						 uint32_t n_bytes, uint64_t *seq)
{
	struct candidate best = { .damage = UINT32_MAX };
	const uint32_t first = capture_find(m->capture, bytes, n_bytes);
	uint32_t i = first;

	if (first != CAPTURE_NONE) {
		do {
			try_frame(m, t, limit, i, &best);
			i = m->capture->frames[i].twin;
		} while (i != first);
	}
	if (best.damage != 0)
		try_damaged_frames(m, t, limit, bytes, n_bytes, &best);
	if (best.damage == UINT32_MAX)
		return MATCH_FOREIGN;
	*seq = best.seq;
	advance_head(m, best.seq);
	return best.damage ? MATCH_DAMAGED : MATCH_GOOD;
}

enum match_verdict match_frame(struct match *m, const struct track *t, uint64_t limit,
			       const uint8_t *bytes, uint32_t n_bytes, uint64_t *seq)
{
	const struct capture_frame *f = &m->capture->frames[m->cursor];

	if (m->head >= limit || f->n_bytes != n_bytes || memcmp(f->bytes, bytes, n_bytes))
		return match_unexpected_frame(m, t, limit, bytes, n_bytes, seq);
	*seq = m->head++;
	if (++m->cursor == m->capture->n_frames)
		m->cursor = 0;
	return MATCH_GOOD;
}
