/* SPDX-License-Identifier: BSD-3-Clause */
#include <time.h>
#include <unistd.h>

#include "ct.h"
#include "devx/clock.h"
#include "devx_rig.h"
#include "needs_emu.h"

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

/* Expects a CQE with a time stamp between @before and now. */
static void expect_stamp(struct devx_rig *rig, struct devx_cq *cq, uint64_t before)
{
	const struct prm_cqe *cqe = devx_rig_wait_cqe(cq);

	ASSERT_NE(NULL, cqe);
	EXPECT_LE(before, prm_be64_get(cqe->timestamp));
	EXPECT_GE(read_cycles(rig), prm_be64_get(cqe->timestamp));
	devx_rig_drop_cqe(cq);
}

static void send_frame(struct devx_rig *rig, uint32_t i)
{
	const uint8_t *frame = devx_rig_get_send_slot(rig, i);

	devx_rig_write_frame(rig, devx_rig_get_send_slot(rig, i), i, BYTES);
	devx_rig_post_recv(rig, i + 1);
	devx_sq_ring(&rig->sq, devx_rig_post_send(rig, frame, BYTES, rig->mr.lkey));
}

static bool has_real_time(const struct devx_rig *rig)
{
	return rig->dev.caps.sq_ts_format == PRM_HCA_CAP_TS_FORMAT_REAL_TIME;
}

TEST_F(clock, time_stamp_of_a_cqe_lies_between_two_reads)
{
	struct devx_rig *rig = &self->rig;

	if (has_real_time(rig))
		SKIP("the time stamps of the device are those of another clock");
	for (uint32_t i = 0; i < FRAMES; i++) {
		const uint64_t before = read_cycles(rig);

		send_frame(rig, i);
		expect_stamp(rig, &rig->recv_cq, before);
		expect_stamp(rig, &rig->send_cq, before);
	}
}

/* Expects a CQE with the time of the held clock, @ns. */
static void expect_exact_stamp(const struct devx_rig *rig, struct devx_cq *cq, uint64_t ns)
{
	const struct prm_cqe *cqe = devx_rig_wait_cqe(cq);
	const uint64_t real_ns = ns + ns / 1000;
	const uint64_t real_time = (1700000000 + real_ns / 1000000000) << 32 | real_ns % 1000000000;

	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(has_real_time(rig) ? real_time : read_cycles(rig), prm_be64_get(cqe->timestamp));
	devx_rig_drop_cqe(cq);
}

TEST_F(clock, time_stamp_of_a_cqe_is_the_time_of_the_device)
{
	const struct devx_emu_ctl *emu = emu_if_any();

	NEEDS_EMU("to hold the clock");
	for (uint32_t i = 0; i < FRAMES; i++) {
		const uint64_t ns = emu->clock(DEVX_EMU_CLOCK_HELD, i * 1000003ull);

		send_frame(&self->rig, i);
		expect_exact_stamp(&self->rig, &self->rig.recv_cq, ns);
		expect_exact_stamp(&self->rig, &self->rig.send_cq, ns);
	}
	emu->clock(DEVX_EMU_CLOCK_REAL, 0);
}

/* Expects a CQE with seconds and nanoseconds that are not before @last. Returns them. */
static uint64_t take_real_time(struct devx_cq *cq, uint64_t last)
{
	const struct prm_cqe *cqe = devx_rig_wait_cqe(cq);
	const uint64_t now = cqe ? prm_be64_get(cqe->timestamp) : 0;

	EXPECT_LE(last, now);
	EXPECT_GT(1000000000, (uint32_t)now);
	if (cqe)
		devx_rig_drop_cqe(cq);
	return now;
}

TEST_F(clock, time_stamp_of_a_real_time_clock_has_seconds_and_nanoseconds)
{
	struct devx_rig *rig = &self->rig;
	uint64_t first = 0, last[2] = { 0 };

	if (!has_real_time(rig))
		SKIP("the device has no real-time clock");
	for (uint32_t i = 0; i < FRAMES; i++) {
		send_frame(rig, i);
		last[0] = take_real_time(&rig->recv_cq, last[0]);
		last[1] = take_real_time(&rig->send_cq, last[1]);
		first = first ? first : last[0];
	}
	usleep(PAUSE_MS * 1000);
	send_frame(rig, FRAMES);
	last[0] = take_real_time(&rig->recv_cq, last[0]);
	EXPECT_LE(PAUSE_MS * 1000000, (int64_t)((last[0] >> 32) - (first >> 32)) * 1000000000 +
					      (int64_t)(uint32_t)last[0] -
					      (int64_t)(uint32_t)first);
}
