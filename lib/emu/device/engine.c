/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine moves packets and events. run_turn() serves one port; a thread serves all in turn.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

#include "emu/base/dev.h"
#include "emu/device/traffic.h"
#include "emu/queue/cq_event.h"
#include "emu/queue/cq_ring.h"
#include "emu/queue/pacing.h"
#include "emu/queue/sq.h"
#include "emu/queue/uar_page.h"
#include "emu/wire/wire.h"

enum {
	TURN = 256,        /* at most this many packets of one port in a turn */
	SLICE = 64,        /* at most this many packets of one SQ before the next SQ is served */
	SPIN_TURNS = 2000, /* idle turns without a wait; then the engine calls sched_yield() */
	YIELD_TURNS = 200, /* idle turns with sched_yield(); then the engine sleeps */
	SLEEP_MIN_NS = 5000,
	SLEEP_MAX_NS = 500000, /* the longest delay of the first packet after an idle time */
	TIMER_SLACK_NS = 1000,
};

/*
 * Reads the clock and writes it to the clock register, before any CQE with this time. One store, so
 * that a driver that reads both halves never finds an older one.
 */
static void update_clock(struct emu_adapter *a)
{
	a->now_ns = emu_now_ns();
	if (a->timer)
		__atomic_store_n(a->timer, prm_be64_of(emu_clock_of(a->model, a->now_ns)).raw,
				 __ATOMIC_RELEASE);
}

/*
 * Serves the SQs that have WQEs to execute, one slice each, in turn. Stops at an SQ that made no
 * progress because the wire is full; the next call serves that SQ first. Also stops when a thread
 * waits for the adapter lock.
 *
 * Reads the clock for each slice, after the doorbell: no frame arrives before it was sent.
 */
static unsigned run_sqs(struct emu *emu, unsigned budget)
{
	unsigned moved = 0;

	while (emu->busy && moved < budget) {
		struct emu_sq *sq = emu->busy->next_busy;
		const unsigned left = budget - moved;
		unsigned n;

		update_clock(emu->adapter);
		n = emu_sq_run(emu, sq, left < SLICE ? left : SLICE);
		/* now, because a driver that waits for completions may have a full send queue */
		emu_cq_publish(emu->adapter);
		moved += n;
		if (sq->state != PRM_WQ_STATE_RDY || sq->cc == sq->pc)
			emu_sq_forget(emu, sq);
		else if (sq->rate && emu_pace_must_wait(emu, sq))
			emu_pace_park(emu, sq);
		else if (n)
			emu->busy = sq;
		else
			break;
		if (__atomic_load_n(&emu->adapter->n_waiting, __ATOMIC_RELAXED))
			break;
	}
	return moved;
}

/* The caller holds the adapter lock. */
static unsigned run_turn(struct emu *emu, unsigned budget)
{
	unsigned moved;

	update_clock(emu->adapter);
	emu_take_doorbells(emu);
	emu_pace_wake(emu);
	moved = emu_wire_turn(emu, budget);
	if (moved < budget)
		moved += run_sqs(emu, budget - moved);
	if (emu->due)
		emu_cq_events_due(emu);
	if (moved || emu->received)
		emu_publish_traffic(emu);
	return moved;
}

unsigned emu_poll(struct emu *emu, unsigned budget)
{
	const int saved = errno;
	unsigned moved;

	emu_lock(emu->adapter);
	moved = run_turn(emu, budget);
	emu_unlock(emu->adapter);
	errno = saved;
	return moved;
}

/* @due_ns receives the time when the first SQ that waits for its rate limit may send. */
static unsigned run_all_turns(struct emu_adapter *a, uint64_t *due_ns)
{
	unsigned moved = 0;

	*due_ns = UINT64_MAX;
	pthread_mutex_lock(&a->lock);
	update_clock(a); /* the clock advances while the engine is paused */
	if (!a->paused)
		for (unsigned i = 0; i < a->n_ports; i++)
			moved += run_turn(a->port[i], TURN);
	for (unsigned i = 0; !a->paused && i < a->n_ports; i++)
		*due_ns = emu_pace_find_due(a->port[i], *due_ns);
	emu_unlock(a);
	return moved;
}

/*
 * Spins at first, then yields the CPU, then sleeps longer and longer up to SLEEP_MAX_NS, but not
 * past @due_ns.
 */
static void wait_idle(unsigned idle_turns, uint64_t due_ns)
{
	const unsigned slept = idle_turns - SPIN_TURNS - YIELD_TURNS;
	long ns = SLEEP_MAX_NS;

	if (idle_turns < SPIN_TURNS)
		return;
	if (idle_turns < SPIN_TURNS + YIELD_TURNS) {
		sched_yield();
		return;
	}
	if (slept / 16 < 8 && SLEEP_MIN_NS << slept / 16 < SLEEP_MAX_NS)
		ns = SLEEP_MIN_NS << slept / 16;
	if (due_ns != UINT64_MAX) {
		const uint64_t now = emu_now_ns();

		if (due_ns <= now)
			return;
		ns = due_ns - now < (uint64_t)ns ? (long)(due_ns - now) : ns;
	}
	nanosleep(&(struct timespec){ .tv_nsec = ns }, NULL);
}

static void *run_engine(void *arg)
{
	struct emu_adapter *a = arg;
	unsigned idle = 0;
	uint64_t due_ns;

	prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS);
	while (!__atomic_load_n(&a->engine_stop, __ATOMIC_ACQUIRE)) {
		/* A mutex is not fair: without this yield, the engine takes it again at once. */
		if (__atomic_load_n(&a->n_waiting, __ATOMIC_RELAXED)) {
			sched_yield();
			continue;
		}
		if (run_all_turns(a, &due_ns))
			idle = 0;
		else
			wait_idle(idle++, due_ns);
	}
	return NULL;
}

int emu_engine_start(struct emu_adapter *a, const cpu_set_t *cpus)
{
	sigset_t all, before;
	int rc;

	if (a->engine_runs)
		return -EALREADY;
	a->engine_stop = false;
	update_clock(a); /* a reader finds no 0, even if the first turn comes late */
	/*
	 * Blocks signals in the engine thread: the handlers belong to the program's threads. Linux
	 * ends a process whose thread faults while it blocks that signal (base/guard.h).
	 */
	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&a->engine, NULL, run_engine, a);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc)
		return -rc;
	a->engine_runs = true;
	pthread_setname_np(a->engine, "devx-emu");
	if (cpus)
		pthread_setaffinity_np(a->engine, sizeof(*cpus), cpus);
	return 0;
}

void emu_engine_stop(struct emu_adapter *a)
{
	if (!a->engine_runs)
		return;
	__atomic_store_n(&a->engine_stop, true, __ATOMIC_RELEASE);
	pthread_join(a->engine, NULL);
	a->engine_runs = false;
}
