/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A plugin for EAL (-d): devx-pktgen measures time with a clock that only its own reads move. With
 * one worker (--cores 1) on a port that loses no time, such as net_ring, every figure of a run is
 * exact.
 *
 * Each read by a worker moves the clock by one step. The controller looks at the run every 10 ms of
 * this clock. While it does, the clock stands still. With devx-emu, the engine first sends and
 * delivers all frames: no port is too slow.
 *
 * The clock has TICKS_PER_NS ticks per nanosecond, so a figure that takes ticks for nanoseconds is
 * wrong. PKTGEN_STEP_NS is the step in nanoseconds; 1000 if not given. PKTGEN_SIGNAL=2@300
 * raises signal 2 when 300 ms have passed; 2@0 while EAL starts. A stopped process sleeps for an
 * hour of this clock.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "emu/uverbs/emu_ctl.h"

/*
 * A worker that has nothing to do makes the same reads in each round of polls. It leaves a stop
 * after a multiple of ROUND reads, so that the next read is the same in each run: that of a port
 * that it receives from, or sends to. ROUND is a multiple of 1 to 6. The controller waits for
 * SETTLED reads, in which a worker has finished its bursts.
 */
enum { ROUND = 60, SETTLED = 4 * ROUND, YIELDS = 64, POLL_US = 20, STEP_BUDGET = 4096 };
enum { TICKS_PER_NS = 2 };
#define NS_PER_HOUR (3600ull * 1000000000)
#define START_NS 1000000000ull
#define HELD_BACK_NS 10000000ull
/* The first look is 7 us after a round time, so that packets of round rates have been sent then. */
#define FIRST_NS (START_NS + 10007000)

static pthread_t controller;
static uint64_t step_ns = 1000, signal_ns;
static int signal_number;
static _Atomic uint64_t now_ns = START_NS, limit_ns = FIRST_NS;
static _Atomic uint64_t n_reads,
	n_settled; /* all reads of workers; those since the clock stopped */
static atomic_bool is_stopped;

/* Returns whether the clock stands still for a read of a worker. */
static bool stop_clock(uint64_t now)
{
	if (atomic_load(&is_stopped)) {
		if (atomic_fetch_add(&n_settled, 1) % ROUND || now >= atomic_load(&limit_ns))
			return true;
		atomic_store(&n_settled, 0);
		atomic_store(&is_stopped, false);
		return false;
	}
	if (now < atomic_load(&limit_ns))
		return false;
	atomic_store(&n_settled, 1);
	atomic_store(&is_stopped, true);
	return true;
}

static uint64_t read_clock(void)
{
	uint64_t now = atomic_load(&now_ns);

	if (!pthread_equal(pthread_self(), controller)) {
		atomic_fetch_add(&n_reads, 1);
		if (!stop_clock(now))
			now = atomic_fetch_add(&now_ns, step_ns) + step_ns;
	}
	return now * TICKS_PER_NS;
}

/* A run that only sends reads no clock after its last packet: then the clock jumps. */
static void jump_if_unread(void)
{
	static _Atomic uint64_t last;
	const uint64_t n = atomic_load(&n_reads);

	if (atomic_exchange(&last, n) != n)
		return;
	atomic_store(&now_ns, atomic_load(&limit_ns));
	atomic_fetch_add(&n_settled, SETTLED);
}

static void move_frames(const struct devx_emu_ctl *emu)
{
	unsigned moved;

	do {
		moved = 0;
		for (unsigned port = 0; port < emu->n_ports(); port++)
			moved += emu->step(port, STEP_BUDGET);
	} while (moved);
}

/*
 * Lets the engine of emu move every frame that it can move, and then those that a wire holds back
 * to reorder them: they are due within HELD_BACK_NS of the clock of the device. Returns whether
 * there is an emu.
 */
static bool settle_emu(void)
{
	const struct devx_emu_ctl *emu = devx_emu_ctl_find();

	if (!emu)
		return false;
	emu->pause();
	move_frames(emu);
	emu->clock(DEVX_EMU_CLOCK_REAL, HELD_BACK_NS);
	move_frames(emu);
	emu->resume();
	return true;
}

static void raise_signal(void)
{
	const int number = signal_number;

	if (!number || atomic_load(&now_ns) - START_NS < signal_ns)
		return;
	signal_number = 0;
	raise(number);
}

/* Waits until the clock stands still, and the workers have made @n reads since then. */
static void settle_workers(uint64_t n)
{
	for (unsigned i = 0;
	     atomic_load(&now_ns) < atomic_load(&limit_ns) || atomic_load(&n_settled) < n; i++) {
		if (i < YIELDS)
			sched_yield();
		else
			usleep(POLL_US);
	}
}

/* SIG_BLOCK, which the threads of EAL inherit; then SIG_UNBLOCK, for the controller alone. */
static void mask_resumption(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCONT);
	pthread_sigmask(how, &set, NULL);
}

/* The first tick begins with the run, before its wait. */
static void wait_clock(uint64_t us)
{
	static bool is_later;

	if (!is_later)
		mask_resumption(SIG_UNBLOCK);
	else
		atomic_store(&limit_ns, atomic_load(&now_ns) + us * 1000);
	is_later = true;
	settle_workers(SETTLED);
	if (settle_emu())
		settle_workers(atomic_load(&n_settled) + SETTLED);
	raise_signal();
}

static void add_hour(int number)
{
	(void)number;
	atomic_fetch_add(&now_ns, NS_PER_HOUR);
	atomic_fetch_add(&limit_ns, NS_PER_HOUR);
}

__attribute__((constructor)) static void set_clock(void)
{
	static const struct clock_source source = { TICKS_PER_NS * 1000000000ull, read_clock,
						    wait_clock, jump_if_unread };
	const struct clock_source **at = dlsym(RTLD_DEFAULT, "pktgen_clock_source");
	const char *step = getenv("PKTGEN_STEP_NS"), *signal_at = getenv("PKTGEN_SIGNAL");
	const struct sigaction resumed = { .sa_handler = add_hour };
	unsigned long ms;

	if (!at)
		return;
	controller = pthread_self();
	if (step)
		step_ns = strtoull(step, NULL, 10);
	if (signal_at && sscanf(signal_at, "%d@%lu", &signal_number, &ms) == 2)
		signal_ns = ms * 1000000;
	mask_resumption(SIG_BLOCK);
	sigaction(SIGCONT, &resumed, NULL);
	*at = &source;
	if (signal_number && !signal_ns) {
		raise(signal_number);
		signal_number = 0;
	}
}
