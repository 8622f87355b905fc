/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_CREW_H
#define BENCH_CREW_H

#include <pthread.h>
#include <semaphore.h>

#include "harness/port.h"

/**
 * DOC: Threads that move packets for the time of a window
 *
 *     CPU 0             CPU 1      CPU 2
 *     the other side    core 1     core 0      each: [lead-in][counted time]
 *
 * The other side of emu's ports is emu's engine; that of net_memif is a thread of the crew.
 * A window does not count if one of its threads waited for its CPU.
 */

enum {
	BENCH_MAX_CORES = 8,
	BENCH_BURST = 32, /* packets that each call asks for */
};

/** enum bench_work - work of a thread: send what it receives, only send, or only receive */
enum bench_work { BENCH_FORWARD, BENCH_SEND, BENCH_RECEIVE, BENCH_N_WORKS };

/**
 * struct bench_count - packets of one queue; one thread writes it
 * @sent: accepted by bursts, since the count was zeroed
 * @unsent: refused by bursts, and freed
 * @received: returned by bursts
 * @window: packets of the counted time; forwarded packets count once
 * @seconds: length of the counted time
 */
struct bench_count {
	uint64_t sent, unsent, received, window;
	double seconds;
} __attribute__((aligned(RTE_CACHE_LINE_SIZE)));

/**
 * struct bench_job - work of one thread
 * @port: the thread serves its queues @first, @first + @step, ...
 * @count: the counts of all queues of the port
 */
struct bench_job {
	const struct bench_port *port;
	enum bench_work work;
	uint16_t first, step;
	struct bench_count *count;
};

/** struct bench_member - a thread of a crew; its members are private */
struct bench_member {
	pthread_t thread;
	sem_t wake, done;
	int cpu, tid, rc;
	bool stop;
	const struct bench_job *job;
	uint64_t begin, middle, end; /* times of a window, in TSC cycles */
};

/**
 * struct bench_crew - cores, and one thread for the other side
 * @n_cores: cores that measure; core 0 is on the last CPU of the process
 * @other: 1 if there is a CPU for the other side, else 0; its thread is member[n_cores]
 * @others: CPUs for the other side: all that are not cores
 */
struct bench_crew {
	unsigned int n_cores, other;
	cpu_set_t others;
	struct bench_member member[BENCH_MAX_CORES + 1];
};

/** bench_crew_count_cores - count the cores that @cpus allow, besides one CPU for the other side */
unsigned int bench_crew_count_cores(const cpu_set_t *cpus);

/**
 * bench_crew_start - start threads, one on each CPU, as lcores of EAL
 * @n_cores: 1 to BENCH_MAX_CORES, and at most the CPUs of @lab
 *
 * Return: 0; or -errno with @crew zeroed if a thread cannot be started
 */
int bench_crew_start(struct bench_crew *crew, const struct bench_lab *lab, unsigned int n_cores);

/** bench_crew_stop - end the threads; accepts a zeroed @crew, and zeroes it */
void bench_crew_stop(struct bench_crew *crew);

/**
 * bench_crew_run - run one window; job[i] is that of member i
 * @n_jobs: at most n_cores + other; the first n_cores members have one
 * @lead_ns: time before the counted time, in which rings and caches fill
 * @window_ns: the counted time
 * @engine: thread number of emu's engine; 0: it does not take part
 *
 * Return: true; or false if a thread or the engine waited for its CPU or lost it to another guest
 */
bool bench_crew_run(struct bench_crew *crew, const struct bench_job *job, unsigned int n_jobs,
		    uint64_t lead_ns, uint64_t window_ns, int engine);

/**
 * bench_crew_place_engine - find emu's engine thread, and keep it off the cores of @crew
 *
 * Return: number of the thread, or 0 without one
 */
int bench_crew_place_engine(const struct bench_crew *crew);

#endif
