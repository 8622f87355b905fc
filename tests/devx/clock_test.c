/* SPDX-License-Identifier: BSD-3-Clause */
#include <time.h>
#include <unistd.h>

#include "ct.h"
#include "devx/clock.h"
#include "devx_rig.h"

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

TEST_F(clock, runs_at_the_frequency_of_the_capability)
{
	const struct devx_rig *rig = &self->rig;
	const uint64_t since = get_system_ns(), first = read_new_cycles(rig);
	double ns;

	usleep(PAUSE_MS * 1000);
	ns = (double)(read_new_cycles(rig) - first) * 1e6 / rig->dev.caps.device_frequency_khz;
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
