/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "ct.h"
#include "devx/dev.h"
#include "needs_emu.h"

/* A sub-function, whose RDMA device is below its device of the auxiliary bus: devx-emu --sf. */

FIXTURE(sub_function)
{
	struct devx_dev dev;
};
FIXTURE_SETUP(sub_function)
{
	NEEDS_EMU("to have a sub-function");
}
FIXTURE_TEARDOWN(sub_function)
{
	devx_dev_close(&self->dev);
}

TEST_F(sub_function, opens_by_its_name_on_the_auxiliary_bus)
{
	ASSERT_EQ(0, devx_dev_open(&self->dev, "mlx5_core.sf.4"));
	EXPECT_STREQ("mlx5_0", self->dev.ibdev);
	EXPECT_STREQ("", self->dev.pci);
	EXPECT_EQ(0, self->dev.numa_node); /* that of the PCI function */
	EXPECT_FALSE(devx_dev_is_vf(&self->dev));
}

TEST_F(sub_function, list_of_devices_has_its_name)
{
	char list[128];

	EXPECT_EQ(1, devx_dev_list(list, sizeof(list)));
	EXPECT_STREQ("mlx5_0 (mlx5_core.sf.4)", list);
}

static const char *const others[] = { "mlx5_core.sf.40", "mlx5_core.sf.", "0000:c1:00.0" };

TEST_F(sub_function, other_names_do_not_open_it)
{
	char why[DEVX_TEXT_BYTES + 64];

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		SCOPED_TRACE("%s", others[i]);
		EXPECT_EQ(-ENOENT, devx_dev_open(&self->dev, others[i]));
		devx_strerror(&self->dev, -ENOENT, why, sizeof(why));
		EXPECT_SUBSTR("(valid: mlx5_0 (mlx5_core.sf.4))", why);
	}
}
