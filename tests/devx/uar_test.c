/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"
#include "devx_rig.h"

/* Doorbell registers (uar.c). */

FIXTURE(uar)
{
	struct devx_rig rig;
};

FIXTURE_SETUP(uar)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
}

FIXTURE_TEARDOWN(uar)
{
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_rig_down(&self->rig);
}

TEST_F(uar, each_blueflame_uar_has_its_own_register)
{
	struct devx_uar other = { 0 };

	ASSERT_EQ(0, devx_uar_create(&other, &self->rig.dev, DEVX_UAR_BF));
	EXPECT_NE(self->rig.uar.reg, other.reg);
	EXPECT_FALSE(other.shared);
	EXPECT_FALSE(other.nc);
	devx_uar_destroy(&other);
}

TEST_F(uar, non_cached_uars_share_one_register)
{
	struct devx_uar a = { 0 }, b = { 0 };

	ASSERT_EQ(0, devx_uar_create(&a, &self->rig.dev, DEVX_UAR_NC));
	ASSERT_EQ(0, devx_uar_create(&b, &self->rig.dev, DEVX_UAR_NC));
	EXPECT_EQ(a.reg, b.reg);
	EXPECT_TRUE(a.shared);
	EXPECT_TRUE(a.nc);
	devx_uar_destroy(&b);
	devx_uar_destroy(&a);
}
