/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_WORKERS_H
#define PKTGEN_WORKERS_H

#include <rte_config.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "run/run.h"

/**
 * DOC: Worker threads
 *
 * A worker polls its senders and receivers after the order GATE_POLL, and waits after GATE_PARK.
 * The controller may change senders and receivers only while all workers are parked; it may change
 * their atomic members at any time.
 */

enum { WORKERS_MAX = RTE_MAX_LCORE };

enum gate_order { GATE_PARK, GATE_POLL, GATE_END };

/** struct gate - the controller's order, and how many workers are parked */
struct gate {
	_Atomic enum gate_order order;
	atomic_uint n_parked;
};

/**
 * struct worker - one thread
 * @tx, @rx: send and receive queues that the thread polls in turn
 * @responders: the responders whose answers the thread sends
 * @lcore: EAL's lcore that runs it
 * @cpu_clock: the clock of the thread's CPU time
 */
struct worker {
	struct tx_queue **tx;
	struct rx **rx;
	struct responder **responders;
	unsigned n_tx, n_rx, n_responders, lcore;
	clockid_t cpu_clock;
	struct gate *gate;
};

/** struct workers - all threads of a run. @n: threads that have something to poll */
struct workers {
	struct worker worker[WORKERS_MAX];
	unsigned n;
	struct gate gate;
};

/**
 * workers_start - assign the queues to workers, and start the workers parked
 *
 * Return: 0 when all are parked; or -ENOMEM, with no worker running
 */
int workers_start(struct workers *w, struct run *r);

/** workers_resume - make all workers poll. Returns when none is parked any more */
void workers_resume(struct workers *w);

/** workers_park - interrupt polling. Returns when all workers are parked */
void workers_park(struct workers *w);

/** workers_end - end all workers. Returns when all threads have ended */
void workers_end(struct workers *w);

/** workers_read_cpu_ns - sum up the CPU time of all worker threads since each thread started */
uint64_t workers_read_cpu_ns(const struct workers *w);

#endif
