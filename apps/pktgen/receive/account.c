/* SPDX-License-Identifier: BSD-3-Clause */
#include "receive/account.h"

#include "receive/rx.h"

enum { MAX_QUEUES = 1024 };

/* Finds the accounts of all queues for a stream. Returns their number. */
static unsigned find_tracks(const struct tx *tx, const struct rx *rx, unsigned n_rx,
			    const struct track *tracks[MAX_QUEUES])
{
	unsigned n = 0;

	for (unsigned i = 0; i < n_rx && n < MAX_QUEUES; i++) {
		const struct rx_stream *s = rx_find_stream(&rx[i], tx);

		if (s)
			tracks[n++] = &s->track;
	}
	return n;
}

struct account account_make(const struct tx *tx, const struct rx *rx, unsigned n_rx, bool send_only)
{
	const struct track *tracks[MAX_QUEUES];
	const unsigned n = find_tracks(tx, rx, n_rx, tracks);
	struct account a = { .sent = tx->sent };
	uint64_t here = 0;

	for (unsigned i = 0; i < n; i++) {
		const struct track *t = tracks[i];

		a.received += track_count_received(t);
		a.reordered += t->reordered;
		a.corrupted += t->corrupted;
		a.unreadable += t->unreadable;
		a.untracked += t->untracked;
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
	sum->untracked += a->untracked;
}
