/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/crew.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rte_lcore.h>
#include <rte_pause.h>

#include "harness/core.h"
#include "harness/gauge.h"

#define INLINE inline __attribute__((always_inline))
#define ENGINE "devx-emu" /* name of emu's engine thread */

enum {
	START_NS = 100 * 1000, /* from the wake-up of the threads to the lead-in */
	CPUCLOCK_THREAD = 6,   /* Linux's clock of the run time of one thread */
};

/* The part of a window that a thread may wait for its CPU, because of interrupts and daemons. */
static const double most_wait = 0.05;

/* The part of a window that emu's engine must run, because it spins while packets move. */
static const double least_run = 0.9;

/* ---- the work of a thread ------------------------------------------------------------------ */

/* Sends the packets and frees those that the burst refuses. */
static INLINE void send_packets(const struct bench_port *port, uint16_t queue, struct rte_mbuf **m,
				uint16_t n, struct bench_count *c)
{
	const uint16_t sent = rte_eth_tx_burst(port->id, queue, m, n);

	c->sent += sent;
	if (unlikely(sent < n)) {
		rte_pktmbuf_free_bulk(m + sent, n - sent);
		c->unsent += n - sent;
	}
}

static INLINE void serve_queue(const struct bench_port *port, enum bench_work work, uint16_t queue,
			       struct bench_count *c)
{
	struct rte_mbuf *m[BENCH_BURST];
	uint16_t n;

	if (work == BENCH_SEND) {
		if (!bench_port_alloc(port, m, BENCH_BURST))
			send_packets(port, queue, m, BENCH_BURST, c);
		return;
	}
	n = rte_eth_rx_burst(port->id, queue, m, BENCH_BURST);
	c->received += n;
	if (n && work == BENCH_FORWARD)
		send_packets(port, queue, m, n, c);
	else if (n)
		rte_pktmbuf_free_bulk(m, n);
}

static INLINE void serve_until(const struct bench_job *j, enum bench_work work, uint64_t end)
{
	do {
		for (uint16_t q = j->first; q < j->port->n_queues; q += j->step)
			serve_queue(j->port, work, q, &j->count[q]);
	} while (bench_tsc() < end);
}

static void work_until(const struct bench_job *j, uint64_t end)
{
	switch (j->work) {
	case BENCH_FORWARD:
		serve_until(j, BENCH_FORWARD, end);
		break;
	case BENCH_SEND:
		serve_until(j, BENCH_SEND, end);
		break;
	default:
		serve_until(j, BENCH_RECEIVE, end);
	}
}

static uint64_t count_done(const struct bench_job *j, uint16_t queue)
{
	return j->work == BENCH_RECEIVE ? j->count[queue].received : j->count[queue].sent;
}

static void run_job(const struct bench_member *m)
{
	const struct bench_job *j = m->job;
	uint64_t begin, cycles;

	while (bench_tsc() < m->begin)
		rte_pause();
	work_until(j, m->middle);
	for (uint16_t q = j->first; q < j->port->n_queues; q += j->step)
		j->count[q].window = count_done(j, q);
	begin = bench_tsc();
	work_until(j, m->end);
	cycles = bench_tsc() - begin;
	for (uint16_t q = j->first; q < j->port->n_queues; q += j->step) {
		j->count[q].window = count_done(j, q) - j->count[q].window;
		j->count[q].seconds = (double)cycles / (double)rte_get_tsc_hz();
	}
}

/* ---- threads ------------------------------------------------------------------------------- */

static void wait_for(sem_t *s)
{
	while (sem_wait(s) && errno == EINTR)
		;
}

static void *serve_windows(void *arg)
{
	struct bench_member *m = arg;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(m->cpu, &set);
	m->tid = gettid();
	m->rc = pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	/* an lcore has a cache of packets in every pool */
	if (!m->rc && rte_thread_register())
		m->rc = ENOSPC;
	sem_post(&m->done);
	for (;;) {
		wait_for(&m->wake);
		if (m->stop)
			break;
		run_job(m);
		sem_post(&m->done);
	}
	rte_thread_unregister();
	return NULL;
}

static int start_member(struct bench_member *m, int cpu)
{
	int rc;

	m->cpu = cpu;
	sem_init(&m->wake, 0, 0);
	sem_init(&m->done, 0, 0);
	rc = pthread_create(&m->thread, NULL, serve_windows, m);
	if (rc) {
		m->thread = 0;
		return -rc;
	}
	wait_for(&m->done);
	return -m->rc;
}

unsigned int bench_crew_count_cores(const cpu_set_t *cpus)
{
	const int n = CPU_COUNT(cpus) - 1;

	return n < 1 ? 1 : n > BENCH_MAX_CORES ? BENCH_MAX_CORES : (unsigned int)n;
}

/* The last CPUs become cores. The first CPU serves interrupts, so it is left to the other side. */
int bench_crew_start(struct bench_crew *crew, const struct bench_lab *lab, unsigned int n_cores)
{
	unsigned int i = 0;
	int rc = 0;

	memset(crew, 0, sizeof(*crew));
	crew->n_cores = n_cores;
	crew->others = lab->cpus;
	for (int cpu = CPU_SETSIZE - 1; !rc && cpu >= 0 && i < n_cores; cpu--)
		if (CPU_ISSET(cpu, &lab->cpus)) {
			CPU_CLR(cpu, &crew->others);
			rc = start_member(&crew->member[i++], cpu);
		}
	if (!rc && i < n_cores)
		rc = -EINVAL;
	for (int cpu = 0; !rc && cpu < CPU_SETSIZE && !crew->other; cpu++)
		if (CPU_ISSET(cpu, &crew->others)) {
			crew->other = 1;
			rc = start_member(&crew->member[n_cores], cpu);
		}
	if (rc)
		bench_crew_stop(crew);
	return rc;
}

void bench_crew_stop(struct bench_crew *crew)
{
	for (unsigned int i = 0; i < crew->n_cores + crew->other; i++) {
		struct bench_member *m = &crew->member[i];

		if (!m->thread)
			continue;
		m->stop = true;
		sem_post(&m->wake);
		pthread_join(m->thread, NULL);
		sem_destroy(&m->wake);
		sem_destroy(&m->done);
	}
	memset(crew, 0, sizeof(*crew));
}

/* ---- a window ------------------------------------------------------------------------------ */

/* Returns for how long a thread was ready to run without a CPU, in ns; 0: unknown. */
static uint64_t read_wait(int tid)
{
	unsigned long long ran, waited = 0;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", tid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%llu %llu", &ran, &waited) != 2)
		waited = 0;
	fclose(f);
	return waited;
}

/* Returns the CPU time of a thread of this process in ns (the clock of pthread_getcpuclockid()). */
static uint64_t read_cpu_time(int tid)
{
	const clockid_t clock = (clockid_t)(~(unsigned int)tid << 3 | CPUCLOCK_THREAD);
	struct timespec t;

	return clock_gettime(clock, &t) ? 0 : (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* struct taken - what the kernel has counted of the threads and CPUs of a window */
struct taken {
	uint64_t wait[BENCH_MAX_CORES + 2], steal, engine_ran;
};

static void read_taken(const struct bench_crew *crew, unsigned int n, int engine, struct taken *t)
{
	memset(t, 0, sizeof(*t));
	for (unsigned int i = 0; i < n; i++) {
		t->wait[i] = read_wait(crew->member[i].tid);
		t->steal += bench_core_read_steal(crew->member[i].cpu);
	}
	if (!engine)
		return;
	t->wait[n] = read_wait(engine);
	t->engine_ran = read_cpu_time(engine);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &crew->others))
			t->steal += bench_core_read_steal(cpu);
}

/* The kernel counts a wait only at its end. So the engine must also have run for long enough. */
static bool had_cpus(const struct taken *before, const struct taken *after, unsigned int n,
		     int engine, uint64_t window_ns)
{
	bool good = before->steal == after->steal;

	for (unsigned int i = 0; i <= n; i++)
		good &= (double)(after->wait[i] - before->wait[i]) <= most_wait * (double)window_ns;
	return good && (!engine || (double)(after->engine_ran - before->engine_ran) >=
					   least_run * (double)window_ns);
}

static void sleep_ns(uint64_t ns)
{
	const struct timespec time = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };

	nanosleep(&time, NULL);
}

bool bench_crew_run(struct bench_crew *crew, const struct bench_job *job, unsigned int n_jobs,
		    uint64_t lead_ns, uint64_t window_ns, int engine)
{
	const double per_ns = (double)rte_get_tsc_hz() / 1e9;
	struct taken before, after;
	uint64_t begin;

	read_taken(crew, n_jobs, engine, &before);
	begin = bench_tsc() + (uint64_t)(START_NS * per_ns);
	for (unsigned int i = 0; i < n_jobs; i++) {
		struct bench_member *m = &crew->member[i];

		m->job = &job[i];
		m->begin = begin;
		m->middle = begin + (uint64_t)((double)lead_ns * per_ns);
		m->end = m->middle + (uint64_t)((double)window_ns * per_ns);
		sem_post(&m->wake);
	}
	/* this thread runs on the CPU of the first worker, and sleeps so that the worker has it */
	sleep_ns(START_NS + lead_ns + window_ns);
	for (unsigned int i = 0; i < n_jobs; i++)
		wait_for(&crew->member[i].done);
	read_taken(crew, n_jobs, engine, &after);
	return had_cpus(&before, &after, n_jobs, engine, window_ns);
}

int bench_crew_place_engine(const struct bench_crew *crew)
{
	DIR *tasks = opendir("/proc/self/task");
	int tid = 0;

	for (struct dirent *e = tasks ? readdir(tasks) : NULL; e && !tid; e = readdir(tasks)) {
		char path[300], name[32] = "";
		FILE *f;

		snprintf(path, sizeof(path), "/proc/self/task/%s/comm", e->d_name);
		f = fopen(path, "re");
		if (f && fgets(name, sizeof(name), f) && !strcmp(name, ENGINE "\n"))
			tid = atoi(e->d_name);
		if (f)
			fclose(f);
	}
	if (tasks)
		closedir(tasks);
	if (tid && CPU_COUNT(&crew->others))
		sched_setaffinity(tid, sizeof(crew->others), &crew->others);
	return tid;
}
