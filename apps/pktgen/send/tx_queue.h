/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_TX_QUEUE_H
#define PKTGEN_TX_QUEUE_H

#include "send/tx.h"

/**
 * struct tx_queue - a send queue of a port, and the streams that it sends. One thread polls it
 * @pool: buffers of all streams, if there are several; else NULL: the stream has its own
 * @tx: the streams; the first @n_active have not finished
 * @n_tx: number of streams
 * @next: the stream whose turn it is
 */
struct tx_queue {
	uint16_t port, queue;
	struct rte_mempool *pool;
	struct tx **tx;
	unsigned n_tx, n_active, next;
};

/**
 * tx_queue_poll - send one burst of the next stream that may send
 *
 * A stream whose burst the port did not take as a whole keeps its turn. So only one stream has
 * frames that wait.
 *
 * Return: packets that the port took
 */
unsigned tx_queue_poll(struct tx_queue *q);

#endif
