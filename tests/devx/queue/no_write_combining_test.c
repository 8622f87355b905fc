/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "ct.h"
#include "devx_rig.h"

/* UARs on a machine without write combining: devx-emu --no-write-combining. */

TEST(no_write_combining, blueflame_is_refused_and_non_cached_is_not)
{
	struct devx_dev dev = { 0 };
	struct devx_uar uar = { 0 };

	ASSERT_EQ(0, devx_dev_open(&dev, devx_rig_get_ibdev()));
	devx_rig_expect_error(&dev, -EOPNOTSUPP, "needed: a kernel that found write combining",
			      devx_uar_create(&uar, &dev, DEVX_UAR_BF));
	EXPECT_EQ(NULL, uar.uar);
	ASSERT_EQ(0, devx_uar_create(&uar, &dev, DEVX_UAR_NC));
	devx_uar_destroy(&uar);
	devx_dev_close(&dev);
}
