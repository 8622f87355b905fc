/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_refuse.h"
#include "emu/firmware/object.h"
#include "emu/firmware/refuse.h"
#include "emu/queue/sq.h"
#include "queue_commands.h"

#define BAD PRM_STATUS_BAD_PARAM
#define GONE PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT

FIXTURE(sq_command)
{
	struct core_rig r;
	struct queue_commands good;
};

FIXTURE_SETUP(sq_command)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
	queue_commands_fill(&self->r, &self->good);
}

FIXTURE_TEARDOWN(sq_command)
{
	queue_commands_expect_unused(&self->r, &self->good);
	core_rig_close(&self->r);
}

static const struct core_rig_refusal bad_sqs[] = {
	{ "created_ready", "ctx.state", PRM_WQ_STATE_RDY, BAD, EMU_SYND_STATE },
	{ "real_time_stamps", "ctx.ts_format", 2, BAD, EMU_SYND_SQ_TS_FORMAT },
	{ "inline_of_tunnels", "ctx.min_wqe_inline_mode", 4, BAD, EMU_SYND_TYPE },
	{ "without_tis", "ctx.tis_lst_sz", 0, BAD, EMU_SYND_SIZE },
	{ "two_tis", "ctx.tis_lst_sz", 2, BAD, EMU_SYND_SIZE },
	{ "no_tis", "ctx.tis_num_0", 1, GONE },
	{ "no_cq", "ctx.cqn", 1, GONE },
	{ "no_pd", "ctx.wq.pd", 1, GONE },
	{ "no_uar", "ctx.wq.uar_page", 1, GONE },
	{ "linked_list", "ctx.wq.wq_type", 0, BAD, EMU_SYND_TYPE },
	{ "stride", "ctx.wq.log_wq_stride", 4, BAD, EMU_SYND_SIZE },
	{ "too_large", "ctx.wq.log_wq_sz", 16, BAD, EMU_SYND_SIZE },
	{ "larger_than_its_umem", "ctx.wq.log_wq_sz", LOG_WQES + 2, BAD, EMU_SYND_UMEM_RANGE },
	{ "host_page_size", "ctx.wq.log_wq_pg_sz", 12, BAD, EMU_SYND_PAGE },
	{ "free_rate", "ctx.packet_pacing_rate_limit_index", 1, BAD, EMU_SYND_RATE },
	{ "no_such_rate", "ctx.packet_pacing_rate_limit_index", 128, BAD, EMU_SYND_RATE },
	{ "record_outside", "ctx.wq.dbr_addr", BYTES, BAD, EMU_SYND_UMEM_RANGE },
};

TEST_F(sq_command, a_bad_sq_is_refused)
{
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_sqs, PRM_OP_create_sq, self->good.sq_in);
}

/* ---- time stamps ----------------------------------------------------------------------- */

static const struct stamps {
	const char *name, *profile;
	unsigned format;
	bool valid;
} stamps[] = {
	{ "free_running", "cx6dx", PRM_TS_FORMAT_FREE_RUNNING, true },
	{ "default", "cx6dx", PRM_TS_FORMAT_DEFAULT, true },
	{ "real_time", "cx6dx", PRM_TS_FORMAT_REAL_TIME, false },
	{ "reserved", "cx6dx", 3, false },
	{ "free_running_without_that_clock", "realtime", PRM_TS_FORMAT_FREE_RUNNING, false },
	{ "default_of_a_real_time_clock", "realtime", PRM_TS_FORMAT_DEFAULT, true },
	{ "real_time_clock", "realtime", PRM_TS_FORMAT_REAL_TIME, true },
	{ "free_running_of_both", "cx6dx,ts_format=2", PRM_TS_FORMAT_FREE_RUNNING, true },
	{ "default_of_both", "cx6dx,ts_format=2", PRM_TS_FORMAT_DEFAULT, true },
	{ "real_time_of_both", "cx6dx,ts_format=2", PRM_TS_FORMAT_REAL_TIME, true },
	{ "reserved_of_both", "cx6dx,ts_format=2", 3, false },
	{ "free_running_in_real_time_mode", "cx6dx,ts_format=2,real_time=1",
	  PRM_TS_FORMAT_FREE_RUNNING, false },
	{ "default_in_real_time_mode", "cx6dx,ts_format=2,real_time=1", PRM_TS_FORMAT_DEFAULT,
	  true },
	{ "real_time_in_real_time_mode", "cx6dx,ts_format=2,real_time=1", PRM_TS_FORMAT_REAL_TIME,
	  true },
};

TEST_EACH(sq_stamps, format_must_be_one_of_the_device, struct stamps, stamps)
{
	struct queue_commands good = { 0 };
	struct prm_create_sq_out sq;
	struct prm_create_rq_out rq;
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .profile = row->profile });
	queue_commands_fill(&r, &good);
	core_rig_set_field(&good.sq_in, PRM_OP_create_sq, "ctx.ts_format", row->format);
	EXPECT_EQ(row->valid ? PRM_STATUS_OK : BAD, CORE_RIG_EXEC(&r, create_sq, &good.sq_in, &sq));
	EXPECT_EQ(row->valid ? 0 : EMU_SYND_SQ_TS_FORMAT, core_rig_get_syndrome(&r));
	core_rig_set_field(&good.rq_in, PRM_OP_create_rq, "ctx.ts_format", row->format);
	EXPECT_EQ(row->valid ? PRM_STATUS_OK : BAD, CORE_RIG_EXEC(&r, create_rq, &good.rq_in, &rq));
	EXPECT_EQ(row->valid ? 0 : EMU_SYND_RQ_TS_FORMAT, core_rig_get_syndrome(&r));
	core_rig_close(&r);
}

TEST_F(sq_command, an_sq_of_a_user_without_raw_tx_is_refused)
{
	struct emu_uctx *uctx = emu_obj_at(&self->r.emu->table[EMU_UCTX], self->r.uid);
	const struct core_rig_refusal bad = { "no_raw_tx", "ctx.user_index", 0, BAD,
					      EMU_SYND_RAW_TX };

	uctx->cap = 0;
	core_rig_expect_refusal(&self->r, &bad, PRM_OP_create_sq, &self->good.sq_in,
				sizeof(self->good.sq_in));
}

TEST_F(sq_command, query_returns_the_state_and_modify_refuses_fields)
{
	struct core_rig_sq sq = core_rig_make_sq(&self->r, 4, self->good.cq.cqn);
	struct prm_modify_sq_in in = { 0 };
	const struct core_rig_refusal bad = { "queue_group", "modify_bitmask", 4, BAD,
					      EMU_SYND_BITMASK };
	struct emu_sq *emu_sq = emu_obj_at(&self->r.emu->table[EMU_SQ], sq.sqn);
	struct prm_query_sq_in ask = { 0 };
	struct prm_query_sq_out told;

	prm_set(&in, sqn, sq.sqn);
	prm_set(&in, sq_state, PRM_WQ_STATE_RDY);
	prm_set(prm_sub(&in, ctx), state, PRM_WQ_STATE_RDY);
	core_rig_expect_refusal(&self->r, &bad, PRM_OP_modify_sq, &in, sizeof(in));
	prm_set(&ask, sqn, sq.sqn);
	CORE_RIG_OK(&self->r, query_sq, &ask, &told);
	EXPECT_EQ(PRM_WQ_STATE_RDY, prm_get(prm_sub(&told, sq_context), state));
	EXPECT_EQ(self->good.cq.cqn, prm_get(prm_sub(&told, sq_context), cqn));
	emu_sq->cc = 3;
	emu_sq->pc = 5;
	CORE_RIG_OK(&self->r, query_sq, &ask, &told);
	EXPECT_EQ(3, prm_get(prm_sub(prm_sub(&told, sq_context), wq), hw_counter));
	EXPECT_EQ(5, prm_get(prm_sub(prm_sub(&told, sq_context), wq), sw_counter));
	emu_sq->cc = emu_sq->pc = 0;
}
