/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rates of a driver whose cost is known, by the counter that only this driver moves (burn_pmd.h).
 */
#include "harness/crew.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <rte_cycles.h>

#include "ct.h"
#include "harness/burn_pmd.h"
#include "harness/test_lab.h"
#include "needs_emu.h"

enum { N_QUEUES = 4, COST = 1000, LEAD_NS = 200000, WINDOW_NS = 1000000 };
/* longer than a thread runs before another one: 100 rounds of N_QUEUES bursts of 50 us */
enum { LONG_NS = 10000000, LONG_LOOPS = 150000 };

/* struct moving - a port of net_burn, and threads that move its packets */
struct moving {
	struct bench_port port;
	struct bench_crew crew;
	struct bench_count count[BENCH_MAX_QUEUES];
};

FIXTURE(crew)
{
	struct moving m;
};

FIXTURE_SETUP(crew)
{
	static const struct bench_driver burner = { "net_burn", "vdev", "net_burn0", "", -1 };
	static const struct bench_setup setup = { .devargs = "", .n_queues = N_QUEUES };
	static const struct bench_frame small = { .bytes = 60 };
	char why[256] = "";

	burn = (struct burn){ 0 };
	ASSERT_TRUE(test_lab_open());
	if (bench_port_open(&self->m.port, &lab, &burner, &setup, why, sizeof(why)))
		FAIL("%s", why);
	bench_port_set_frame(&self->m.port, &small);
	burn.cycles = COST;
}
FIXTURE_TEARDOWN(crew)
{
	bench_crew_stop(&self->m.crew);
	bench_port_close(&self->m.port);
}

/* Runs one window of the first @n_cores threads. */
static bool run_window(struct moving *m, enum bench_work work, unsigned int n_cores,
		       uint64_t window_ns)
{
	struct bench_job job[BENCH_MAX_CORES];

	for (unsigned int i = 0; i < n_cores; i++)
		job[i] = (struct bench_job){ &m->port, work, (uint16_t)i, (uint16_t)n_cores,
					     m->count };
	return bench_crew_run(&m->crew, job, n_cores, LEAD_NS, window_ns, 0);
}

/* Expects a window of one core to have the time of its packets, and of the reads of the counter. */
static void expect_cost(struct moving *m, enum bench_work work, uint64_t cost)
{
	uint64_t n = 0, rounds;

	memset(m->count, 0, sizeof(m->count));
	run_window(m, work, 1, WINDOW_NS);
	for (unsigned int q = 0; q < N_QUEUES; q++)
		n += m->count[q].window;
	rounds = n / (N_QUEUES * BENCH_BURST);
	EXPECT_LT(0, rounds);
	EXPECT_EQ(n * cost + (rounds + 1) * BURN_MARK_CYCLES,
		  (uint64_t)llround(m->count[0].seconds * (double)rte_get_tsc_hz()));
}

TEST_F(crew, reports_the_rate_of_a_driver_that_burns_cycles)
{
	static const enum bench_work works[] = { BENCH_SEND, BENCH_RECEIVE };

	ASSERT_EQ(0, bench_crew_start(&self->m.crew, &lab, 1));
	for (size_t i = 0; i < RTE_DIM(works); i++)
		expect_cost(&self->m, works[i], COST);
}

/* Each packet is burned twice: when it is received, and when it is sent. */
TEST_F(crew, counts_a_forwarded_packet_once)
{
	ASSERT_EQ(0, bench_crew_start(&self->m.crew, &lab, 1));
	expect_cost(&self->m, BENCH_FORWARD, 2 * COST);
}

TEST_F(crew, gives_each_core_its_queues)
{
	struct moving *m = &self->m;
	const struct bench_job second = { &m->port, BENCH_RECEIVE, 1, 2, m->count };

	if (CPU_COUNT(&lab.cpus) < 2)
		SKIP("needs two CPUs");
	ASSERT_EQ(0, bench_crew_start(&m->crew, &lab, 2));
	bench_crew_run(&m->crew, &second, 1, LEAD_NS, WINDOW_NS, 0);
	for (unsigned int q = 0; q < N_QUEUES; q++)
		EXPECT_EQ(q % 2, m->count[q].received > 0);
	memset(m->count, 0, sizeof(m->count));
	run_window(m, BENCH_RECEIVE, 2, WINDOW_NS);
	for (unsigned int q = 0; q < N_QUEUES; q++) {
		EXPECT_LT(0, m->count[q].received);
		EXPECT_EQ(m->count[q % 2].received, m->count[q].received);
	}
	EXPECT_NE(self->m.crew.member[0].cpu, self->m.crew.member[1].cpu);
}

TEST_F(crew, counts_every_packet_of_short_bursts)
{
	uint64_t total = 0;

	ASSERT_EQ(0, bench_crew_start(&self->m.crew, &lab, 1));
	burn.at_most = 5;
	memset(self->m.count, 0, sizeof(self->m.count));
	run_window(&self->m, BENCH_SEND, 1, WINDOW_NS);
	for (unsigned int q = 0; q < N_QUEUES; q++) {
		const struct bench_count *c = &self->m.count[q];

		EXPECT_GT(c->sent, 0);
		EXPECT_EQ(0, c->sent % 5);
		EXPECT_EQ(c->sent / 5 * (BENCH_BURST - 5), c->unsent);
		EXPECT_LE(c->window, c->sent);
		total += c->sent;
	}
	EXPECT_EQ(burn.n_sent, total);
}

static bool rival_stops;

/* Keeps the CPU of core 0 busy. */
static void *burn_cpu(void *unused)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(lab.cpu, &set);
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	while (!__atomic_load_n(&rival_stops, __ATOMIC_RELAXED))
		;
	return unused;
}

TEST_F(crew, rejects_windows_in_which_another_thread_had_the_cpu)
{
	pthread_t rival;
	int n_good = 0;

	if (access("/proc/self/schedstat", R_OK))
		SKIP("needs a kernel with /proc/self/schedstat");
	ASSERT_EQ(0, bench_crew_start(&self->m.crew, &lab, 1));
	burn.call_loops = LONG_LOOPS;
	rival_stops = false;
	ASSERT_EQ(0, pthread_create(&rival, NULL, burn_cpu, NULL));
	for (int i = 0; i < 5; i++)
		n_good += run_window(&self->m, BENCH_SEND, 1, LONG_NS);
	__atomic_store_n(&rival_stops, true, __ATOMIC_RELAXED);
	pthread_join(rival, NULL);
	EXPECT_LE(n_good, 1);
}
