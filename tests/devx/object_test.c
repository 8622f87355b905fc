/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "ct.h"
#include "devx_rig.h"
#include "needs_emu.h"
#include "rights.h"

/* All objects of the rig together, and the objects of td.c, tis.c, rqt.c and counter.c. */

FIXTURE(object)
{
	struct devx_rig rig;
};

FIXTURE_SETUP(object)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
}

FIXTURE_TEARDOWN(object)
{
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_rig_down(&self->rig);
}

static uint64_t count_objects(enum devx_emu_object type)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_emu_counters c = { 0 };

	if (emu)
		emu->counters(0, &c, sizeof(c));
	return c.objects[type];
}

TEST_F(object, device_has_the_objects_of_the_rig_and_none_after_it)
{
	NEEDS_EMU("to count objects");
	EXPECT_EQ(2, count_objects(DEVX_EMU_TD)); /* the kernel creates another one per context */
	EXPECT_EQ(1, count_objects(DEVX_EMU_TIS));
	EXPECT_EQ(2, count_objects(DEVX_EMU_CQ));
	EXPECT_EQ(1, count_objects(DEVX_EMU_SQ));
	EXPECT_EQ(1, count_objects(DEVX_EMU_RQ));
	EXPECT_EQ(1, count_objects(DEVX_EMU_RQT));
	EXPECT_EQ(1, count_objects(DEVX_EMU_TIR));
	EXPECT_EQ(devx_rig_get_counter(&self->rig) ? 1 : 0, count_objects(DEVX_EMU_Q_COUNTER));
	EXPECT_EQ(5, count_objects(DEVX_EMU_UMEM)); /* one of them has no queue */
	devx_rig_down(&self->rig);
	for (int i = 0; i < DEVX_EMU_N_OBJECTS; i++) {
		SCOPED_TRACE("type %d", i);
		EXPECT_EQ(0, count_objects(i));
	}
}

TEST_F(object, destroy_of_a_zeroed_object_does_nothing)
{
	struct devx_rig none = { 0 };

	devx_rig_down(&none);
	EXPECT_EQ(0, none.dev.n_stuck);
}

TEST_F(object, rqt_modify_takes_up_to_the_largest_number_at_creation)
{
	struct devx_rqt rqt = { 0 };
	const uint32_t rqn = self->rig.rq.rqn;
	const uint32_t twice[] = { rqn, rqn };
	const uint32_t four[] = { rqn, rqn, rqn, rqn };

	ASSERT_EQ(0, devx_rqt_create(&rqt, &self->rig.dev, &rqn, 1, 2));
	EXPECT_EQ(0, devx_rqt_modify(&rqt, twice, 1));
	EXPECT_EQ(0, devx_rqt_modify(&rqt, twice, 2));
	EXPECT_EQ(-EINVAL, devx_rqt_modify(&rqt, four, 4));
	devx_rqt_destroy(&rqt);
}

TEST_F(object, counter_starts_at_zero)
{
	uint32_t n = 1;

	NEEDS_COUNTER(&self->rig);
	EXPECT_EQ(0, devx_counter_read(&self->rig.counter, &n));
	EXPECT_EQ(0, n);
}

TEST_F(object, device_opened_without_net_raw_does_not_send)
{
	struct devx_rig rig = { 0 };
	int rc;

	ASSERT_TRUE(rights_raw(false));
	rc = devx_rig_up(&rig);
	ASSERT_TRUE(rights_raw(true));
	EXPECT_EQ(-EREMOTEIO, rc);
	EXPECT_EQ(NULL, rig.sq.obj);
	devx_rig_down(&rig);
}
