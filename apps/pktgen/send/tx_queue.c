/* SPDX-License-Identifier: BSD-3-Clause */
#include "send/tx_queue.h"

/* Moves a finished stream after the active ones. */
static void remove_stream(struct tx_queue *q, unsigned i)
{
	struct tx *tx = q->tx[i];

	q->n_active--;
	q->tx[i] = q->tx[q->n_active];
	q->tx[q->n_active] = tx;
}

unsigned tx_queue_poll(struct tx_queue *q)
{
	for (unsigned tries = q->n_active; tries; tries--) {
		if (q->next >= q->n_active)
			q->next = 0;
		struct tx *tx = q->tx[q->next];
		const unsigned n = tx_poll(tx);

		if (atomic_load_explicit(&tx->done, memory_order_relaxed))
			remove_stream(q, q->next);
		else if (!tx->n_pending)
			q->next++;
		if (n || tx->n_pending)
			return n;
	}
	return 0;
}
