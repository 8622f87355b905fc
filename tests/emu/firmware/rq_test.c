/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_refuse.h"
#include "emu/firmware/refuse.h"
#include "emu/queue/rq.h"
#include "queue_commands.h"

#define BAD PRM_STATUS_BAD_PARAM
#define GONE PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT

FIXTURE(rq_command)
{
	struct core_rig r;
	struct queue_commands good;
};

FIXTURE_SETUP(rq_command)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
	queue_commands_fill(&self->r, &self->good);
}

FIXTURE_TEARDOWN(rq_command)
{
	queue_commands_expect_unused(&self->r, &self->good);
	core_rig_close(&self->r);
}

static const struct core_rig_refusal bad_rqs[] = {
	{ "created_ready", "ctx.state", PRM_WQ_STATE_RDY, BAD, EMU_SYND_STATE },
	{ "real_time_stamps", "ctx.ts_format", 2, BAD, EMU_SYND_RQ_TS_FORMAT },
	{ "rmp", "ctx.mem_rq_type", 1, BAD, EMU_SYND_TYPE },
	{ "striding", "ctx.wq.wq_type", 3, BAD, EMU_SYND_TYPE },
	{ "stride_below_a_segment", "ctx.wq.log_wq_stride", 3, BAD, EMU_SYND_SIZE },
	{ "stride_too_large", "ctx.wq.log_wq_stride", 10, BAD, EMU_SYND_SIZE },
	{ "no_cq", "ctx.cqn", 1, GONE },
	{ "no_counter", "ctx.counter_set_id", 1, GONE },
	{ "no_umem", "ctx.wq.wq_umem_id", 1, GONE },
};

TEST_F(rq_command, a_bad_rq_is_refused)
{
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_rqs, PRM_OP_create_rq, self->good.rq_in);
}

TEST_F(rq_command, modify_changes_fields_on_the_way_to_ready)
{
	enum {
		VSD = PRM_MODIFY_RQ_BITMASK_VSD,
		SCATTER_FCS = PRM_MODIFY_RQ_BITMASK_SCATTER_FCS,
		LWM = PRM_MODIFY_RQ_BITMASK_WQ_LWM,
	};
	struct core_rig_rq rq = core_rig_make_rq(&self->r, 4, 0, self->good.cq.cqn);
	struct prm_modify_rq_in in = { 0 };
	struct prm_modify_rq_out out;
	const struct core_rig_refusal lwm = { "lwm", "modify_bitmask", LWM, BAD, EMU_SYND_BITMASK };
	const struct core_rig_refusal counter = { "no_counter", "ctx.counter_set_id", 1, GONE };
	struct emu_rq *emu_rq = emu_obj_at(&self->r.emu->table[EMU_RQ], rq.rqn);
	struct prm_query_rq_in ask = { 0 };
	struct prm_query_rq_out told;

	prm_set(&in, rqn, rq.rqn);
	prm_set(&in, rq_state, PRM_WQ_STATE_RDY);
	prm_set(&in, modify_bitmask, VSD | SCATTER_FCS);
	prm_set(prm_sub(&in, ctx), state, PRM_WQ_STATE_RDY);
	prm_set(prm_sub(&in, ctx), scatter_fcs, 1);
	CORE_RIG_OK(&self->r, modify_rq, &in, &out);
	prm_set(&ask, rqn, rq.rqn);
	CORE_RIG_OK(&self->r, query_rq, &ask, &told);
	EXPECT_EQ(0, prm_get(prm_sub(&told, rq_context), vsd));
	EXPECT_EQ(1, prm_get(prm_sub(&told, rq_context), scatter_fcs));
	EXPECT_EQ(PRM_WQ_STATE_RDY, prm_get(prm_sub(&told, rq_context), state));
	emu_rq->cc = 3;
	emu_rq->posted = 5;
	CORE_RIG_OK(&self->r, query_rq, &ask, &told);
	EXPECT_EQ(3, prm_get(prm_sub(prm_sub(&told, rq_context), wq), hw_counter));
	EXPECT_EQ(5, prm_get(prm_sub(prm_sub(&told, rq_context), wq), sw_counter));
	core_rig_expect_refusal(&self->r, &lwm, PRM_OP_modify_rq, &in, sizeof(in));
	prm_set(&in, modify_bitmask, PRM_MODIFY_RQ_BITMASK_RQ_COUNTER_SET_ID);
	core_rig_expect_refusal(&self->r, &counter, PRM_OP_modify_rq, &in, sizeof(in));
	prm_set(&in, modify_bitmask, VSD);
	prm_set(prm_sub(&in, ctx), state, PRM_WQ_STATE_ERR);
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, CORE_RIG_EXEC(&self->r, modify_rq, &in, &out));
}
