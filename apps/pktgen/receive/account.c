/* SPDX-License-Identifier: BSD-3-Clause */
#include "receive/account.h"

#include "receive/rx.h"

struct account account_make(const struct rx *rx, bool send_only)
{
	const struct track *t = &rx->track;
	const uint64_t sent = rx->tx->sent;

	return (struct account){
		.sent = sent,
		.received = track_count_received(t),
		.lost = send_only ? 0 : track_count_lost(t, sent),
		.duplicated = t->duplicated,
		.reordered = t->reordered,
		.corrupted = t->corrupted,
		.unreadable = t->unreadable,
		.foreign = rx->foreign,
		.untracked = t->untracked,
	};
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
	sum->foreign += a->foreign;
	sum->untracked += a->untracked;
}
