/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/engine.h"

#include <pthread.h>
#include <semaphore.h>

#include <rte_pause.h>

enum { STEP = 256 };

const char *const bench_cache_names[BENCH_N_CACHES] = { "hot", "kept", "remote", "flushed" };

/*
 * The helper waits on the semaphore until it is needed, and then spins for requests: waking a
 * thread takes longer than a step.
 */
static struct {
	pthread_t thread;
	bool started;
	sem_t wake;
	bool active, stop;                /* atomic */
	const struct bench_port *request; /* atomic; NULL: done */
	unsigned int n_moved;
} helper;

static unsigned int step_port(const struct bench_port *port)
{
	unsigned int n, total = 0;

	do {
		n = port->lab->emu->step((unsigned int)port->driver->emu_port, STEP);
		total += n;
	} while (n);
	return total;
}

static void *serve_requests(void *unused)
{
	(void)unused;
	while (!__atomic_load_n(&helper.stop, __ATOMIC_ACQUIRE)) {
		const struct bench_port *port = __atomic_load_n(&helper.request, __ATOMIC_ACQUIRE);

		if (port) {
			helper.n_moved = step_port(port);
			__atomic_store_n(&helper.request, NULL, __ATOMIC_RELEASE);
		} else if (!__atomic_load_n(&helper.active, __ATOMIC_ACQUIRE)) {
			sem_wait(&helper.wake);
		} else {
			rte_pause();
		}
	}
	return NULL;
}

static bool start_helper(const struct bench_lab *lab)
{
	cpu_set_t set;

	if (helper.started)
		return true;
	CPU_ZERO(&set);
	CPU_SET(lab->other_cpu, &set);
	sem_init(&helper.wake, 0, 0);
	helper.stop = helper.active = false;
	if (pthread_create(&helper.thread, NULL, serve_requests, NULL))
		return false;
	helper.started = true;
	return !pthread_setaffinity_np(helper.thread, sizeof(set), &set);
}

void bench_engine_stop_helper(void)
{
	if (!helper.started)
		return;
	__atomic_store_n(&helper.stop, true, __ATOMIC_RELEASE);
	sem_post(&helper.wake);
	pthread_join(helper.thread, NULL);
	sem_destroy(&helper.wake);
	helper.started = false;
}

static void set_active(bool active)
{
	if (!helper.started || helper.active == active)
		return;
	__atomic_store_n(&helper.active, active, __ATOMIC_RELEASE);
	if (active)
		sem_post(&helper.wake);
}

const char *bench_engine_lacks(const struct bench_lab *lab, enum bench_cache cache)
{
	if (cache == BENCH_REMOTE && lab->other_cpu < 0)
		return "this process may use only one CPU";
	if (cache == BENCH_REMOTE && !start_helper(lab))
		return "no thread can be started on the other CPU";
	if (cache == BENCH_FLUSHED && (lab->emu->bytes < offsetof(struct devx_emu_ctl, evict_cqes) +
								 sizeof(lab->emu->evict_cqes)))
		return "the running emu is older than devx-bench and cannot evict CQEs";
	if (cache == BENCH_FLUSHED && lab->emu->evict_cqes(0) < 0)
		return "emu cannot evict cache lines on this processor";
	return NULL;
}

unsigned int bench_engine_run(const struct bench_port *port, enum bench_cache cache)
{
	unsigned int n;

	if (port->driver->emu_port < 0)
		return 0;
	set_active(cache == BENCH_REMOTE);
	if (cache == BENCH_REMOTE) {
		__atomic_store_n(&helper.request, port, __ATOMIC_RELEASE);
		while (__atomic_load_n(&helper.request, __ATOMIC_ACQUIRE))
			rte_pause();
		return helper.n_moved;
	}
	n = step_port(port);
	if (cache == BENCH_FLUSHED)
		port->lab->emu->evict_cqes((unsigned int)port->driver->emu_port);
	return n;
}
