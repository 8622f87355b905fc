/* SPDX-License-Identifier: BSD-3-Clause */
#include <time.h>
#include <unistd.h>

#include "ct.h"
#include "devx/clock.h"
#include "devx_rig.h"

/* The clock of the device, and the time stamps of CQEs. */

enum { PAUSE_MS = 100, FRAMES = 20, BYTES = 100 };

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

TEST_F(clock, runs_at_the_frequency_of_the_capability)
{
	const struct devx_rig *rig = &self->rig;
	const uint64_t since = get_system_ns(), first = read_cycles(rig);
	double ns;

	usleep(PAUSE_MS * 1000);
	ns = (double)(read_cycles(rig) - first) * 1e6 / rig->dev.caps.device_frequency_khz;
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

TEST_F(clock, time_stamp_of_a_cqe_lies_between_two_reads)
{
	struct devx_rig *rig = &self->rig;

	for (uint32_t i = 0; i < FRAMES; i++) {
		const uint64_t before = read_cycles(rig);
		const uint8_t *frame = devx_rig_get_send_slot(rig, i);

		devx_rig_write_frame(rig, devx_rig_get_send_slot(rig, i), i, BYTES);
		devx_rig_post_recv(rig, i + 1);
		devx_sq_ring(&rig->sq, devx_rig_post_send(rig, frame, BYTES, rig->mr.lkey));
		expect_stamp(rig, &rig->recv_cq, before);
		expect_stamp(rig, &rig->send_cq, before);
	}
}
