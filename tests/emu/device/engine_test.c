/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "core_rig_post.h"
#include "emu/base/clock.h"
#include "udp_frame.h"
#include "prm/wqe.h"
#include "wait_limit.h"

/* ---- two threads ----------------------------------------------------------------- */

static uint64_t get_wait_end(void)
{
	return emu_now_ns() + WAIT_LIMIT_S * 1000000000ull;
}

struct ringer {
	struct core_rig *r;
	struct core_rig_sq *sq;
	struct core_rig_cq *cq;
	uint64_t rings;
	bool stalled;
};

static void ring_nop(struct ringer *me)
{
	struct core_rig_wqe p = core_rig_begin_wqe(me->sq, PRM_WQE_NOP, PRM_CE_ALWAYS);

	core_rig_end_wqe(me->r, &p, true);
	me->rings++;
}

static bool wait_cqe(struct ringer *me)
{
	uint64_t give_up = 0;

	for (unsigned spin = 1; !core_rig_take_cqe(me->cq); spin++) {
		if (spin % 1024)
			continue;
		if (!give_up)
			give_up = get_wait_end();
		if (emu_now_ns() > give_up)
			return false;
		sched_yield();
	}
	return true;
}

/*
 * Rings, rings again a little later, and waits for both CQEs. The second doorbell may arrive at any
 * time between the engine's read of the doorbell register and its scan of the queues. An engine
 * that clears the register after the scan loses doorbells, and this loop stalls. The loop ends
 * after a time, because a busy machine rings more slowly; no number of rings is judged.
 */
static void ring_and_wait(struct ringer *me, uint64_t until_ns)
{
	for (unsigned k = 0; !me->stalled && emu_now_ns() < until_ns; k++) {
		ring_nop(me);
		for (volatile unsigned spin = 0; spin < k % 128; spin++)
			;
		ring_nop(me);
		me->stalled = !wait_cqe(me) || !wait_cqe(me);
	}
}

TEST(engine, never_loses_a_doorbell)
{
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "sink" });
	struct core_rig_cq cq = core_rig_make_cq(&r, 6);
	struct core_rig_sq sq = core_rig_make_sq(&r, 6, cq.cqn);
	struct ringer me = { .r = &r, .sq = &sq, .cq = &cq };

	ASSERT_EQ(0, emu_engine_start(r.adapter, NULL));
	ring_and_wait(&me, emu_now_ns() + 1500000000);
	emu_engine_stop(r.adapter);
	EXPECT_FALSE(me.stalled);
	EXPECT_LE(2, me.rings);
	EXPECT_EQ(0, core_rig_count_mistakes(&r));
	printf("    %llu doorbells\n", (unsigned long long)me.rings);
	core_rig_close(&r);
}

/* Two threads, each with its own SQ, write one doorbell register and may overwrite each other. */
static void *ringing_thread(void *arg)
{
	ring_and_wait(arg, emu_now_ns() + 700000000);
	return NULL;
}

TEST(engine, serves_two_queues_that_share_a_doorbell_register)
{
	struct ringer me[2];
	struct core_rig_sq sq[2];
	struct core_rig_cq cq[2];
	pthread_t other;
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "sink" });
	for (unsigned i = 0; i < 2; i++) {
		cq[i] = core_rig_make_cq(&r, 6);
		sq[i] = core_rig_make_sq(&r, 6, cq[i].cqn);
		me[i] = (struct ringer){ .r = &r, .sq = &sq[i], .cq = &cq[i] };
	}
	ASSERT_EQ(0, emu_engine_start(r.adapter, NULL));
	ASSERT_EQ(0, pthread_create(&other, NULL, ringing_thread, &me[1]));
	ringing_thread(&me[0]);
	pthread_join(other, NULL);
	emu_engine_stop(r.adapter);
	for (unsigned i = 0; i < 2; i++) {
		EXPECT_FALSE(me[i].stalled);
	}
	EXPECT_EQ(0, core_rig_count_mistakes(&r));
	core_rig_close(&r);
}

/* The engine holds the lock nearly all the time, and must still let 100 commands run. */
TEST(engine, yields_the_lock_to_commands)
{
	struct prm_alloc_pd_in in = { 0 };
	struct prm_alloc_pd_out out;
	struct core_rig r;
	uint64_t end;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "sink" });
	ASSERT_EQ(0, emu_engine_start(r.adapter, NULL));
	EXPECT_NE(0, emu_engine_start(r.adapter, NULL));
	end = get_wait_end();
	for (unsigned i = 0; i < 100; i++)
		CORE_RIG_OK(&r, alloc_pd, &in, &out);
	EXPECT_GT(end, emu_now_ns());
	emu_engine_stop(r.adapter);
	emu_engine_stop(r.adapter);
	core_rig_close(&r);
}

/* A slow command, run by another thread. */
struct slow_command {
	struct core_rig *r;
	bool done;
};

static bool is_done(const struct slow_command *slow)
{
	return __atomic_load_n(&slow->done, __ATOMIC_ACQUIRE);
}

static void *run_slow_command(void *arg)
{
	struct slow_command *slow = arg;
	struct prm_alloc_pd_in in = { 0 };
	struct prm_alloc_pd_out out;

	CORE_RIG_OK(slow->r, alloc_pd, &in, &out);
	__atomic_store_n(&slow->done, true, __ATOMIC_RELEASE);
	return NULL;
}

TEST(engine, serves_queues_while_a_slow_command_runs)
{
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "sink" });
	struct core_rig_cq cq = core_rig_make_cq(&r, 6);
	struct core_rig_sq sq = core_rig_make_sq(&r, 6, cq.cqn);
	struct ringer me = { .r = &r, .sq = &sq, .cq = &cq };
	struct slow_command slow = { .r = &r };
	const uint64_t end = get_wait_end();
	pthread_t other;

	emu_hold_commands(r.emu, 0);
	ASSERT_EQ(0, emu_engine_start(r.adapter, NULL));
	ASSERT_EQ(0, pthread_create(&other, NULL, run_slow_command, &slow));
	while (!emu_hold_commands(r.emu, 0) && emu_now_ns() < end)
		sched_yield();
	for (int i = 0; !me.stalled && i < 3; i++) {
		ring_nop(&me);
		me.stalled = !wait_cqe(&me);
	}
	EXPECT_EQ(1, emu_hold_commands(r.emu, 0));
	EXPECT_FALSE(is_done(&slow));
	emu_hold_commands(r.emu, -1);
	pthread_join(other, NULL);
	EXPECT_TRUE(is_done(&slow));
	EXPECT_FALSE(me.stalled);
	emu_engine_stop(r.adapter);
	core_rig_close(&r);
}

/* Holds two commands of two threads, lets one run, then the other one. */
TEST(engine, lets_held_commands_run_one_by_one)
{
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "sink" });
	struct slow_command slow[2] = { { .r = &r }, { .r = &r } };
	const uint64_t end = get_wait_end();
	pthread_t thread[2];

	emu_hold_commands(r.emu, 0);
	for (int i = 0; i < 2; i++)
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, run_slow_command, &slow[i]));
	while (emu_hold_commands(r.emu, 0) < 2 && emu_now_ns() < end)
		sched_yield();
	EXPECT_EQ(1, emu_hold_commands(r.emu, 1));
	while (!is_done(&slow[0]) && !is_done(&slow[1]) && emu_now_ns() < end)
		sched_yield();
	EXPECT_EQ(1, is_done(&slow[0]) + is_done(&slow[1]));
	EXPECT_EQ(1, emu_hold_commands(r.emu, 0));
	EXPECT_EQ(0, emu_hold_commands(r.emu, 7));
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	emu_hold_commands(r.emu, -1);
	core_rig_close(&r);
}

TEST(engine, lets_a_command_take_its_time)
{
	enum { COMMAND_NS = 20000000 };
	struct prm_alloc_pd_in in = { 0 };
	struct prm_alloc_pd_out out;
	struct core_rig r;
	uint64_t start;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "sink" });
	emu_set_command_time(r.emu, COMMAND_NS);
	start = emu_now_ns();
	CORE_RIG_OK(&r, alloc_pd, &in, &out);
	EXPECT_LE(COMMAND_NS, emu_now_ns() - start);
	emu_set_command_time(r.emu, 0);
	core_rig_close(&r);
}

static int get_cpus(pthread_t thread, cpu_set_t *cpus)
{
	return pthread_getaffinity_np(thread, sizeof(*cpus), cpus);
}

TEST(engine, runs_on_the_given_cpus_or_on_those_of_its_caller)
{
	struct core_rig r;
	cpu_set_t all, one, got, absent;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "sink" });
	ASSERT_EQ(0, get_cpus(pthread_self(), &all));
	CPU_ZERO(&one);
	for (int cpu = CPU_SETSIZE - 1; !CPU_COUNT(&one); cpu--)
		if (CPU_ISSET(cpu, &all))
			CPU_SET(cpu, &one);
	ASSERT_EQ(0, emu_engine_start(r.adapter, &one));
	EXPECT_EQ(0, get_cpus(r.adapter->engine, &got));
	EXPECT_TRUE(CPU_EQUAL(&one, &got));
	emu_engine_stop(r.adapter);
	CPU_ZERO(&absent);
	CPU_SET(CPU_SETSIZE - 1, &absent);
	ASSERT_EQ(0, emu_engine_start(r.adapter, &absent));
	EXPECT_EQ(0, get_cpus(r.adapter->engine, &got));
	EXPECT_TRUE(CPU_EQUAL(&all, &got));
	core_rig_close(&r);
}

TEST(engine, writes_the_clock_also_while_paused)
{
	struct core_rig r;
	uint64_t timer = 0, real_time = 0, seen = 0;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "sink" });
	r.adapter->timer = &timer;
	r.adapter->real_time = &real_time;
	emu_poll(r.emu, 16);
	EXPECT_EQ(emu_clock_show(r.adapter, r.adapter->now_ns).timer,
		  prm_be64_get((prm_be64){ timer }));
	r.adapter->paused = true;
	ASSERT_EQ(0, emu_engine_start(r.adapter, NULL));
	for (unsigned i = 0; i < 3; i++) {
		const uint64_t start = emu_now_ns(), since = emu_clock_show(r.adapter, start).timer;

		while (seen < since && emu_now_ns() - start < WAIT_LIMIT_S * 1000000000ull) {
			sched_yield();
			seen = prm_be64_get(
				(prm_be64){ __atomic_load_n(&timer, __ATOMIC_ACQUIRE) });
		}
		EXPECT_LE(since, seen);
		EXPECT_GE(emu_clock_show(r.adapter, emu_now_ns()).timer, seen);
	}
	emu_engine_stop(r.adapter);
	core_rig_close(&r);
}

TEST(engine, moves_nothing_while_paused)
{
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "sink" });
	struct core_rig_cq cq = core_rig_make_cq(&r, 6);
	struct core_rig_sq sq = core_rig_make_sq(&r, 6, cq.cqn);
	struct core_rig_wqe p = core_rig_begin_wqe(&sq, PRM_WQE_NOP, PRM_CE_ALWAYS);

	emu_lock(r.adapter);
	r.adapter->paused = true;
	emu_unlock(r.adapter);
	ASSERT_EQ(0, emu_engine_start(r.adapter, NULL));
	core_rig_end_wqe(&r, &p, true);
	for (unsigned i = 0; i < 1000; i++)
		sched_yield();
	EXPECT_EQ(NULL, core_rig_take_cqe(&cq));
	emu_engine_stop(r.adapter);
	EXPECT_EQ(1, emu_poll(r.emu, 16)); /* a pause does not stop explicit steps */
	EXPECT_NE(NULL, core_rig_take_cqe(&cq));
	core_rig_close(&r);
}

/* ---- what a packet costs ------------------------------------------------------------ */

enum { BURST = 32, PER_WQE = 16, FRAME = 60, COST_RUNS = 20000 };

/* Posts BURST packets in two multi-packet WQEs, as drivers do. */
static void post_burst(struct core_rig *r, struct core_rig_sq *sq, uint32_t lkey,
		       const uint8_t *mem)
{
	for (unsigned k = 0; k < BURST / PER_WQE; k++) {
		struct core_rig_wqe p =
			core_rig_begin_wqe(sq, PRM_WQE_ENHANCED_MPSW, PRM_CE_ALWAYS);

		core_rig_add_eth(&p, 0);
		for (unsigned i = 0; i < PER_WQE; i++)
			core_rig_add_pointer(&p, lkey, mem + (k * PER_WQE + i) * 2048, FRAME);
		core_rig_end_wqe(r, &p, k == BURST / PER_WQE - 1);
	}
}

/* Prints the time that emu_poll() takes per packet. No limit: pktgen's tests judge speed. */
TEST(engine, prints_the_time_per_packet)
{
	uint64_t ns = 0, n = 0;
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "loop" });
	struct core_rig_cq cq = core_rig_make_cq(&r, 8);
	struct core_rig_sq sq = core_rig_make_sq(&r, 8, cq.cqn);
	struct core_rig_rx rx = core_rig_make_rx(&r, 9, 2048);
	uint8_t *mem = core_rig_alloc(&r, BURST * 2048);
	const uint32_t lkey = core_rig_make_mkey(&r, mem, BURST * 2048, false);

	for (unsigned i = 0; i < BURST; i++)
		udp_frame_write(mem + i * 2048, FRAME, &(struct udp_frame){ .fill = (uint8_t)i });
	for (unsigned k = 0; k < COST_RUNS; k++) {
		uint64_t start;

		post_burst(&r, &sq, lkey, mem);
		start = emu_now_ns();
		while (emu_poll(r.emu, 256))
			;
		ns += emu_now_ns() - start;
		while (core_rig_take_cqe(&cq))
			;
		while (core_rig_take_cqe(&rx.cq))
			n++;
		core_rig_post_more(&rx.rq, (uint16_t)(rx.rq.n + n));
	}
	EXPECT_EQ(COST_RUNS * BURST, n);
	EXPECT_EQ(0, core_rig_count_mistakes(&r));
	printf("    emu_poll(): %.1f ns per 64-byte packet\n", (double)ns / (double)n);
	core_rig_close(&r);
}
