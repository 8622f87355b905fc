/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "core_rig_post.h"
#include "prm/wqe.h"

/* ---- two threads ----------------------------------------------------------------- */

enum { PATIENCE_NS = 2000000000 }; /* without any progress */

struct ringer {
	struct rig *r;
	struct rig_sq *sq;
	struct rig_cq *cq;
	uint64_t rings;
	bool stalled;
};

static void ring_nop(struct ringer *me)
{
	struct post p = post_begin(me->sq, PRM_WQE_NOP, PRM_CE_ALWAYS);

	post_end(me->r, &p, true);
	me->rings++;
}

static bool wait_cqe(struct ringer *me)
{
	uint64_t give_up = 0;

	for (unsigned spin = 1; !rig_cqe(me->cq); spin++) {
		if (spin % 1024)
			continue;
		if (!give_up)
			give_up = emu_now_ns() + PATIENCE_NS;
		if (emu_now_ns() > give_up)
			return false;
		sched_yield();
	}
	return true;
}

/*
 * Ring, ring again a little later, wait for both CQEs: the second ring meets the engine
 * anywhere between its look at the first and its scan. An engine that clears the register
 * after the scan, and not before, loses some, and this stalls for good.
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
	struct rig r;

	rig_open(&r, &(struct rig_config){ .wire = "sink" });
	struct rig_cq cq = rig_cq(&r, 6);
	struct rig_sq sq = rig_sq(&r, 6, cq.cqn);
	struct ringer me = { .r = &r, .sq = &sq, .cq = &cq };

	ASSERT_EQ(0, emu_engine_start(r.adapter, -1));
	ring_and_wait(&me, emu_now_ns() + 1500000000);
	emu_engine_stop(r.adapter);
	EXPECT_FALSE(me.stalled);
	EXPECT_LT(1000, me.rings);
	EXPECT_EQ(0, rig_mistakes(&r));
	printf("    %llu rings\n", (unsigned long long)me.rings);
	rig_close(&r);
}

/* Two queues on one register: either's doorbell may overwrite the other's. */
static void *ringing_thread(void *arg)
{
	ring_and_wait(arg, emu_now_ns() + 700000000);
	return NULL;
}

TEST(engine, queues_share_a_register)
{
	struct ringer me[2];
	struct rig_sq sq[2];
	struct rig_cq cq[2];
	pthread_t other;
	struct rig r;

	rig_open(&r, &(struct rig_config){ .wire = "sink" });
	for (unsigned i = 0; i < 2; i++) {
		cq[i] = rig_cq(&r, 6);
		sq[i] = rig_sq(&r, 6, cq[i].cqn);
		me[i] = (struct ringer){ .r = &r, .sq = &sq[i], .cq = &cq[i] };
	}
	ASSERT_EQ(0, emu_engine_start(r.adapter, -1));
	ASSERT_EQ(0, pthread_create(&other, NULL, ringing_thread, &me[1]));
	ringing_thread(&me[0]);
	pthread_join(other, NULL);
	emu_engine_stop(r.adapter);
	for (unsigned i = 0; i < 2; i++) {
		EXPECT_FALSE(me[i].stalled);
		EXPECT_LT(100, me[i].rings);
	}
	EXPECT_EQ(0, rig_mistakes(&r));
	rig_close(&r);
}

/* Commands get their turn although the engine holds the lock nearly all the time. */
TEST(engine, lets_commands_in)
{
	struct prm_alloc_pd_in in = {0};
	struct prm_alloc_pd_out out;
	struct rig r;
	uint64_t start;

	rig_open(&r, &(struct rig_config){ .wire = "sink" });
	ASSERT_EQ(0, emu_engine_start(r.adapter, -1));
	EXPECT_NE(0, emu_engine_start(r.adapter, -1));
	start = emu_now_ns();
	for (unsigned i = 0; i < 100; i++)
		RIG_OK(&r, alloc_pd, &in, &out);
	EXPECT_LT(emu_now_ns() - start, 2000000000u);
	emu_engine_stop(r.adapter);
	emu_engine_stop(r.adapter);
	rig_close(&r);
}

TEST(engine, refuses_a_cpu_that_is_not_there)
{
	struct rig r;

	rig_open(&r, &(struct rig_config){ .wire = "sink" });
	EXPECT_NE(0, emu_engine_start(r.adapter, 1023));
	EXPECT_FALSE(r.adapter->engine_runs);
	rig_close(&r);
}

TEST(engine, stands_still_while_paused)
{
	struct rig r;

	rig_open(&r, &(struct rig_config){ .wire = "sink" });
	struct rig_cq cq = rig_cq(&r, 6);
	struct rig_sq sq = rig_sq(&r, 6, cq.cqn);
	struct post p = post_begin(&sq, PRM_WQE_NOP, PRM_CE_ALWAYS);

	emu_lock(r.adapter);
	r.adapter->paused = true;
	emu_unlock(r.adapter);
	ASSERT_EQ(0, emu_engine_start(r.adapter, -1));
	post_end(&r, &p, true);
	for (unsigned i = 0; i < 1000; i++)
		sched_yield();
	EXPECT_EQ(NULL, rig_cqe(&cq));
	emu_engine_stop(r.adapter);
	EXPECT_EQ(1, emu_poll(r.emu, 16)); /* the stepper */
	EXPECT_NE(NULL, rig_cqe(&cq));
	rig_close(&r);
}

/* ---- what a packet costs ------------------------------------------------------------ */

enum { BURST = 32, PER_WQE = 16, FRAME = 60, COST_RUNS = 20000 };

/* A burst in two multi-packet WQEs, as drivers post them. */
static void post_burst(struct rig *r, struct rig_sq *sq, uint32_t lkey, const uint8_t *mem)
{
	for (unsigned k = 0; k < BURST / PER_WQE; k++) {
		struct post p = post_begin(sq, PRM_WQE_ENHANCED_MPSW, PRM_CE_ALWAYS);

		post_eth(&p, 0);
		for (unsigned i = 0; i < PER_WQE; i++)
			post_pointer(&p, lkey, mem + (k * PER_WQE + i) * 2048, FRAME);
		post_end(r, &p, k == BURST / PER_WQE - 1);
	}
}

/* No limit: a figure for whoever changes the engine. Tests that judge speed use whole programs. */
TEST(engine, prints_what_a_packet_costs)
{
	uint64_t ns = 0, n = 0;
	struct rig r;

	rig_open(&r, &(struct rig_config){ .wire = "loop" });
	struct rig_cq cq = rig_cq(&r, 8);
	struct rig_sq sq = rig_sq(&r, 8, cq.cqn);
	struct post_rx rx = post_rx(&r, 9, 2048);
	uint8_t *mem = rig_mem(&r, BURST * 2048);
	const uint32_t lkey = rig_mkey(&r, mem, BURST * 2048, false);

	for (unsigned i = 0; i < BURST; i++)
		frame_udp(mem + i * 2048, FRAME, &(struct frame_udp){ .fill = (uint8_t)i });
	for (unsigned k = 0; k < COST_RUNS; k++) {
		uint64_t start;

		post_burst(&r, &sq, lkey, mem);
		start = emu_now_ns();
		while (emu_poll(r.emu, 256))
			;
		ns += emu_now_ns() - start;
		while (rig_cqe(&cq))
			;
		while (rig_cqe(&rx.cq))
			n++;
		post_more(&rx.rq, (uint16_t)(rx.rq.n + n));
	}
	EXPECT_EQ(COST_RUNS * BURST, n);
	EXPECT_EQ(0, rig_mistakes(&r));
	printf("    64-byte packets over loop: %.1f ns each\n", (double)ns / (double)n);
	rig_close(&r);
}
