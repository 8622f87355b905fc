/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/workers.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include <rte_launch.h>
#include <rte_lcore.h>

#include "base/clock.h"

enum { IDLE_POLLS = 1024 };

static enum gate_order load_order(struct gate *gate)
{
	return atomic_load_explicit(&gate->order, memory_order_acquire);
}

static enum gate_order wait_parked(struct gate *gate)
{
	enum gate_order order;

	atomic_fetch_add(&gate->n_parked, 1);
	while ((order = load_order(gate)) == GATE_PARK)
		sched_yield();
	atomic_fetch_sub(&gate->n_parked, 1);
	return order;
}

static void poll_queues(struct worker *w)
{
	unsigned idle = 0;

	while (load_order(w->gate) == GATE_POLL) {
		unsigned n = 0;

		for (unsigned i = 0; i < w->n_rx; i++)
			n += rx_poll(w->rx[i]);
		for (unsigned i = 0; i < w->n_tx; i++)
			n += tx_queue_poll(w->tx[i]);
		for (unsigned i = 0; i < w->n_responders; i++)
			n += responder_send(w->responders[i]);
		idle = n ? 0 : idle + 1;
		if (idle >= IDLE_POLLS) {
			/* With fewer CPUs than threads, the other threads need this CPU. */
			clock_yield();
			idle = 0;
		}
	}
}

static int run_worker(void *arg)
{
	struct worker *w = arg;

	if (pthread_getcpuclockid(pthread_self(), &w->cpu_clock))
		w->cpu_clock = CLOCK_PROCESS_CPUTIME_ID;
	while (wait_parked(w->gate) != GATE_END)
		poll_queues(w);
	return 0;
}

/* Assigns the queues as placement_make() decided. Queues that expect no stream come last. */
static void assign_queues(struct workers *w, struct run *r)
{
	struct worker *at;

	for (unsigned i = 0; i < r->n_rx; i++) {
		struct rx *q = &r->rx[i];

		at = &w->worker[ports_find_place(&r->ports, q->port)->rx_worker[q->queue]];
		at->rx[at->n_rx++] = q;
	}
	for (unsigned i = 0; i < r->n_queues; i++) {
		struct tx_queue *q = &r->queues[i];

		at = &w->worker[ports_find_place(&r->ports, q->port)->tx_worker[q->queue]];
		at->tx[at->n_tx++] = q;
	}
	for (unsigned i = 0; i < r->n_responders; i++) {
		struct responder *d = &r->responders[i];

		at = &w->worker[ports_find_place(&r->ports, d->port)->tx_worker[0]];
		at->responders[at->n_responders++] = d;
	}
}

static int make_workers(struct workers *w, const struct run *r)
{
	unsigned lcore;

	*w = (struct workers){ 0 };
	RTE_LCORE_FOREACH_WORKER (lcore) {
		struct worker *at = &w->worker[w->n++];

		at->lcore = lcore;
		at->gate = &w->gate;
		at->tx = calloc(r->n_queues, sizeof(struct tx_queue *));
		at->rx = calloc(r->n_rx + 1, sizeof(struct rx *));
		at->responders = calloc(r->n_responders + 1, sizeof(struct responder *));
		if (!at->tx || !at->rx || !at->responders)
			return -ENOMEM;
	}
	return 0;
}

static void free_worker(const struct worker *w)
{
	free(w->tx);
	free(w->rx);
	free(w->responders);
}

/* Removes the workers that have nothing to poll. */
static void remove_idle(struct workers *w)
{
	unsigned n = 0;

	for (unsigned i = 0; i < w->n; i++) {
		if (w->worker[i].n_tx || w->worker[i].n_rx || w->worker[i].n_responders)
			w->worker[n++] = w->worker[i];
		else
			free_worker(&w->worker[i]);
	}
	w->n = n;
}

static void free_workers(struct workers *w)
{
	for (unsigned i = 0; i < w->n; i++)
		free_worker(&w->worker[i]);
}

static void wait_n_parked(struct workers *w, unsigned n)
{
	while (atomic_load(&w->gate.n_parked) != n)
		sched_yield();
}

int workers_start(struct workers *w, struct run *r)
{
	const int rc = make_workers(w, r);

	if (rc) {
		free_workers(w);
		return rc;
	}
	assign_queues(w, r);
	remove_idle(w);
	for (unsigned i = 0; i < w->n; i++)
		rte_eal_remote_launch(run_worker, &w->worker[i], w->worker[i].lcore);
	wait_n_parked(w, w->n);
	return 0;
}

void workers_resume(struct workers *w)
{
	atomic_store_explicit(&w->gate.order, GATE_POLL, memory_order_release);
	wait_n_parked(w, 0);
}

void workers_park(struct workers *w)
{
	atomic_store_explicit(&w->gate.order, GATE_PARK, memory_order_release);
	wait_n_parked(w, w->n);
}

void workers_end(struct workers *w)
{
	atomic_store_explicit(&w->gate.order, GATE_END, memory_order_release);
	rte_eal_mp_wait_lcore();
	free_workers(w);
}

uint64_t workers_read_cpu_ns(const struct workers *w)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < w->n; i++) {
		struct timespec t = { 0 };

		clock_gettime(w->worker[i].cpu_clock, &t);
		sum += (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
	}
	return sum;
}
