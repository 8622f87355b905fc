/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <time.h>

#include "ct.h"
#include "devx/cmd.h"
#include "devx/pp.h"
#include "devx_rig.h"
#include "needs_emu.h"
#include "prm/prm.h"

/* Rate limits (pp.c). */

enum { KBPS = 8000, FRAME = 1000, FRAME_NS = 1000000 }; /* 8000 bits at 8000 bits per ms */

FIXTURE(pp)
{
	struct devx_rig rig;
	struct devx_pp pp;
};

FIXTURE_SETUP(pp)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
}

FIXTURE_TEARDOWN(pp)
{
	devx_pp_destroy(&self->pp);
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_rig_down(&self->rig);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Posts @n frames with one doorbell. */
static void post_frames(struct devx_rig *rig, unsigned n)
{
	struct prm_ctrl_seg *last = NULL;

	for (unsigned i = 0; i < n; i++) {
		uint8_t *slot = devx_rig_get_send_slot(rig, i);

		devx_rig_write_frame(rig, slot, i, FRAME);
		last = devx_rig_post_send(rig, slot, FRAME, rig->mr.lkey);
	}
	devx_sq_ring(&rig->sq, last);
}

/* Waits for @n completions. Return: the time from the doorbell on in ns */
static uint64_t send_frames(struct devx_rig *rig, unsigned n)
{
	const uint64_t start = now_ns();

	post_frames(rig, n);
	for (unsigned i = 0; i < n; i++) {
		const struct prm_cqe *cqe = devx_rig_wait_cqe(&rig->send_cq);

		EXPECT_TRUE(cqe);
		if (!cqe)
			break;
		EXPECT_EQ(PRM_CQE_REQ, prm_cqe_opcode(cqe->op_own));
		devx_rig_drop_cqe(&rig->send_cq);
	}
	return now_ns() - start;
}

/* Expects that a frame leaves each FRAME_NS, on a clock that the test holds. */
static void expect_pace(const struct devx_emu_ctl *emu, struct devx_rig *rig, unsigned n)
{
	emu->pause();
	EXPECT_NE(0, emu->clock(DEVX_EMU_CLOCK_HELD, 0));
	post_frames(rig, n);
	EXPECT_EQ(1, emu->step(0, n));
	for (unsigned i = 1; i < n; i++) {
		emu->clock(DEVX_EMU_CLOCK_HELD, FRAME_NS - 1);
		EXPECT_EQ(0, emu->step(0, n));
		emu->clock(DEVX_EMU_CLOCK_HELD, 1);
		EXPECT_EQ(1, emu->step(0, n));
	}
	emu->clock(DEVX_EMU_CLOCK_REAL, 0);
	emu->resume();
}

static void create_pp(struct ct_fix_pp *self, uint32_t burst)
{
	const struct devx_pp_attr attr = { .kbps = KBPS, .burst_bytes = burst };

	ASSERT_EQ(0, devx_pp_create(&self->pp, &self->rig.dev, &attr));
	EXPECT_LE(1, self->pp.index);
	EXPECT_LT(self->pp.index, self->rig.dev.caps.packet_pacing_rate_table_size);
}

static unsigned query_index(struct devx_sq *sq)
{
	struct prm_query_sq_in in = { 0 };
	struct prm_query_sq_out out = { 0 };

	prm_set(&in, opcode, PRM_OP_query_sq);
	prm_set(&in, sqn, sq->sqn);
	EXPECT_EQ(0, devx_cmd_query(sq->dev, sq->obj, &in, sizeof(in), &out, sizeof(out)));
	return (unsigned)prm_get(prm_sub(&out, sq_context), packet_pacing_rate_limit_index);
}

TEST_F(pp, sq_sends_at_its_limit_and_not_faster)
{
	enum { N = 20 };

	create_pp(self, 0);
	ASSERT_EQ(0, devx_sq_set_pp(&self->rig.sq, &self->pp));
	EXPECT_EQ(self->pp.index, query_index(&self->rig.sq));
	if (emu_if_any())
		expect_pace(emu_if_any(), &self->rig, N);
	else
		EXPECT_LE((N - 1) * FRAME_NS, send_frames(&self->rig, N));
}

/* The engine runs, and jumps to the time of each frame: 20 frames take no time of the machine. */
TEST_F(pp, stepped_clock_jumps_from_frame_to_frame)
{
	enum { N = 20, NS_PER_MS = 1000000 };
	const uint64_t khz = self->rig.dev.caps.device_frequency_khz;
	const struct prm_cqe *cqe;
	uint64_t first = 0;

	NEEDS_EMU("to step the clock");
	if (self->rig.dev.sq_ts_format == PRM_HCA_CAP_TS_FORMAT_REAL_TIME)
		SKIP("time stamps count cycles only on a device with a free-running clock");
	create_pp(self, 0);
	ASSERT_EQ(0, devx_sq_set_pp(&self->rig.sq, &self->pp));
	EXPECT_NE(0, emu_if_any()->clock(DEVX_EMU_CLOCK_STEPPED, 0));
	post_frames(&self->rig, N);
	for (unsigned i = 0; i < N && (cqe = devx_rig_wait_cqe(&self->rig.send_cq)); i++) {
		const uint64_t stamp = prm_be64_get(cqe->timestamp);

		first = i ? first : stamp;
		EXPECT_EQ(first + i * khz * FRAME_NS / NS_PER_MS, stamp);
		devx_rig_drop_cqe(&self->rig.send_cq);
	}
	EXPECT_TRUE(cqe);
	emu_if_any()->clock(DEVX_EMU_CLOCK_REAL, 0);
}

TEST_F(pp, sq_without_a_limit_sends_at_once)
{
	enum { MANY = 32, KBPS_MIN = 1 }; /* 32 frames at 1 kbit/s take 248 seconds */
	const struct devx_pp_attr attr = { .kbps = KBPS_MIN };

	ASSERT_EQ(0, devx_pp_create(&self->pp, &self->rig.dev, &attr));
	ASSERT_EQ(0, devx_sq_set_pp(&self->rig.sq, &self->pp));
	ASSERT_EQ(0, devx_sq_set_pp(&self->rig.sq, NULL));
	EXPECT_EQ(0, query_index(&self->rig.sq));
	if (emu_if_any()) /* frames with a limit would never leave */
		emu_if_any()->clock(DEVX_EMU_CLOCK_HELD, 0);
	EXPECT_GT(100ull * 1000 * FRAME_NS, send_frames(&self->rig, MANY));
	if (emu_if_any())
		emu_if_any()->clock(DEVX_EMU_CLOCK_REAL, 0);
}

TEST_F(pp, sq_can_be_created_with_a_limit)
{
	struct devx_sq sq = { 0 };
	struct devx_sq_attr attr = { .log2_n = 4,
				     .cq = &self->rig.send_cq,
				     .tis = &self->rig.tis,
				     .uar = &self->rig.other_uar,
				     .pp = &self->pp };

	devx_rig_expect_error(&self->rig.dev, -EINVAL, "SQ: no rate limit",
			      devx_sq_create(&sq, &self->rig.dev, &attr));
	create_pp(self, 4 * FRAME);
	ASSERT_EQ(0, devx_sq_create(&sq, &self->rig.dev, &attr));
	EXPECT_EQ(self->pp.index, query_index(&sq));
	devx_sq_destroy(&sq);
}

TEST_F(pp, equal_limits_share_an_entry_unless_one_is_dedicated)
{
	struct devx_pp_attr attr = { .kbps = KBPS };
	struct devx_pp same = { 0 }, own = { 0 };

	create_pp(self, 0);
	ASSERT_EQ(0, devx_pp_create(&same, &self->rig.dev, &attr));
	EXPECT_EQ(self->pp.index, same.index);
	attr.dedicated = true;
	ASSERT_EQ(0, devx_pp_create(&own, &self->rig.dev, &attr));
	EXPECT_NE(self->pp.index, own.index);
	devx_pp_destroy(&own);
	devx_pp_destroy(&same);
}

TEST_F(pp, full_table_is_reported)
{
	enum { MOST = 128 };
	const struct devx_pp_attr attr = { .kbps = KBPS, .dedicated = true };
	static struct devx_pp all[MOST];
	unsigned n = 0;
	int rc = 0;

	for (; !rc && n < MOST; n++)
		rc = devx_pp_create(&all[n], &self->rig.dev, &attr);
	devx_rig_expect_error(&self->rig.dev, -ENOSPC, "entries of the device are used", rc);
	EXPECT_EQ(self->rig.dev.caps.packet_pacing_rate_table_size, n);
	while (n-- > 0)
		devx_pp_destroy(&all[n]);
}

static void expect_refused(struct ct_fix_pp *self, int want, const char *says,
			   struct devx_pp_attr attr)
{
	static const struct devx_pp zero;

	devx_rig_expect_error(&self->rig.dev, want, says,
			      devx_pp_create(&self->pp, &self->rig.dev, &attr));
	EXPECT_MEMEQ(&zero, &self->pp, sizeof(zero));
}

TEST_F(pp, create_rejects_bad_rates_and_needs_capabilities)
{
	struct devx_caps *caps = &self->rig.dev.caps;
	const struct devx_pp_attr burst = { .kbps = KBPS, .burst_bytes = 1 };
	const struct devx_pp_attr typical = { .kbps = KBPS, .typical_bytes = 1 };

	expect_refused(self, -EINVAL, "0 kbit/s is invalid (valid: 1 to ",
		       (struct devx_pp_attr){ 0 });
	expect_refused(self, -EINVAL, "kbit/s is invalid",
		       (struct devx_pp_attr){ .kbps = caps->packet_pacing_max_rate + 1 });
	caps->packet_pacing_typical_size = false;
	expect_refused(self, -ENOTSUP, "capability packet_pacing_typical_size is 0", typical);
	caps->packet_pacing_burst_bound = false;
	expect_refused(self, -ENOTSUP, "capability packet_pacing_burst_bound is 0", burst);
	caps->packet_pacing_uid = false;
	expect_refused(self, -ENOTSUP, "capability packet_pacing_uid is 0", burst);
	caps->packet_pacing = false;
	expect_refused(self, -ENOTSUP, "capability packet_pacing is 0", burst);
}

TEST_F(pp, set_rejects_a_limit_that_is_not_created)
{
	devx_rig_expect_error(&self->rig.dev, -EINVAL, "SQ: no rate limit",
			      devx_sq_set_pp(&self->rig.sq, &self->pp));
}

TEST_F(pp, set_needs_an_sq_in_rdy)
{
	create_pp(self, 0);
	ASSERT_EQ(0, devx_sq_reset(&self->rig.sq));
	devx_rig_expect_error(&self->rig.dev, -EREMOTEIO, "firmware refused MODIFY_SQ",
			      devx_sq_set_pp(&self->rig.sq, &self->pp));
}
