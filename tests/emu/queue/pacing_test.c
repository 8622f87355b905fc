/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "core_rig_post.h"
#include "core_rig_refuse.h"
#include "emu/base/profile.h"
#include "emu/firmware/refuse.h"
#include "emu/queue/sq.h"

/*
 * FRAME bytes at KBPS take STEP_NS. SLOW_KBPS: the second frame leaves after eight seconds. Each
 * test holds the clock.
 */
enum { FRAME = 1000, KBPS = 80000, STEP_NS = 100000, SLOW_KBPS = 1, INDEX = 5, ALL = 1 << 10 };

FIXTURE(pacing)
{
	struct core_rig r;
	struct core_rig_cq cq;
	struct core_rig_sq sq;
	uint8_t *mem;
	uint32_t lkey;
};

static void pass_time(struct ct_fix_pacing *self, uint64_t ns)
{
	emu_set_clock(self->r.adapter, EMU_CLOCK_HELD, ns);
}

FIXTURE_SETUP(pacing)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
	pass_time(self, 0);
	self->cq = core_rig_make_cq(&self->r, 11);
	self->sq = core_rig_make_sq(&self->r, 10, self->cq.cqn);
	self->mem = core_rig_alloc(&self->r, 8192);
	self->lkey = core_rig_make_mkey(&self->r, self->mem, 8192, false);
	memcpy(self->mem, "\x02\0\0\0\0\x01\x02\0\0\0\0\x02\x88\xb5", 14);
}

FIXTURE_TEARDOWN(pacing)
{
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
	core_rig_close(&self->r);
}

static uint8_t set_rate(struct core_rig *r, uint32_t index, uint32_t kbps, uint32_t burst)
{
	struct prm_set_pp_rate_limit_in in = { 0 };
	struct prm_set_pp_rate_limit_out out;

	prm_set(&in, uid, PRM_UID_SHARED_RESOURCE);
	prm_set(&in, rate_limit_index, index);
	prm_set(prm_sub(&in, ctx), rate_limit, kbps);
	prm_set(prm_sub(&in, ctx), burst_upper_bound, burst);
	return CORE_RIG_EXEC(r, set_pp_rate_limit, &in, &out);
}

/* Gives the SQ an entry of the rate table. */
static uint8_t choose_rate(struct ct_fix_pacing *self, uint32_t index)
{
	struct prm_modify_sq_in in = { 0 };
	struct prm_modify_sq_out out;
	struct prm_sqc *sqc = prm_sub(&in, ctx);

	prm_set(&in, uid, self->r.uid);
	prm_set(&in, sqn, self->sq.sqn);
	prm_set(&in, sq_state, PRM_WQ_STATE_RDY);
	prm_set(&in, modify_bitmask, PRM_MODIFY_SQ_BITMASK_RATE_LIMIT);
	prm_set(sqc, state, PRM_WQ_STATE_RDY);
	prm_set(sqc, packet_pacing_rate_limit_index, index);
	return CORE_RIG_EXEC(&self->r, modify_sq, &in, &out);
}

static void start_rate(struct ct_fix_pacing *self, uint32_t kbps, uint32_t burst)
{
	EXPECT_EQ(PRM_STATUS_OK, set_rate(&self->r, INDEX, kbps, burst));
	EXPECT_EQ(PRM_STATUS_OK, choose_rate(self, INDEX));
}

static void post_frames(struct ct_fix_pacing *self, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_SEND, PRM_CE_ALWAYS);

		core_rig_add_eth(&p, 0);
		core_rig_add_pointer(&p, self->lkey, self->mem, FRAME);
		core_rig_end_wqe(&self->r, &p, i + 1 == n);
	}
}

static unsigned poll_some(struct ct_fix_pacing *self)
{
	unsigned n = 0;

	for (int turn = 0; turn < 20; turn++)
		n += emu_poll(self->r.emu, 4096);
	return n;
}

TEST_F(pacing, sq_with_work_sends_at_its_rate)
{
	start_rate(self, KBPS, 0);
	post_frames(self, ALL);
	EXPECT_EQ(1, poll_some(self));
	for (unsigned i = 1; i < ALL; i++) {
		pass_time(self, STEP_NS - 1);
		EXPECT_EQ(0, emu_poll(self->r.emu, ALL));
		pass_time(self, 1);
		EXPECT_EQ(1, emu_poll(self->r.emu, ALL));
	}
}

/* 1000 bytes at 70000 kbit/s take 114285 and 5/7 ns, so seven frames take exactly 800000 ns. */
TEST_F(pacing, fractions_of_a_nanosecond_add_up)
{
	enum { ODD_KBPS = 70000, SEVEN_NS = 800000 };

	start_rate(self, ODD_KBPS, 0);
	post_frames(self, ALL);
	EXPECT_EQ(1, poll_some(self));
	for (unsigned k = 0; k < 10; k++) {
		pass_time(self, SEVEN_NS - 1);
		EXPECT_EQ(6, poll_some(self));
		pass_time(self, 1);
		EXPECT_EQ(1, poll_some(self));
	}
}

TEST_F(pacing, late_turn_of_the_engine_is_made_up_for)
{
	start_rate(self, KBPS, 0);
	post_frames(self, ALL);
	EXPECT_EQ(1, poll_some(self));
	pass_time(self, 5 * STEP_NS + STEP_NS / 2);
	EXPECT_EQ(5, poll_some(self));
	pass_time(self, STEP_NS / 2);
	EXPECT_EQ(1, poll_some(self));
}

/*
 * Such as while the wire takes no frame, or while a test pauses the engine. An SQ makes up for the
 * LATEST_NS of lib/emu/queue/pacing.c after the first late frame.
 */
TEST_F(pacing, standstill_of_the_engine_is_not_made_up_for)
{
	enum { SLOWER = 4, STANDSTILL_NS = 300000000, LATEST_NS = 100000000 };

	start_rate(self, KBPS / SLOWER, 0);
	post_frames(self, ALL);
	EXPECT_EQ(1, poll_some(self));
	pass_time(self, STANDSTILL_NS);
	EXPECT_EQ(1 + LATEST_NS / STEP_NS / SLOWER + 1, poll_some(self));
	pass_time(self, SLOWER * STEP_NS - 1);
	EXPECT_EQ(0, poll_some(self));
	pass_time(self, 1);
	EXPECT_EQ(1, poll_some(self));
}

TEST_F(pacing, idle_sq_may_send_a_burst)
{
	start_rate(self, SLOW_KBPS, 3 * FRAME);
	post_frames(self, 10);
	EXPECT_EQ(4, poll_some(self)); /* the burst, and the frame that is due */
	pass_time(self, 8000000000 - 1);
	EXPECT_EQ(0, poll_some(self));
	pass_time(self, 1);
	EXPECT_EQ(1, poll_some(self));
}

TEST_F(pacing, burst_is_not_saved_up_twice)
{
	start_rate(self, SLOW_KBPS, 3 * FRAME);
	post_frames(self, 4);
	EXPECT_EQ(4, poll_some(self));
	post_frames(self, 4);
	EXPECT_EQ(0, poll_some(self));
}

TEST_F(pacing, parked_sq_does_not_stop_others)
{
	struct core_rig_sq other = core_rig_make_sq(&self->r, 4, self->cq.cqn);

	start_rate(self, SLOW_KBPS, 0);
	post_frames(self, 10);
	EXPECT_EQ(1, poll_some(self));
	for (int i = 0; i < 5; i++)
		core_rig_post_send(&self->r, &other, self->lkey, self->mem, FRAME);
	EXPECT_EQ(5, poll_some(self));
}

TEST_F(pacing, freed_entry_limits_nothing)
{
	start_rate(self, SLOW_KBPS, 0);
	post_frames(self, 10);
	EXPECT_EQ(1, poll_some(self));
	EXPECT_EQ(PRM_STATUS_OK, set_rate(&self->r, INDEX, 0, 0));
	EXPECT_EQ(9, poll_some(self));
}

TEST_F(pacing, modify_to_entry_0_ends_the_limit)
{
	start_rate(self, SLOW_KBPS, 0);
	post_frames(self, 10);
	EXPECT_EQ(1, poll_some(self));
	EXPECT_EQ(PRM_STATUS_OK, choose_rate(self, 0));
	EXPECT_EQ(9, poll_some(self));
}

TEST_F(pacing, parked_sq_can_be_reset)
{
	start_rate(self, SLOW_KBPS, 0);
	post_frames(self, 10);
	EXPECT_EQ(1, poll_some(self));
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_sq(&self->r, self->sq.sqn, PRM_WQ_STATE_RDY, PRM_WQ_STATE_ERR));
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_sq(&self->r, self->sq.sqn, PRM_WQ_STATE_ERR, PRM_WQ_STATE_RST));
	EXPECT_EQ(NULL, self->r.emu->parked);
	EXPECT_EQ(0, poll_some(self));
}

TEST_F(pacing, segments_of_an_lso_wqe_leave_one_by_one)
{
	static const uint8_t header[54] = {
		[12] = 8, [14] = 0x45, [16] = 7, [17] = 0xf8, [22] = 64, [23] = 6, [46] = 0x50
	};
	struct core_rig_wqe p;
	struct prm_eth_seg *eth;

	start_rate(self, SLOW_KBPS, 0);
	p = core_rig_begin_wqe(&self->sq, PRM_WQE_LSO, PRM_CE_ALWAYS);
	core_rig_add_header(&p, header, sizeof(header));
	eth = (struct prm_eth_seg *)(p.ctrl + 1);
	eth->mss = prm_be16_of(500);
	eth->cs_flags = PRM_ETH_CS_L3 | PRM_ETH_CS_L4;
	core_rig_add_pointer(&p, self->lkey, self->mem, 2000);
	core_rig_end_wqe(&self->r, &p, true);
	EXPECT_EQ(1, poll_some(self));
	EXPECT_EQ(PRM_STATUS_OK, choose_rate(self, 0));
	EXPECT_EQ(3, poll_some(self));
}

TEST_F(pacing, packets_of_a_multi_packet_wqe_leave_one_by_one)
{
	struct core_rig_wqe p;

	start_rate(self, SLOW_KBPS, 0);
	p = core_rig_begin_wqe(&self->sq, PRM_WQE_ENHANCED_MPSW, PRM_CE_ALWAYS);
	core_rig_add_eth(&p, 0);
	for (int i = 0; i < 4; i++)
		core_rig_add_pointer(&p, self->lkey, self->mem, FRAME);
	core_rig_end_wqe(&self->r, &p, true);
	EXPECT_EQ(1, poll_some(self));
	EXPECT_EQ(PRM_STATUS_OK, choose_rate(self, 0));
	EXPECT_EQ(3, poll_some(self));
}

TEST_F(pacing, query_returns_the_entry)
{
	struct prm_query_sq_in in = { 0 };
	struct prm_query_sq_out out;

	start_rate(self, KBPS, 0);
	prm_set(&in, uid, self->r.uid);
	prm_set(&in, sqn, self->sq.sqn);
	CORE_RIG_OK(&self->r, query_sq, &in, &out);
	EXPECT_EQ(INDEX, prm_get(prm_sub(&out, sq_context), packet_pacing_rate_limit_index));
}

/* ---- refusals ------------------------------------------------------------------------------- */

#define BAD PRM_STATUS_BAD_PARAM

TEST_F(pacing, set_refuses_bad_entries_and_rates)
{
	static const struct core_rig_refusal bad[] = {
		{ "no_limit", "rate_limit_index", 0, BAD, EMU_SYND_RATE },
		{ "behind_the_table", "rate_limit_index", EMU_MAX_RATES, BAD, EMU_SYND_RATE },
		{ "too_fast", "ctx.rate_limit", 100000001, BAD, EMU_SYND_RATE },
	};
	struct prm_set_pp_rate_limit_in in = { 0 };

	prm_set(&in, rate_limit_index, 1);
	prm_set(prm_sub(&in, ctx), rate_limit, KBPS);
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad, PRM_OP_set_pp_rate_limit, in);
}

TEST_F(pacing, set_needs_the_capabilities_of_its_fields)
{
	static const struct core_rig_refusal bad[] = {
		{ "burst", "ctx.burst_upper_bound", 1, BAD, EMU_SYND_NO_CAP },
		{ "typical", "ctx.typical_packet_size", 1, BAD, EMU_SYND_NO_CAP },
	};
	struct prm_set_pp_rate_limit_in in = { 0 };
	struct prm_set_pp_rate_limit_out out;

	prm_set(&self->r.emu->caps->qos, packet_pacing_burst_bound, 0);
	prm_set(&self->r.emu->caps->qos, packet_pacing_typical_size, 0);
	prm_set(&in, rate_limit_index, 1);
	prm_set(prm_sub(&in, ctx), rate_limit, KBPS);
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad, PRM_OP_set_pp_rate_limit, in);
	CORE_RIG_OK(&self->r, set_pp_rate_limit, &in, &out);
}

TEST_F(pacing, sq_may_use_entries_of_its_uid_and_shared_ones)
{
	struct emu_rate *rate = &self->r.emu->rate[INDEX];

	EXPECT_EQ(BAD, choose_rate(self, INDEX)); /* free */
	EXPECT_EQ(EMU_SYND_RATE, core_rig_get_syndrome(&self->r));
	EXPECT_EQ(BAD, choose_rate(self, EMU_MAX_RATES));
	start_rate(self, KBPS, 0);
	rate->uid = (uint16_t)(self->r.uid + 1);
	EXPECT_EQ(BAD, choose_rate(self, INDEX));
	rate->uid = self->r.uid;
	EXPECT_EQ(PRM_STATUS_OK, choose_rate(self, INDEX));
}

TEST_F(pacing, entry_belongs_to_the_uid_that_set_it)
{
	struct prm_set_pp_rate_limit_in in = { 0 };
	struct prm_set_pp_rate_limit_out out;

	EXPECT_EQ(PRM_STATUS_OK, set_rate(&self->r, INDEX, KBPS, 0));
	prm_set(&in, uid, self->r.uid);
	prm_set(&in, rate_limit_index, INDEX);
	EXPECT_EQ(PRM_STATUS_BAD_RES, CORE_RIG_EXEC(&self->r, set_pp_rate_limit, &in, &out));
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_no_object]);
	self->r.mistakes = (struct emu_mistakes){ 0 };
}
