/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <sched.h>

#include "core_rig_post.h"
#include "emu/base/clock.h"
#include "emu/queue/sq.h"
#include "prm/cqe.h"
#include "prm/wqe.h"
#include "udp_frame.h"

/* The clock of an adapter. Stamps count cycles of 6.4 ns, so all times are multiples of 32 ns. */
enum { FRAME = 1000, KBPS = 80000, STEP_NS = 100000, INDEX = 5, PATIENCE_S = 20 };
#define HOUR_NS (3600ull * 1000000000)

static uint64_t hold_clock(struct core_rig *r, uint64_t ns)
{
	return emu_set_clock(r->adapter, EMU_CLOCK_HELD, ns);
}

static uint64_t to_cycles(uint64_t ns)
{
	return ns * 5 / 32;
}

static void post_nop(struct core_rig *r, struct core_rig_sq *sq)
{
	struct core_rig_wqe p = core_rig_begin_wqe(sq, PRM_WQE_NOP, PRM_CE_ALWAYS);

	core_rig_end_wqe(r, &p, true);
}

/* Executes a NOP at the current time. Return: the time stamp of its CQE */
static uint64_t take_stamp(struct core_rig *r, struct core_rig_sq *sq, struct core_rig_cq *cq)
{
	const struct prm_cqe *cqe;

	post_nop(r, sq);
	EXPECT_EQ(1, emu_poll(r->emu, 1));
	cqe = core_rig_take_cqe(cq);
	EXPECT_NE(NULL, cqe);
	return cqe ? prm_be64_get(cqe->timestamp) : 0;
}

/* ---- a clock that a test holds ------------------------------------------------------------- */

TEST(adapter_clock, held_time_moves_as_far_as_it_is_moved)
{
	struct core_rig r;
	uint64_t timer = 0, real_time = 0, began;

	core_rig_open(&r, &(struct core_rig_config){ 0 });
	struct core_rig_cq cq = core_rig_make_cq(&r, 6);
	struct core_rig_sq sq = core_rig_make_sq(&r, 6, cq.cqn);

	r.adapter->timer = &timer;
	r.adapter->real_time = &real_time;
	began = hold_clock(&r, 0);
	for (uint64_t ns = 0; ns < 640; ns += 32) {
		EXPECT_EQ(began + ns, ns ? hold_clock(&r, 32) : began);
		EXPECT_EQ(began + ns, emu_read_clock(r.emu));
		EXPECT_EQ(to_cycles(began + ns), prm_be64_get((prm_be64){ timer }));
		EXPECT_EQ(to_cycles(began + ns), take_stamp(&r, &sq, &cq));
	}
	core_rig_close(&r);
}

/* Queues of each format, on devices with one clock or both, in both modes. */
static const struct stamped {
	const char *name, *profile;
	unsigned format, khz; /* enum prm_ts_format; frequency of the free-running clock */
	bool has_real_time, is_real_time;
} stamped[] = {
	{ "free_running", "cx6dx", PRM_TS_FORMAT_FREE_RUNNING, 156250, false, false },
	{ "only_free_running", "cx6dx", PRM_TS_FORMAT_DEFAULT, 156250, false, false },
	{ "only_real_time", "cx6dx,ts_format=1", PRM_TS_FORMAT_DEFAULT, 1000000, true, true },
	{ "profile_realtime", "realtime", PRM_TS_FORMAT_REAL_TIME, 1000000, true, true },
	{ "free_of_both", "cx6dx,ts_format=2", PRM_TS_FORMAT_FREE_RUNNING, 156250, true, false },
	{ "default_of_both", "cx6dx,ts_format=2", PRM_TS_FORMAT_DEFAULT, 156250, true, false },
	{ "real_of_both", "cx6dx,ts_format=2", PRM_TS_FORMAT_REAL_TIME, 156250, true, true },
	{ "default_in_real_time_mode", "cx6dx,ts_format=2,real_time=1", PRM_TS_FORMAT_DEFAULT,
	  1000000, true, true },
};

/* The real-time clock counts from 1,700,000,000 s on, and gains 1 ns each 1000 ns. */
static uint64_t to_real_time(uint64_t ns)
{
	const uint64_t real_ns = ns + ns / 1000;

	return (1700000000 + real_ns / 1000000000) << 32 | real_ns % 1000000000;
}

enum { LOG_BUFFERS = 4, BUFFER = 2048 };

static uint8_t *get_frame(const struct core_rig_rx *rx)
{
	return rx->buffers + ((1 << LOG_BUFFERS) - 1) * BUFFER; /* the last one receives nothing */
}

/* Sends a frame at the current time, and expects @stamp in the CQEs of its sender and receiver. */
static void expect_frame_stamps(struct core_rig *r, struct core_rig_sq *sq,
				struct core_rig_cq *send_cq, struct core_rig_rx *rx, uint64_t stamp)
{
	const struct prm_cqe *cqe;

	core_rig_post_send(r, sq, rx->lkey, get_frame(rx), FRAME);
	emu_poll(r->emu, 10);
	cqe = core_rig_take_cqe(send_cq);
	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(stamp, prm_be64_get(cqe->timestamp));
	cqe = core_rig_take_cqe(&rx->cq);
	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(stamp, prm_be64_get(cqe->timestamp));
}

TEST_EACH(adapter_clock, stamps_and_registers_show_the_held_time, struct stamped, stamped)
{
	struct core_rig r;
	uint64_t timer = 0, real_time = 1;

	core_rig_open(&r, &(struct core_rig_config){ .profile = row->profile, .wire = "loop" });
	r.ts_format = row->format;
	struct core_rig_cq cq = core_rig_make_cq(&r, 6);
	struct core_rig_sq sq = core_rig_make_sq(&r, 6, cq.cqn);
	struct core_rig_rx rx = core_rig_make_rx(&r, LOG_BUFFERS, BUFFER);

	udp_frame_write(get_frame(&rx), FRAME, &(struct udp_frame){ .fill = 1 });
	r.adapter->timer = &timer;
	r.adapter->real_time = &real_time;
	for (unsigned k = 0; k < 3; k++) {
		const uint64_t ns = hold_clock(&r, k * 1000000003ull), real = to_real_time(ns),
			       cycles = ns * (row->khz / 31250) / 32;

		EXPECT_EQ(cycles, prm_be64_get((prm_be64){ timer }));
		EXPECT_EQ(row->has_real_time ? real : 0, prm_be64_get((prm_be64){ real_time }));
		expect_frame_stamps(&r, &sq, &cq, &rx, row->is_real_time ? real : cycles);
	}
	core_rig_close(&r);
}

/* The units of the registers depend on the profile; no turn of the engine is needed. */
TEST(adapter_clock, registers_show_the_clock_of_a_changed_profile_at_once)
{
	struct core_rig r;
	uint64_t timer = 0, real_time = 1, ns;
	int64_t before;

	core_rig_open(&r, &(struct core_rig_config){ 0 });
	r.adapter->timer = &timer;
	r.adapter->real_time = &real_time;
	ns = hold_clock(&r, 3200);
	EXPECT_EQ(to_cycles(ns), prm_be64_get((prm_be64){ timer }));
	before = emu_set_option(r.adapter, "ts_format", PRM_HCA_CAP_TS_FORMAT_REAL_TIME);
	EXPECT_LE(0, before);
	EXPECT_EQ(ns, prm_be64_get((prm_be64){ timer })); /* 1 GHz */
	EXPECT_EQ(to_real_time(ns), prm_be64_get((prm_be64){ real_time }));
	EXPECT_EQ(-EINVAL, emu_set_option(r.adapter, "no_such_option", 1));
	EXPECT_LE(0, emu_set_option(r.adapter, "ts_format", (uint32_t)before));
	EXPECT_EQ(to_cycles(ns), prm_be64_get((prm_be64){ timer }));
	core_rig_close(&r);
}

/* The machine's clock is read around the adapter's. It can have moved no further between. */
TEST(adapter_clock, real_time_goes_on_from_the_held_time)
{
	struct core_rig r;
	uint64_t held, before, first, last, after;

	core_rig_open(&r, &(struct core_rig_config){ 0 });
	before = emu_now_ns();
	first = emu_read_clock(r.emu);
	after = emu_now_ns();
	EXPECT_LE(before, first);
	EXPECT_LE(first, after);
	for (unsigned k = 0; k < 3; k++) {
		held = hold_clock(&r, k * HOUR_NS);
		before = emu_now_ns();
		first = emu_set_clock(r.adapter, EMU_CLOCK_REAL, k);
		last = emu_read_clock(r.emu);
		after = emu_now_ns();
		EXPECT_EQ(held + k, first);
		EXPECT_LE(first, last);
		EXPECT_LE(last - first, after - before);
	}
	core_rig_close(&r);
}

TEST(adapter_clock, each_adapter_has_its_own)
{
	struct core_rig r, other;
	uint64_t at, others;

	core_rig_open(&r, &(struct core_rig_config){ 0 });
	core_rig_open(&other, &(struct core_rig_config){ 0 });
	at = hold_clock(&r, 0);
	others = hold_clock(&other, HOUR_NS);
	EXPECT_EQ(at, emu_read_clock(r.emu));
	hold_clock(&r, 7);
	EXPECT_EQ(others, emu_read_clock(other.emu));
	core_rig_close(&other);
	core_rig_close(&r);
}

/* ---- a clock that the engine steps --------------------------------------------------------- */

FIXTURE(stepped_clock)
{
	struct core_rig r;
	struct core_rig_cq cq;
	uint8_t *mem;
	uint32_t lkey;
	uint64_t began;
};

static void open_stepped(struct ct_fix_stepped_clock *self, const struct core_rig_config *config)
{
	core_rig_open(&self->r, config);
	self->cq = core_rig_make_cq(&self->r, 8);
	self->mem = core_rig_alloc(&self->r, FRAME);
	self->lkey = core_rig_make_mkey(&self->r, self->mem, FRAME, false);
	udp_frame_write(self->mem, FRAME, &(struct udp_frame){ .fill = 1 });
	self->began = emu_set_clock(self->r.adapter, EMU_CLOCK_STEPPED, 0);
}

FIXTURE_SETUP(stepped_clock)
{
	self->began = 0;
}

FIXTURE_TEARDOWN(stepped_clock)
{
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
	core_rig_close(&self->r);
}

/* Makes an SQ that completes to the CQ and sends FRAME bytes per @step_ns; 0: has no limit. */
static struct core_rig_sq make_sq(struct ct_fix_stepped_clock *self, uint64_t step_ns)
{
	const struct core_rig_sq made = core_rig_make_sq(&self->r, 7, self->cq.cqn);
	struct emu_sq *sq = emu_obj_at(&self->r.emu->table[EMU_SQ], made.sqn);

	if (!step_ns)
		return made;
	sq->rate = (uint16_t)(INDEX + made.sqn % 2);
	self->r.emu->rate[sq->rate].kbps = (uint32_t)((uint64_t)KBPS * STEP_NS / step_ns);
	return made;
}

static const struct prm_cqe *wait_cqe(struct core_rig_cq *cq)
{
	const uint64_t give_up = emu_now_ns() + PATIENCE_S * 1000000000ull;
	const struct prm_cqe *cqe;

	while (!(cqe = core_rig_take_cqe(cq)) && emu_now_ns() < give_up)
		sched_yield();
	EXPECT_NE(NULL, cqe);
	return cqe;
}

/* Waits for @n CQEs and expects one each @step_ns, from the time that began on. */
static void expect_stamps(struct ct_fix_stepped_clock *self, unsigned n, uint64_t step_ns)
{
	for (unsigned i = 0; i < n; i++) {
		const struct prm_cqe *cqe = wait_cqe(&self->cq);

		ASSERT_NE(NULL, cqe);
		EXPECT_EQ(to_cycles(self->began + i * step_ns), prm_be64_get(cqe->timestamp));
	}
}

static void post_frames(struct ct_fix_stepped_clock *self, struct core_rig_sq *sq, unsigned n)
{
	while (n--)
		core_rig_post_send(&self->r, sq, self->lkey, self->mem, FRAME);
}

TEST_F(stepped_clock, jumps_from_frame_to_frame_of_a_rate_limit)
{
	enum { N = 100 };
	struct core_rig_sq sq;

	open_stepped(self, &(struct core_rig_config){ 0 });
	sq = make_sq(self, STEP_NS);
	post_frames(self, &sq, N);
	ASSERT_EQ(0, emu_engine_start(self->r.adapter, NULL));
	expect_stamps(self, N, STEP_NS);
}

/* The CQEs of both come in the order of time: 0, 0, 1, 2, 3, 4, 4, 5... times STEP_NS. */
TEST_F(stepped_clock, jumps_to_the_earliest_frame_of_several_queues)
{
	enum { N = 40, SLOWER = 4, SQN_MASK = 0xffffff };
	struct core_rig_sq fast, slow;
	unsigned n_slow = 0;

	open_stepped(self, &(struct core_rig_config){ 0 });
	fast = make_sq(self, STEP_NS);
	slow = make_sq(self, STEP_NS * SLOWER);
	post_frames(self, &fast, N);
	post_frames(self, &slow, N / SLOWER);
	ASSERT_EQ(0, emu_engine_start(self->r.adapter, NULL));
	for (unsigned n_fast = 0; n_fast < N || n_slow < N / SLOWER;) {
		const struct prm_cqe *cqe = wait_cqe(&self->cq);
		const bool is_slow =
			cqe && (prm_be32_get(cqe->sop_drop_qpn) & SQN_MASK) == slow.sqn;
		const uint64_t n = is_slow ? SLOWER * n_slow : n_fast;

		ASSERT_NE(NULL, cqe);
		EXPECT_EQ(to_cycles(self->began + n * STEP_NS), prm_be64_get(cqe->timestamp));
		n_slow += is_slow;
		n_fast += !is_slow;
	}
	EXPECT_EQ(N / SLOWER, n_slow);
}

TEST_F(stepped_clock, jumps_over_the_delay_of_a_wire)
{
	struct core_rig_sq sq;
	struct core_rig_rx rx;
	const struct prm_cqe *cqe;

	open_stepped(self, &(struct core_rig_config){ .wire = "loop,delay=2ms" });
	sq = make_sq(self, 0);
	rx = core_rig_make_rx(&self->r, 4, 2048);
	post_frames(self, &sq, 1);
	ASSERT_EQ(0, emu_engine_start(self->r.adapter, NULL));
	expect_stamps(self, 1, 0);
	cqe = wait_cqe(&rx.cq);
	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(to_cycles(self->began + 2000000), prm_be64_get(cqe->timestamp));
}

/* The port without work has the next event. */
TEST_F(stepped_clock, is_one_for_all_ports)
{
	struct core_rig_sq sq;

	open_stepped(self, &(struct core_rig_config){ .n_ports = 2 });
	self->r.emu = emu_port(self->r.adapter, 1);
	core_rig_fill_context(&self->r);
	self->cq = core_rig_make_cq(&self->r, 8);
	self->lkey = core_rig_make_mkey(&self->r, self->mem, FRAME, false);
	sq = make_sq(self, STEP_NS);
	post_frames(self, &sq, 10);
	ASSERT_EQ(0, emu_engine_start(self->r.adapter, NULL));
	expect_stamps(self, 10, STEP_NS);
}

TEST_F(stepped_clock, stands_still_while_the_engine_is_paused)
{
	struct core_rig_sq sq;

	open_stepped(self, &(struct core_rig_config){ 0 });
	sq = make_sq(self, STEP_NS);
	emu_set_paused(self->r.adapter, true);
	post_frames(self, &sq, 2);
	EXPECT_EQ(1, emu_poll(self->r.emu, 10));
	ASSERT_EQ(0, emu_engine_start(self->r.adapter, NULL));
	for (unsigned i = 0; i < 1000; i++)
		sched_yield();
	EXPECT_EQ(self->began, emu_read_clock(self->r.emu));
	expect_stamps(self, 1, 0);
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
	emu_set_paused(self->r.adapter, false);
	EXPECT_NE(NULL, wait_cqe(&self->cq));
}

/* Otherwise a program that waits for a time of the clock register would wait forever. */
TEST_F(stepped_clock, moves_on_when_the_engine_has_been_idle_for_long)
{
	const uint64_t give_up = emu_now_ns() + PATIENCE_S * 1000000000ull;

	open_stepped(self, &(struct core_rig_config){ 0 });
	ASSERT_EQ(0, emu_engine_start(self->r.adapter, NULL));
	while (emu_read_clock(self->r.emu) < self->began + 2000000 && emu_now_ns() < give_up)
		sched_yield();
	EXPECT_LE(self->began + 2000000, emu_read_clock(self->r.emu));
}
