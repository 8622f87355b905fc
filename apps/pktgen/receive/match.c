/* SPDX-License-Identifier: BSD-3-Clause */
#include "receive/match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * A number that the received frame may have.
 * @cost: half faults that explain this number; the lowest cost is the most likely one
 */
struct candidate {
	uint64_t seq, cost;
	uint32_t damage;
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

/* Returns how many numbers ago the sender sent the previous frame of the same conversation. */
static uint64_t find_conversation_gap(const struct capture *c, uint64_t seq)
{
	const uint32_t i = (uint32_t)(seq % c->n_frames), previous = c->frames[i].previous;

	return previous < i ? i - previous : (uint64_t)c->n_frames + i - previous;
}

/* Is a reordered frame more likely than a lost frame and a duplicate of its next copy? */
static bool is_reordering_likely(const struct match *m, const struct track *t)
{
	const double lost = m->head > t->seen ? (double)(m->head - t->seen) : 0;

	return (double)t->reordered * (double)m->head > lost * (double)t->duplicated;
}

/*
 * Returns the cost if the missing @seq was overtaken only by frames of its conversation, up to the
 * last arrival. Returns UINT64_MAX if that is of another conversation or too far ahead. A copy of
 * the same frame from a later pass looks like @seq, so it does not count as overtaking.
 */
static uint64_t count_overtakers(const struct match *m, const struct track *t, uint64_t seq)
{
	const struct capture *c = m->capture;
	uint64_t at = m->last, cost = 0;
	bool is_repeated = false;

	if (c->frames[at % c->n_frames].conversation != c->frames[seq % c->n_frames].conversation)
		return UINT64_MAX;
	for (unsigned i = 0; i < MATCH_OVERTAKERS && at > seq; i++) {
		const uint64_t gap = find_conversation_gap(c, at);
		const bool is_copy = (at - seq) % c->n_frames == 0;

		cost += is_copy || !track_has_seq(t, at) ? 0 : 2;
		is_repeated |= is_copy;
		if (gap > at - seq)
			break;
		at -= gap;
	}
	/* Makes this cost more than the loss of one number, or than a duplicate of the copy. */
	if (!is_reordering_likely(m, t))
		cost += is_repeated ? 4 : 1;
	return at == seq ? cost : UINT64_MAX;
}

static struct candidate judge_number(const struct match *m, const struct track *t, uint64_t seq,
				     uint32_t damage)
{
	struct candidate c = { .seq = seq, .damage = damage };

	if (seq >= m->head) {
		c.cost = 2 * (seq - m->head);
		return c;
	}
	c.cost = 2 * (m->head - seq);
	c.has_arrived = track_has_seq(t, seq);
	if (c.has_arrived) {
		c.cost++;
	} else if (!damage) {
		const uint64_t cost = count_overtakers(m, t, seq);

		/* Within a pass, a missing frame that is late is likelier than many losses. */
		if (m->head - seq <= m->capture->n_frames && c.cost > 2 * MATCH_LATE)
			c.cost = 2 * MATCH_LATE;
		c.cost = cost < c.cost ? cost : c.cost;
	}
	return c;
}

static bool is_better_candidate(const struct candidate *a, const struct candidate *b)
{
	if (a->damage != b->damage)
		return a->damage < b->damage;
	/* A damaged frame may fit several numbers by chance: prefers one that is still missing. */
	if (a->damage && a->has_arrived != b->has_arrived)
		return b->has_arrived;
	return a->cost < b->cost || (a->cost == b->cost && a->seq < b->seq);
}

static void try_number(const struct match *m, const struct track *t, uint64_t seq, uint32_t damage,
		       struct candidate *best)
{
	const struct candidate c = judge_number(m, t, seq, damage);

	if (is_better_candidate(&c, best))
		*best = c;
}

/* Tries three numbers of frame @i of the capture: the first at or after the head, two before it. */
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

/* Takes the number of the best candidate. Returns whether there is one. */
static bool take_best(struct match *m, const struct candidate *best, uint64_t *seq)
{
	if (best->damage == UINT32_MAX)
		return false;
	*seq = m->last = best->seq;
	advance_head(m, best->seq);
	return true;
}

static bool match_unexpected_frame(struct match *m, const struct track *t, uint64_t limit,
				   const uint8_t *bytes, uint32_t n_bytes, uint64_t *seq)
{
	struct candidate best = { .damage = UINT32_MAX };
	const uint32_t first = capture_find(m->capture, bytes, n_bytes);
	uint32_t i = first;

	if (first == CAPTURE_NONE)
		return false;
	do {
		try_frame(m, t, limit, i, &best);
		i = m->capture->frames[i].twin;
	} while (i != first);
	return take_best(m, &best, seq);
}

bool match_intact_frame(struct match *m, const struct track *t, uint64_t limit,
			const uint8_t *bytes, uint32_t n_bytes, uint64_t *seq)
{
	const struct capture_frame *f = &m->capture->frames[m->cursor];

	if (m->head >= limit || f->n_bytes != n_bytes || memcmp(f->bytes, bytes, n_bytes))
		return match_unexpected_frame(m, t, limit, bytes, n_bytes, seq);
	*seq = m->last = m->head++;
	if (++m->cursor == m->capture->n_frames)
		m->cursor = 0;
	return true;
}

bool match_damaged_frame(struct match *m, const struct track *t, uint64_t limit,
			 const uint8_t *bytes, uint32_t n_bytes, uint64_t *seq)
{
	struct candidate best = { .damage = UINT32_MAX };

	try_damaged_frames(m, t, limit, bytes, n_bytes, &best);
	return take_best(m, &best, seq);
}
