/* SPDX-License-Identifier: BSD-3-Clause */
#include "receive/account.h"

#include "receive/rx.h"

enum { MAX_QUEUES = 1024 };

/* Adds what one queue received of a stream. */
static void add_stream(struct account *a, const struct rx_stream *s)
{
	const struct track *t = &s->track;

	a->received += track_count_received(t);
	a->reordered += t->reordered;
	a->corrupted += t->corrupted;
	a->unreadable += t->unreadable;
	a->untracked += t->untracked;
	a->changed += s->changed;
	a->truncated += s->truncated;
	a->untimed += s->untimed;
}

struct account account_make(const struct tx *tx, const struct rx *rx, unsigned n_rx, bool send_only)
{
	const struct track *tracks[MAX_QUEUES];
	struct account a = { .sent = tx->sent };
	uint64_t here = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < n_rx && n < MAX_QUEUES; i++) {
		const struct rx_stream *s = rx_find_stream(&rx[i], tx);

		if (!s)
			continue;
		tracks[n++] = &s->track;
		add_stream(&a, s);
	}
	if (n)
		here = track_count_distinct(tracks, n) + a.unreadable;
	/* If more packets arrived than were sent, some unreadable frames were further copies. */
	if (here > a.sent && here - a.sent <= a.unreadable)
		here = a.sent;
	/* A copy that arrived in another queue than the first copy is also a duplicate. */
	a.duplicated = a.received - a.untracked - here;
	a.lost = send_only || here > a.sent ? 0 : a.sent - here;
	return a;
}

void account_add(struct account *sum, const struct account *a)
{
	sum->sent += a->sent;
	sum->received += a->received;
	sum->lost += a->lost;
	sum->duplicated += a->duplicated;
	sum->reordered += a->reordered;
	sum->corrupted += a->corrupted;
	sum->unreadable += a->unreadable;
	sum->changed += a->changed;
	sum->truncated += a->truncated;
	sum->untimed += a->untimed;
	sum->untracked += a->untracked;
}
