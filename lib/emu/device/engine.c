/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine moves packets and events. run_turn() serves one port; the thread serves all ports.
 */
#include "emu/device/engine.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

#include "emu/base/clock.h"
#include "emu/queue/cq.h"
#include "emu/queue/cq_ring.h"
#include "emu/queue/flush.h"
#include "emu/queue/pacing.h"
#include "emu/queue/rq.h"
#include "emu/queue/sq.h"
#include "emu/queue/doorbell.h"
#include "emu/wire/wire.h"

enum {
	TURN = 256,        /* at most this many packets of one port in a turn */
	SLICE = 64,        /* at most this many packets of one SQ before the next SQ is served */
	SPIN_TURNS = 2000, /* idle turns without a wait; then the engine calls sched_yield() */
	YIELD_TURNS = 200, /* idle turns with sched_yield(); then the engine sleeps */
	SLEEP_MIN_NS = 5000,
	SLEEP_MAX_NS = 500000, /* the longest delay of the first packet after an idle time */
	TIMER_SLACK_NS = 1000,
	/* idle turns, about a second, until a stepped clock advances without a due event */
	STILL_TURNS = SPIN_TURNS + YIELD_TURNS + 2100,
	FINISH_TURNS = 4096, /* ends emu_finish_sends() if a driver keeps posting */
};

/*
 * Serves the SQs that have WQEs to execute in turn, one slice each. Stops at an SQ that made no
 * progress because the wire is full; the next call serves that SQ first. Also stops after some
 * progress when a thread waits for the adapter lock.
 *
 * Reads the clock for each slice, after the doorbell, so that no frame arrives before it was sent.
 */
static unsigned run_sqs(struct emu *emu, unsigned budget)
{
	unsigned moved = 0;

	while (emu->busy && moved < budget) {
		struct emu_sq *sq = emu->busy->next_busy;
		const unsigned left = budget - moved;
		unsigned n;

		emu_clock_update(emu->adapter);
		n = emu_sq_run(emu, sq, left < SLICE ? left : SLICE);
		/* now: a driver whose send queue is full may be waiting for these completions */
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
		if (moved && __atomic_load_n(&emu->adapter->n_waiting, __ATOMIC_RELAXED))
			break;
	}
	return moved;
}

static unsigned run_turn(struct emu *emu, unsigned budget)
{
	unsigned moved;

	emu_clock_update(emu->adapter);
	emu_take_doorbells(emu);
	emu_pace_wake(emu);
	if (emu->has_failed_rq)
		emu_rq_flush_failed(emu);
	if (emu->flushes)
		emu_flush_write_due(emu);
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

void emu_finish_sends(struct emu_adapter *a)
{
	unsigned moved = 1;

	for (unsigned turn = 0; moved && turn < FINISH_TURNS && !a->paused; turn++) {
		moved = 0;
		for (unsigned i = 0; i < a->n_ports; i++) {
			emu_take_doorbells(a->port[i]);
			moved += run_sqs(a->port[i], TURN);
			emu_publish_traffic(a->port[i]);
		}
	}
}

static uint64_t find_due(const struct emu_adapter *a)
{
	uint64_t due_ns = UINT64_MAX;

	for (unsigned i = 0; i < a->n_ports; i++) {
		due_ns = emu_pace_find_due(a->port[i], due_ns);
		due_ns = emu_cq_find_due(a->port[i], due_ns);
		due_ns = emu_flush_find_due(a->port[i], due_ns);
		due_ns = emu_wire_find_due(a->port[i], due_ns);
	}
	return due_ns;
}

/*
 * Called after a turn that moved nothing. A stepped clock jumps to the next due event. Without a
 * due event it stands still for STILL_TURNS, and then advances with each sleep. A program that
 * polls the clock register, or a wire that waits for an idle driver, thus makes progress.
 *
 * Returns the time until the next turn, in ns.
 */
static uint64_t pass_time(struct emu_adapter *a, unsigned idle_turns)
{
	const uint64_t due_ns = a->clock == EMU_CLOCK_HELD ? UINT64_MAX : find_due(a);

	if (a->clock == EMU_CLOCK_STEPPED && due_ns != UINT64_MAX) {
		emu_clock_jump(a, due_ns);
		return 0;
	}
	if (a->clock == EMU_CLOCK_STEPPED && idle_turns > STILL_TURNS)
		emu_clock_jump(a, a->now_ns + SLEEP_MAX_NS);
	return due_ns > a->now_ns ? due_ns - a->now_ns : 0;
}

/* @wait_ns: receives the time until the next turn at the latest */
static unsigned run_all_turns(struct emu_adapter *a, unsigned idle_turns, uint64_t *wait_ns)
{
	unsigned moved = 0;

	*wait_ns = UINT64_MAX;
	pthread_mutex_lock(&a->lock);
	emu_clock_update(a); /* the clock advances while the engine is paused */
	if (!a->paused) {
		for (unsigned i = 0; i < a->n_ports; i++)
			moved += run_turn(a->port[i], TURN);
		if (!moved)
			*wait_ns = pass_time(a, idle_turns);
	}
	emu_unlock(a);
	return moved;
}

/*
 * Spins at first, then yields the CPU, then sleeps longer and longer, up to SLEEP_MAX_NS, but never
 * longer than @wait_ns.
 */
static void wait_idle(unsigned idle_turns, uint64_t wait_ns)
{
	const unsigned slept = idle_turns - SPIN_TURNS - YIELD_TURNS;
	uint64_t ns = SLEEP_MAX_NS;

	if (idle_turns < SPIN_TURNS || !wait_ns)
		return;
	if (idle_turns < SPIN_TURNS + YIELD_TURNS) {
		sched_yield();
		return;
	}
	if (slept / 16 < 8 && SLEEP_MIN_NS << slept / 16 < SLEEP_MAX_NS)
		ns = SLEEP_MIN_NS << slept / 16;
	if (wait_ns < ns)
		ns = wait_ns;
	nanosleep(&(struct timespec){ .tv_nsec = (long)ns }, NULL);
}

static void *run_engine(void *arg)
{
	struct emu_adapter *a = arg;
	unsigned idle = 0;
	uint64_t wait_ns;

	prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS);
	while (!__atomic_load_n(&a->engine_stop, __ATOMIC_ACQUIRE)) {
		/* A mutex is not fair: without this yield, the engine locks it again at once. */
		if (__atomic_load_n(&a->n_waiting, __ATOMIC_RELAXED)) {
			sched_yield();
			continue;
		}
		if (run_all_turns(a, idle, &wait_ns))
			idle = 0;
		else
			wait_idle(idle++, wait_ns);
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
	emu_clock_update(a); /* otherwise a reader finds 0 until the first turn */
	/*
	 * Blocks signals in the engine thread: the handlers belong to the program's threads.
	 * SIGSEGV and SIGBUS stay unblocked (base/guard.h), because Linux kills a process whose
	 * thread blocks the signal of its own fault.
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
