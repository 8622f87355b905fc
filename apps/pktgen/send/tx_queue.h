/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_TX_QUEUE_H
#define PKTGEN_TX_QUEUE_H

#include "send/tx.h"

/**
 * struct tx_queue - a send queue of a port, and the streams that it sends. One thread polls it
 * @pool: buffers of all streams; NULL if there is only one, which has its own
 * @tx: the streams; the first @n_active have not finished
 * @n_tx: number of streams
 * @next: index of the stream to poll next
 * @gaps: gaps between packets of the port; empty if not measured
 */
struct tx_queue {
	uint16_t port, queue;
	struct rte_mempool *pool;
	struct tx **tx;
	unsigned n_tx, n_active, next;
	struct port_gaps gaps;
};

/**
 * tx_queue_poll - send one burst of the next stream that may send
 *
 * A stream keeps its turn until the port has accepted its whole burst. So at most one stream has
 * pending frames.
 *
 * Return: packets that the port accepted
 */
unsigned tx_queue_poll(struct tx_queue *q);

#endif
