/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "ct.h"
#include "devx/lag.h"
#include "devx/tis.h"
#include "devx_rig.h"
#include "needs_emu.h"

FIXTURE(lag)
{
	struct devx_rig rig;
	const struct devx_emu_ctl *emu;
};

FIXTURE_SETUP(lag)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
	self->emu = emu_if_any();
}

FIXTURE_TEARDOWN(lag)
{
	if (self->emu)
		self->emu->option("lag", 0);
	devx_rig_down(&self->rig);
}

TEST_F(lag, query_tells_mode_and_ports_of_a_bond)
{
	struct devx_lag lag = { .mode = 7, .n_ports = 7 };

	NEEDS_EMU("to play a bond");
	ASSERT_EQ(0, devx_lag_query(&self->rig.dev, &lag));
	EXPECT_FALSE(lag.active);
	EXPECT_EQ(0, lag.n_ports);
	self->emu->option("lag", 1);
	ASSERT_EQ(0, devx_lag_query(&self->rig.dev, &lag));
	EXPECT_TRUE(lag.active);
	EXPECT_EQ(PRM_LAG_PORT_SELECT_MODE_PORT_SELECT_FT, lag.mode);
	self->emu->option("lag", 2);
	ASSERT_EQ(0, devx_lag_query(&self->rig.dev, &lag));
	EXPECT_EQ(PRM_LAG_PORT_SELECT_MODE_QUEUE_AFFINITY, lag.mode);
	EXPECT_EQ(2, lag.n_ports);
	EXPECT_TRUE(lag.tis_affinity);
}

TEST_F(lag, refused_query_leaves_the_answer_untouched)
{
	struct devx_lag lag = { .mode = 7 };

	NEEDS_EMU("to make a command fail");
	self->emu->option("lag", 2);
	for (int k = 0; k < 2; k++) { /* QUERY_LAG, QUERY_HCA_CAP */
		self->emu->fail(DEVX_EMU_FAIL_COMMAND, k, 0);
		EXPECT_EQ(-EREMOTEIO, devx_lag_query(&self->rig.dev, &lag));
		EXPECT_FALSE(lag.active);
		EXPECT_EQ(7, lag.mode);
	}
}

TEST_F(lag, tis_takes_a_port_of_the_bond)
{
	struct devx_rig *rig = &self->rig;
	struct devx_tis tis = { 0 };

	NEEDS_EMU("to play a bond");
	self->emu->option("lag", 2);
	ASSERT_EQ(0, devx_tis_create_on_port(&tis, &rig->dev, &rig->td, 2));
	devx_tis_destroy(&tis);
	devx_rig_expect_error(&rig->dev, -EREMOTEIO, "CREATE_TIS",
			      devx_tis_create_on_port(&tis, &rig->dev, &rig->td, 3));
	devx_rig_expect_error(&rig->dev, -EINVAL, "port 16 of the bond is invalid",
			      devx_tis_create_on_port(&tis, &rig->dev, &rig->td, 16));
	EXPECT_EQ(NULL, tis.dev);
}
