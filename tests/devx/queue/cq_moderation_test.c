/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <poll.h>
#include <time.h>

#include "ct.h"
#include "devx/cmd.h"
#include "devx_rig.h"
#include "needs_emu.h"
#include "prm/prm.h"

/* Moderation of completion events (cq.c). */

enum { WAIT_MS = 10000 };

FIXTURE(moderate)
{
	struct devx_rig rig;
	struct mlx5dv_devx_event_channel *channel; /* gets the completion events of send_cq */
};

FIXTURE_SETUP(moderate)
{
	uint16_t completion = 0;

	ASSERT_EQ(0, devx_rig_up(&self->rig));
	self->channel = mlx5dv_devx_create_event_channel(
		self->rig.dev.ctx, MLX5DV_DEVX_CREATE_EVENT_CHANNEL_FLAGS_OMIT_EV_DATA);
	ASSERT_TRUE(self->channel);
	ASSERT_EQ(0, mlx5dv_devx_subscribe_devx_event(self->channel, self->rig.send_cq.obj,
						      sizeof(completion), &completion, 1));
}

FIXTURE_TEARDOWN(moderate)
{
	mlx5dv_devx_destroy_event_channel(self->channel);
	devx_rig_down(&self->rig);
}

static uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000;
}

/* Arms the CQ and sends a frame. */
static void send_frame(struct devx_rig *rig, uint8_t sn)
{
	uint8_t *slot = devx_rig_get_send_slot(rig, 0);

	devx_cq_arm(&rig->send_cq, sn);
	devx_rig_write_frame(rig, slot, 0, 64);
	devx_sq_ring(&rig->sq, devx_rig_post_send(rig, slot, 64, rig->mr.lkey));
}

static int poll_channel(const struct ct_fix_moderate *self, int ms)
{
	struct pollfd event = { .fd = self->channel->fd, .events = POLLIN };

	return poll(&event, 1, ms);
}

static void take_event(struct ct_fix_moderate *self)
{
	struct devx_rig *rig = &self->rig;
	struct mlx5dv_devx_async_event_hdr hdr;

	EXPECT_EQ(1, poll_channel(self, WAIT_MS));
	EXPECT_EQ((ssize_t)sizeof(hdr),
		  mlx5dv_devx_get_event(self->channel, (void *)&hdr, sizeof(hdr)));
	EXPECT_TRUE(devx_cq_peek(&rig->send_cq));
	devx_rig_drop_cqe(&rig->send_cq);
}

/* Sends a frame and waits for the event. Return: time from the doorbell in us */
static uint64_t wait_for_event(struct ct_fix_moderate *self, uint8_t sn)
{
	const uint64_t start = now_us();

	send_frame(&self->rig, sn);
	take_event(self);
	return now_us() - start;
}

/* Expects the event @us after the CQE, on a clock that the test holds. */
static void expect_event_after(struct ct_fix_moderate *self, const struct devx_emu_ctl *emu,
			       uint64_t us)
{
	emu->pause();
	EXPECT_NE(0, emu->clock(DEVX_EMU_CLOCK_HELD, 0));
	send_frame(&self->rig, 0);
	EXPECT_EQ(1, emu->step(0, 1));
	EXPECT_TRUE(devx_cq_peek(&self->rig.send_cq));
	emu->clock(DEVX_EMU_CLOCK_HELD, us * 1000 - 1);
	emu->step(0, 1);
	EXPECT_EQ(0, poll_channel(self, 0));
	emu->clock(DEVX_EMU_CLOCK_HELD, 1);
	emu->step(0, 1);
	take_event(self);
	emu->clock(DEVX_EMU_CLOCK_REAL, 0);
	emu->resume();
}

static void query_context(struct devx_cq *cq, struct prm_query_cq_out *out)
{
	struct prm_query_cq_in in = { 0 };

	*out = (struct prm_query_cq_out){ 0 };
	prm_set(&in, opcode, PRM_OP_query_cq);
	prm_set(&in, cqn, cq->cqn);
	EXPECT_EQ(0, devx_cmd_query(cq->dev, cq->obj, &in, sizeof(in), out, sizeof(*out)));
}

TEST_F(moderate, event_waits_for_the_period)
{
	const struct devx_cq_moderation m = { .period_us = 4000, .from_cqe = true };

	ASSERT_EQ(0, devx_cq_moderate(&self->rig.send_cq, &m));
	if (emu_if_any())
		expect_event_after(self, emu_if_any(), m.period_us);
	else
		EXPECT_LE(m.period_us, wait_for_event(self, 0));
}

TEST_F(moderate, fields_reach_the_device)
{
	struct devx_cq *cq = &self->rig.send_cq;
	struct devx_cq_moderation m = { DEVX_CQ_PERIOD_US_MAX, UINT16_MAX, true };
	struct prm_query_cq_out out;

	ASSERT_EQ(0, devx_cq_moderate(cq, &m));
	query_context(cq, &out);
	EXPECT_EQ(DEVX_CQ_PERIOD_US_MAX, prm_get(prm_sub(&out, cq_context), cq_period));
	EXPECT_EQ(UINT16_MAX, prm_get(prm_sub(&out, cq_context), cq_max_count));
	EXPECT_EQ(1, prm_get(prm_sub(&out, cq_context), cq_period_mode));
	m = (struct devx_cq_moderation){ 0 };
	ASSERT_EQ(0, devx_cq_moderate(cq, &m));
	query_context(cq, &out);
	EXPECT_EQ(0, prm_get(prm_sub(&out, cq_context), cq_period));
	EXPECT_EQ(0, prm_get(prm_sub(&out, cq_context), cq_max_count));
	EXPECT_EQ(0, prm_get(prm_sub(&out, cq_context), cq_period_mode));
	wait_for_event(self, 0);
}

TEST_F(moderate, bad_values_and_missing_capabilities_are_refused)
{
	struct devx_dev *dev = &self->rig.dev;
	struct devx_cq *cq = &self->rig.send_cq;
	struct devx_cq_moderation m = { .period_us = DEVX_CQ_PERIOD_US_MAX + 1 };

	devx_rig_expect_error(dev, -EINVAL, "4096 us is invalid (valid: 0 to 4095 us)",
			      devx_cq_moderate(cq, &m));
	m = (struct devx_cq_moderation){ .from_cqe = true };
	dev->caps.cq_period_mode_modify = false;
	devx_rig_expect_error(dev, -ENOTSUP, "capability cq_period_mode_modify is 0",
			      devx_cq_moderate(cq, &m));
	dev->caps.cq_period_start_from_cqe = false;
	devx_rig_expect_error(dev, -ENOTSUP, "capability cq_period_start_from_cqe is 0",
			      devx_cq_moderate(cq, &m));
	dev->caps.cq_moderation = false;
	devx_rig_expect_error(dev, -ENOTSUP, "capability cq_moderation is 0",
			      devx_cq_moderate(cq, &m));
}
