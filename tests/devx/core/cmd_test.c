/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>

#include "ct.h"
#include "devx/cmd.h"
#include "devx_rig.h"
#include "needs_emu.h"
#include "prm/prm.h"

/* Firmware commands (cmd.c). */

FIXTURE(cmd)
{
	struct devx_dev dev;
	char line[DEVX_TEXT_BYTES];
};

FIXTURE_SETUP(cmd)
{
	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
}

FIXTURE_TEARDOWN(cmd)
{
	EXPECT_EQ(0, self->dev.n_stuck);
	devx_dev_close(&self->dev);
}

TEST_F(cmd, refusal_names_command_status_and_object)
{
	struct prm_query_q_counter_in in = { 0 };
	struct prm_query_q_counter_out out = { 0 };

	prm_set(&in, opcode,
		PRM_OP_create_cq); /* creates an object, so devx_cmd_general() cannot send it */
	EXPECT_EQ(-EINVAL, devx_cmd_general(&self->dev, &in, sizeof(in), &out, sizeof(out)));
	EXPECT_EQ(PRM_OP_create_cq, self->dev.refusal.opcode);
	EXPECT_STREQ("the kernel did not execute CREATE_CQ: Invalid argument",
		     devx_strerror(&self->dev, -EINVAL, self->line, sizeof(self->line)));
}

TEST_F(cmd, firmware_refusal_is_kept)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_td td = { 0 };

	NEEDS_EMU("to make a command fail");
	emu->fail(DEVX_EMU_FAIL_COMMAND, 0, PRM_STATUS_LIM_ERR);
	devx_rig_expect_error(&self->dev, -EREMOTEIO,
			      "firmware refused ALLOC_TRANSPORT_DOMAIN: LIM_ERR (8), syndrome 0x",
			      devx_td_create(&td, &self->dev));
	emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
	EXPECT_EQ(PRM_OP_alloc_transport_domain, self->dev.refusal.opcode);
	EXPECT_EQ(PRM_STATUS_LIM_ERR, self->dev.refusal.status);
}

/* After a refused destroy the object and its handle still exist; the test destroys them. */
TEST_F(cmd, refused_destroy_is_counted_in_n_stuck)
{
	struct devx_td td = { 0 };
	struct devx_tis tis = { 0 };
	struct mlx5dv_devx_obj *handle;

	ASSERT_EQ(0, devx_td_create(&td, &self->dev));
	ASSERT_EQ(0, devx_tis_create(&tis, &self->dev, &td));
	handle = td.obj;
	devx_td_destroy(&td);
	EXPECT_EQ(NULL, td.obj);
	EXPECT_EQ(1, self->dev.n_stuck);
	devx_tis_destroy(&tis);
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(handle));
	self->dev.n_stuck = 0;
}
