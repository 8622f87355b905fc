/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/workers.h"

#include <pthread.h>
#include <sched.h>

#include <rte_launch.h>
#include <rte_lcore.h>

#include "port/eal.h"

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
			n += tx_poll(w->tx[i]);
		idle = n ? 0 : idle + 1;
		if (idle >= IDLE_POLLS) {
			/* With fewer CPUs than threads, the other threads need this CPU. */
			sched_yield();
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

/*
 * Gives the queues to the workers in turn, receivers first: with one flow and two workers, one
 * worker only receives and the other only sends.
 */
static void assign_queues(struct workers *w, struct run *r)
{
	const unsigned n_workers = eal_count_workers();
	const unsigned n_queues = r->n_flows * (r->o->send_only ? 1 : 2);
	unsigned queue = 0;

	*w = (struct workers){ .n = n_queues < n_workers ? n_queues : n_workers };
	for (unsigned i = 0; i < w->n; i++)
		w->worker[i].gate = &w->gate;
	for (unsigned i = 0; i < r->n_flows && !r->o->send_only; i++, queue++) {
		struct worker *at = &w->worker[queue % w->n];

		at->rx[at->n_rx++] = &r->rx[i];
	}
	for (unsigned i = 0; i < r->n_flows; i++, queue++) {
		struct worker *at = &w->worker[queue % w->n];

		at->tx[at->n_tx++] = &r->tx[i];
	}
}

static void wait_n_parked(struct workers *w, unsigned n)
{
	while (atomic_load(&w->gate.n_parked) != n)
		sched_yield();
}

void workers_start(struct workers *w, struct run *r)
{
	unsigned lcore, i = 0;

	assign_queues(w, r);
	RTE_LCORE_FOREACH_WORKER (lcore) {
		if (i < w->n)
			rte_eal_remote_launch(run_worker, &w->worker[i++], lcore);
	}
	wait_n_parked(w, w->n);
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
