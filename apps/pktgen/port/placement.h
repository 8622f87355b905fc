/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PLACEMENT_H
#define PKTGEN_PLACEMENT_H

#include <stddef.h>

#include "port/cores.h"

/**
 * struct placement - which worker polls which queue of a port
 * @id: number of the port in EAL
 * @node: NUMA node of the port; -1: unknown
 * @sends, @receives: the port sends, or receives, a flow of the job
 * @most_tx, @most_rx: number of queues of each direction that the port and its flows can use
 * @asked: --queues for this port, not checked against @most_tx and @most_rx
 * @n_tx, @n_rx: receive the numbers of queues, at least 1
 * @tx_worker, @rx_worker: receive the index of the worker of each queue
 */
struct placement {
	uint16_t id;
	int node;
	bool sends, receives;
	uint16_t most_tx, most_rx;
	struct queues_option asked;
	uint16_t n_tx, n_rx;
	uint16_t tx_worker[QUEUES_MAX], rx_worker[QUEUES_MAX];
};

/**
 * placement_make - choose the numbers of queues, and assign each queue to a worker
 * @p, @n: the ports
 * @c: the workers
 * @is_spread: add queues until each worker has one; false: one queue per port and direction
 *
 * A queue goes to the worker with the fewest queues, preferably on the NUMA node of the port.
 * Queues that receive flows come first: with two workers and one flow, one worker only receives and
 * the other only sends. Receive queues of other ports do not count as load: they are polled only to
 * notice stray frames.
 */
void placement_make(struct placement *p, unsigned n, const struct cores *c, bool is_spread);

/**
 * placement_format_worker - describe a worker: "CPU 3 (NUMA node 0): receives port 1 queue 0"
 * @p, @n, @c: as in placement_make()
 * @worker: index of the worker
 * @text: receives the text, cut to @bytes
 *
 * Return: whether the worker polls a queue
 */
bool placement_format_worker(const struct placement *p, unsigned n, const struct cores *c,
			     unsigned worker, char *text, size_t bytes);

/**
 * placement_count_far - count the queues whose worker is on another NUMA node than the port
 * @p: the port. Its node is known
 */
unsigned placement_count_far(const struct placement *p, const struct cores *c);

#endif
