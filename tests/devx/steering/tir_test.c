/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "ct.h"
#include "devx_rig.h"
#include "needs_emu.h"
#include "prm/prm.h"

/*
 * Own frames (tir.c). A second context is open, so local loopback brings frames to the own MAC back
 * to the function. The TIR of the rig blocks them, or not.
 */

enum { FRAME_BYTES = 100 };

FIXTURE(self_lb)
{
	const struct devx_emu_ctl *emu;
	int64_t order_before; /* option tis_tir_td_order */
	struct devx_rig rig;
	struct devx_dev second;
};

FIXTURE_SETUP(self_lb)
{
	NEEDS_EMU("for its counters of local loopback");
	self->emu = emu_if_any();
	self->order_before = self->emu->option("tis_tir_td_order", 0);
}

FIXTURE_TEARDOWN(self_lb)
{
	devx_dev_close(&self->second);
	devx_rig_down(&self->rig);
	if (self->emu)
		self->emu->option("tis_tir_td_order", (uint32_t)self->order_before);
}

/* Creates the rig, and replaces its SQ by one that is younger than its TIR. */
static void make_young_sq(struct ct_fix_self_lb *self)
{
	struct devx_rig *rig = &self->rig;
	const struct devx_sq_attr attr = {
		.log2_n = DEVX_RIG_LOG2_SQ, .cq = &rig->send_cq, .tis = &rig->tis, .uar = &rig->uar
	};

	ASSERT_EQ(0, devx_rig_up(rig));
	ASSERT_EQ(0, devx_dev_open(&self->second, devx_rig_get_ibdev()));
	devx_rig_post_recv(rig, 1 << DEVX_RIG_LOG2_RQ);
	devx_sq_destroy(&rig->sq);
	ASSERT_EQ(0, devx_sq_create(&rig->sq, &rig->dev, &attr));
	ASSERT_EQ(0, devx_sq_ready(&rig->sq));
}

static struct devx_emu_counters read_counters(const struct ct_fix_self_lb *self)
{
	struct devx_emu_counters c;

	self->emu->counters(0, &c, sizeof(c));
	return c;
}

/* Sends a frame to the own MAC. Returns whether the TIR accepts it. */
static bool is_received(struct ct_fix_self_lb *self)
{
	struct devx_rig *rig = &self->rig;
	const struct devx_emu_counters before = read_counters(self);
	uint8_t *at = devx_rig_get_send_slot(rig, rig->sq.pi);
	struct devx_emu_counters after;
	const struct prm_ctrl_seg *last;

	devx_rig_write_frame(rig, at, 1, FRAME_BYTES);
	last = devx_rig_post_send(rig, at, FRAME_BYTES, rig->mr.lkey);
	devx_sq_ring(&rig->sq, last);
	EXPECT_NE(NULL, devx_rig_wait_cqe(&rig->send_cq));
	devx_rig_drop_cqe(&rig->send_cq);
	after = read_counters(self);
	EXPECT_EQ(1, after.rx_own + after.rx_own_blocked - before.rx_own - before.rx_own_blocked);
	return after.rx_own > before.rx_own;
}

TEST_F(self_lb, refresh_makes_the_tir_block_a_younger_sq)
{
	make_young_sq(self);
	EXPECT_TRUE(is_received(self));
	EXPECT_EQ(0, devx_tir_refresh_self_lb(&self->rig.tir));
	EXPECT_EQ(1, devx_rig_get_counts(&self->rig.dev, PRM_OP_modify_tir).n);
	EXPECT_FALSE(is_received(self));
}

TEST_F(self_lb, refresh_sends_no_command_to_a_device_that_knows_younger_sqs)
{
	self->emu->option("tis_tir_td_order", 1);
	make_young_sq(self);
	EXPECT_FALSE(is_received(self));
	EXPECT_EQ(0, devx_tir_refresh_self_lb(&self->rig.tir));
	EXPECT_EQ(0, devx_rig_get_counts(&self->rig.dev, PRM_OP_modify_tir).n);
}

/* Replaces the TIR by one that accepts frames to the own address, with a flow rule to it. */
TEST_F(self_lb, refresh_keeps_a_tir_that_receives_own_unicast)
{
	struct devx_rig *rig = &self->rig;
	const struct devx_tir_attr attr = { .td = &rig->td, .rq = &rig->rq, .own_unicast = true };
	struct devx_match match = { .dmac_mask = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } };

	make_young_sq(self);
	memcpy(match.dmac, rig->port.mac, sizeof(match.dmac));
	devx_flow_destroy(&rig->rule);
	devx_tir_destroy(&rig->tir);
	ASSERT_EQ(0, devx_tir_create(&rig->tir, &rig->dev, &attr));
	ASSERT_EQ(0, devx_flow_create(&rig->rule, &rig->dev, &match, 0, &rig->tir));
	EXPECT_TRUE(is_received(self));
	EXPECT_EQ(0, devx_tir_refresh_self_lb(&rig->tir));
	EXPECT_TRUE(is_received(self));
}
