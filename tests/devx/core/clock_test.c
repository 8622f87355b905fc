/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "ct.h"
#include "devx/clock.h"
#include "devx_rig.h"
#include "emu_clocks.h"
#include "needs_emu.h"
#include "prm/prm.h"

/* The clock of the device, and the time stamps of CQEs. */

enum { PAUSE_MS = 100, WAIT_MS = 5000, FRAMES = 20, BYTES = 100 };

FIXTURE(clock)
{
	struct devx_rig rig;
};

FIXTURE_SETUP(clock)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
}

FIXTURE_TEARDOWN(clock)
{
	devx_rig_down(&self->rig);
}

static uint64_t read_cycles(const struct devx_rig *rig)
{
	uint64_t cycles = 0;

	EXPECT_EQ(0, devx_clock_read(&rig->dev, &cycles));
	return cycles;
}

static uint64_t get_system_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Waits for another value: emu's engine, which writes the clock, may have waited for a CPU. */
static uint64_t read_new_cycles(const struct devx_rig *rig)
{
	const uint64_t end = get_system_ns() + WAIT_MS * 1000000ull, old = read_cycles(rig);
	uint64_t cycles = old;

	while (cycles == old && get_system_ns() < end)
		cycles = read_cycles(rig);
	return cycles;
}

/* Passes PAUSE_MS on a clock that the test holds. Return: cycles of that time */
static uint64_t count_held_cycles(const struct devx_emu_ctl *emu, const struct devx_rig *rig)
{
	uint64_t first;

	emu->clock(DEVX_EMU_CLOCK_HELD, 0);
	first = read_cycles(rig);
	EXPECT_EQ(first, read_cycles(rig));
	emu->clock(DEVX_EMU_CLOCK_HELD, PAUSE_MS * 1000000);
	return read_cycles(rig) - first;
}

TEST_F(clock, runs_at_the_frequency_of_the_capability)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	const struct devx_rig *rig = &self->rig;
	const uint32_t khz = rig->dev.caps.device_frequency_khz;
	uint64_t since, first;
	double ns;

	if (emu) {
		EXPECT_EQ((uint64_t)PAUSE_MS * khz, count_held_cycles(emu, rig));
		emu->clock(DEVX_EMU_CLOCK_REAL, 0);
		return;
	}
	since = get_system_ns();
	first = read_new_cycles(rig);
	usleep(PAUSE_MS * 1000);
	ns = (double)(read_new_cycles(rig) - first) * 1e6 / khz;
	EXPECT_LT(PAUSE_MS * 900000, (uint64_t)ns);
	EXPECT_GT((get_system_ns() - since) * 11 / 10, (uint64_t)ns);
}

static bool is_real_time(uint8_t ts_format)
{
	return ts_format == PRM_HCA_CAP_TS_FORMAT_REAL_TIME;
}

/* Reads the clock of the time stamps of a queue: cycles, or nanoseconds. */
static uint64_t read_stamp_clock(const struct devx_rig *rig, uint8_t ts_format)
{
	uint64_t ns = 0;

	if (!is_real_time(ts_format))
		return read_cycles(rig);
	EXPECT_EQ(0, devx_clock_read_real_time(&rig->dev, &ns));
	return ns;
}

/* Takes a CQE. Return: its time stamp in the units of read_stamp_clock() */
static uint64_t take_stamp(struct devx_cq *cq, uint8_t ts_format)
{
	const struct prm_cqe *cqe = devx_rig_wait_cqe(cq);
	uint64_t stamp;

	EXPECT_NE(NULL, cqe);
	if (!cqe)
		return 0;
	stamp = prm_be64_get(cqe->timestamp);
	devx_rig_drop_cqe(cq);
	if (!is_real_time(ts_format))
		return stamp;
	EXPECT_GT(1000000000, (uint32_t)stamp);
	return (stamp >> 32) * 1000000000 + (uint32_t)stamp;
}

static void send_frame(struct devx_rig *rig, uint32_t i)
{
	const uint8_t *frame = devx_rig_get_send_slot(rig, i);

	devx_rig_write_frame(rig, devx_rig_get_send_slot(rig, i), i, BYTES);
	devx_rig_post_recv(rig, i + 1);
	devx_sq_ring(&rig->sq, devx_rig_post_send(rig, frame, BYTES, rig->mr.lkey));
}

TEST_F(clock, time_stamp_of_a_cqe_lies_between_two_reads)
{
	struct devx_rig *rig = &self->rig;
	const uint8_t rq = rig->dev.rq_ts_format, sq = rig->dev.sq_ts_format;

	for (uint32_t i = 0; i < FRAMES; i++) {
		const uint64_t before[] = { read_stamp_clock(rig, rq), read_stamp_clock(rig, sq) };
		uint64_t stamp;

		send_frame(rig, i);
		stamp = take_stamp(&rig->recv_cq, rq);
		EXPECT_LE(before[0], stamp);
		EXPECT_GE(read_stamp_clock(rig, rq), stamp);
		stamp = take_stamp(&rig->send_cq, sq);
		EXPECT_LE(before[1], stamp);
		EXPECT_GE(read_stamp_clock(rig, sq), stamp);
	}
}

/* ---- devices with other clocks --------------------------------------------------------- */

FIXTURE(device_clock)
{
	struct devx_rig rig;
	int64_t cap, real_time; /* options before the test */
};

FIXTURE_SETUP(device_clock)
{
	NEEDS_EMU("to set options of its profile");
	self->cap = emu_if_any()->option("ts_format", 0);
	self->real_time = emu_if_any()->option("real_time", 0);
}

FIXTURE_TEARDOWN(device_clock)
{
	devx_rig_down(&self->rig);
	if (!emu_if_any())
		return;
	emu_if_any()->clock(DEVX_EMU_CLOCK_REAL, 0);
	emu_if_any()->option("ts_format", (uint32_t)self->cap);
	emu_if_any()->option("real_time", (uint32_t)self->real_time);
}

static int open_device(struct ct_fix_device_clock *self, const struct emu_clocks_row *device)
{
	emu_if_any()->option("ts_format", device->ts_format);
	emu_if_any()->option("real_time", device->real_time);
	return devx_rig_up(&self->rig);
}

TEST_F_EACH(device_clock, time_stamp_is_the_time_of_the_clock_of_its_queue, struct emu_clocks_row,
	    emu_clocks_rows)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_rig *rig = &self->rig;
	const uint8_t *rq = &rig->dev.rq_ts_format, *sq = &rig->dev.sq_ts_format;

	ASSERT_EQ(0, open_device(self, row));
	EXPECT_EQ(row->is_real_time, is_real_time(*rq));
	EXPECT_EQ(row->is_real_time, is_real_time(*sq));
	for (uint32_t i = 0; i < FRAMES; i++) {
		const uint64_t ns = emu->clock(DEVX_EMU_CLOCK_HELD, i * 1000003ull);
		const uint64_t now = emu_clocks_convert(row, ns);

		send_frame(rig, i);
		EXPECT_EQ(now, take_stamp(&rig->recv_cq, *rq));
		EXPECT_EQ(now, take_stamp(&rig->send_cq, *sq));
		EXPECT_EQ(now, read_stamp_clock(rig, *rq));
	}
}

TEST_F_EACH(device_clock, both_clocks_can_be_read_if_the_device_has_them, struct emu_clocks_row,
	    emu_clocks_rows)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	uint64_t ns = 7, held;

	ASSERT_EQ(0, open_device(self, row));
	if (row->ts_format == PRM_HCA_CAP_TS_FORMAT_FREE_RUNNING) {
		EXPECT_EQ(-EOPNOTSUPP, devx_clock_read_real_time(&self->rig.dev, &ns));
		EXPECT_EQ(7, ns);
		return;
	}
	for (unsigned i = 0; i < 3; i++) {
		held = emu->clock(DEVX_EMU_CLOCK_HELD, i * 999999999ull);
		EXPECT_EQ(0, devx_clock_read_real_time(&self->rig.dev, &ns));
		EXPECT_EQ(emu_clocks_convert(&emu_clocks_rows[1], held), ns);
		EXPECT_EQ(row->is_real_time ? held : held * 5 / 32, read_cycles(&self->rig));
	}
}

/* Creates one more RQ with one command, in memory of the rig. */
static int create_rq(struct devx_rig *rig, struct devx_rq *rq)
{
	uint8_t *at = rig->umem.addr;
	const struct devx_umem_ring place = { &rig->umem, at + DEVX_UMEM_RING_ALIGN, at };
	const struct devx_rq_attr attr = { .log2_n = 3, .cq = &rig->recv_cq, .keep_vlan = true };

	return devx_rq_create_in_umem(rq, &rig->dev, &attr, &place);
}

TEST_F(device_clock, only_the_first_queue_of_a_kind_asks_for_the_refused_clock)
{
	struct devx_rig *rig = &self->rig;
	struct devx_rq rq = { 0 };

	ASSERT_EQ(0, open_device(self, &emu_clocks_rows[EMU_CLOCKS_BOTH_IN_REAL_TIME_MODE]));
	EXPECT_EQ(1, devx_rig_get_counts(&rig->dev, PRM_OP_create_sq).n_failed);
	EXPECT_EQ(1, devx_rig_get_counts(&rig->dev, PRM_OP_create_rq).n_failed);
	ASSERT_EQ(0, create_rq(rig, &rq));
	EXPECT_EQ(1, devx_rig_get_counts(&rig->dev, PRM_OP_create_rq).n_failed);
	devx_rq_destroy(&rq);
}

TEST_F(device_clock, einval_of_an_old_kernel_selects_the_real_time_clock)
{
	struct devx_rig *rig = &self->rig;
	struct devx_rq rq = { 0 };

	ASSERT_EQ(0, open_device(self, &emu_clocks_rows[EMU_CLOCKS_BOTH]));
	emu_if_any()->fail(DEVX_EMU_FAIL_IOCTL, 0, EINVAL);
	ASSERT_EQ(0, create_rq(rig, &rq));
	EXPECT_EQ(PRM_HCA_CAP_TS_FORMAT_REAL_TIME, rig->dev.rq_ts_format);
	devx_rq_destroy(&rq);
}

TEST_F(device_clock, refusal_for_another_reason_keeps_the_format)
{
	struct devx_rig *rig = &self->rig;
	struct devx_rq rq = { 0 };

	ASSERT_EQ(0, open_device(self, &emu_clocks_rows[EMU_CLOCKS_BOTH]));
	emu_if_any()->fail(DEVX_EMU_FAIL_COMMAND, 0, PRM_STATUS_LIM_ERR);
	EXPECT_EQ(-EREMOTEIO, create_rq(rig, &rq));
	EXPECT_EQ(1, devx_rig_get_counts(&rig->dev, PRM_OP_create_rq).n_failed);
	EXPECT_EQ(PRM_HCA_CAP_TS_FORMAT_FREE_RUNNING_AND_REAL_TIME, rig->dev.rq_ts_format);
}
