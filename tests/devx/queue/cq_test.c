/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "ct.h"
#include "devx_rig.h"

/* Creation of completion queues (cq.c); ring_test.c polls them. */

FIXTURE(cq)
{
	struct devx_rig rig;
};

FIXTURE_SETUP(cq)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
}

FIXTURE_TEARDOWN(cq)
{
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_rig_down(&self->rig);
}

/* A program that only polls a CQ must get no event when it arms another CQ of the same UAR. */
TEST_F(cq, new_cq_is_marked_as_not_armed)
{
	struct devx_cq cq = { 0 };

	ASSERT_EQ(0, devx_cq_create(&cq, &self->rig.dev,
				    &(struct devx_cq_attr){ .uar = &self->rig.uar }));
	EXPECT_EQ(PRM_CQ_ARM_SN_NONE << PRM_CQ_ARM_SN_SHIFT,
		  prm_be32_get(cq.dbrec[PRM_DBR_CQ_ARM]));
	devx_cq_destroy(&cq);
}

TEST_F(cq, create_refuses_more_entries_than_the_device_takes)
{
	const struct devx_cq_attr attr = { .log2_n = 7, .uar = &self->rig.uar };
	struct devx_cq cq = { 0 };

	self->rig.dev.caps.log_max_cq_sz = 6;
	devx_rig_expect_error(&self->rig.dev, -EINVAL, "to 2^6",
			      devx_cq_create(&cq, &self->rig.dev, &attr));
}
