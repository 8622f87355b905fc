/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/firmware/refuse.h"
#include "queue_commands.h"

FIXTURE(wq)
{
	struct core_rig r;
	struct queue_commands good;
};

FIXTURE_SETUP(wq)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
	queue_commands_fill(&self->r, &self->good);
}

FIXTURE_TEARDOWN(wq)
{
	queue_commands_expect_unused(&self->r, &self->good);
	core_rig_close(&self->r);
}

static const struct move {
	uint8_t from, to, status;
	uint32_t syndrome;
} moves[] = {
	{ PRM_WQ_STATE_RST, PRM_WQ_STATE_RST, PRM_STATUS_OK, 0 },
	{ PRM_WQ_STATE_RDY, PRM_WQ_STATE_RST, PRM_STATUS_BAD_RES_STATE, EMU_SYND_STATE },
	{ PRM_WQ_STATE_RST, PRM_WQ_STATE_ERR, PRM_STATUS_OK, 0 },
	{ PRM_WQ_STATE_ERR, PRM_WQ_STATE_ERR, PRM_STATUS_OK, 0 },
	{ PRM_WQ_STATE_ERR, PRM_WQ_STATE_RST, PRM_STATUS_OK, 0 },
	{ PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY, PRM_STATUS_OK, 0 },
	{ PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY, PRM_STATUS_BAD_RES_STATE, EMU_SYND_STATE },
	{ PRM_WQ_STATE_RDY, PRM_WQ_STATE_RDY, PRM_STATUS_OK, 0 },
	{ PRM_WQ_STATE_RDY, 2, PRM_STATUS_BAD_RES_STATE, EMU_SYND_TRANSITION },
	{ PRM_WQ_STATE_RDY, PRM_WQ_STATE_ERR, PRM_STATUS_OK, 0 },
	{ PRM_WQ_STATE_ERR, PRM_WQ_STATE_RDY, PRM_STATUS_BAD_RES_STATE, EMU_SYND_TRANSITION },
	{ PRM_WQ_STATE_RDY, PRM_WQ_STATE_RDY, PRM_STATUS_BAD_RES_STATE, EMU_SYND_STATE },
	{ PRM_WQ_STATE_RDY, PRM_WQ_STATE_ERR, PRM_STATUS_OK, 0 },
	{ PRM_WQ_STATE_RDY, PRM_WQ_STATE_RST, PRM_STATUS_OK, 0 },
	{ PRM_WQ_STATE_RST, PRM_WQ_STATE_ERR, PRM_STATUS_OK, 0 },
	{ PRM_WQ_STATE_ERR, PRM_WQ_STATE_RST, PRM_STATUS_OK, 0 },
	{ PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY, PRM_STATUS_OK, 0 },
	{ PRM_WQ_STATE_RDY, PRM_WQ_STATE_RST, PRM_STATUS_OK, 0 },
};

TEST_F(wq, modify_accepts_only_valid_transitions)
{
	struct prm_create_sq_out sq;
	struct prm_create_rq_out rq;
	uint32_t sqn, rqn;

	CORE_RIG_OK(&self->r, create_sq, &self->good.sq_in, &sq);
	CORE_RIG_OK(&self->r, create_rq, &self->good.rq_in, &rq);
	sqn = (uint32_t)prm_get(&sq, sqn);
	rqn = (uint32_t)prm_get(&rq, rqn);
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		SCOPED_TRACE("move %zu: %u to %u", i, moves[i].from, moves[i].to);
		EXPECT_EQ(moves[i].status,
			  core_rig_modify_sq(&self->r, sqn, moves[i].from, moves[i].to));
		EXPECT_EQ(moves[i].syndrome, core_rig_get_syndrome(&self->r));
		EXPECT_EQ(moves[i].status,
			  core_rig_modify_rq(&self->r, rqn, moves[i].from, moves[i].to));
		EXPECT_EQ(moves[i].syndrome, core_rig_get_syndrome(&self->r));
	}
	EXPECT_EQ(PRM_STATUS_OK, queue_commands_destroy(&self->r, PRM_OP_destroy_sq, "sqn", sqn));
	EXPECT_EQ(PRM_STATUS_OK, queue_commands_destroy(&self->r, PRM_OP_destroy_rq, "rqn", rqn));
}
