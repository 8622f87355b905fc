/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ct.h"
#include "devx/slot.h"
#include "devx_rig.h"
#include "needs_emu.h"

/* The PCI function of a device that fails, vanishes and returns. */

FIXTURE(slot)
{
	const struct devx_emu_ctl *emu;
	struct devx_dev dev;
	struct devx_slot slot;
};
FIXTURE_SETUP(slot)
{
	NEEDS_EMU("to remove the device");
	self->emu = emu_if_any();
	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	devx_slot_find(&self->slot, &self->dev);
}
FIXTURE_TEARDOWN(slot)
{
	if (self->emu)
		self->emu->inject(0, DEVX_EMU_INJECT_DEVICE_RETURN, 0);
	devx_dev_close(&self->dev);
}

/* Opens the device again, as a program does that waits for its return. */
static int reopen_device(struct ct_fix_slot *self)
{
	devx_dev_close(&self->dev);
	return devx_dev_open(&self->dev, devx_rig_get_ibdev());
}

TEST_F(slot, removed_device_keeps_its_function)
{
	EXPECT_NE('\0', self->slot.path[0]);
	EXPECT_EQ(DEVX_SLOT_BOUND, devx_slot_read(&self->slot));
	ASSERT_EQ(0, self->emu->inject(0, DEVX_EMU_INJECT_DEVICE_REMOVE, 0));
	EXPECT_EQ(DEVX_SLOT_BOUND, devx_slot_read(&self->slot));
	EXPECT_EQ(-ENODEV, reopen_device(self));
	ASSERT_EQ(0, self->emu->inject(0, DEVX_EMU_INJECT_DEVICE_RETURN, 0));
	EXPECT_EQ(0, reopen_device(self));
}

TEST_F(slot, unplugged_device_loses_its_function)
{
	ASSERT_EQ(0, self->emu->inject(0, DEVX_EMU_INJECT_DEVICE_UNPLUG, 0));
	EXPECT_EQ(DEVX_SLOT_GONE, devx_slot_read(&self->slot));
	EXPECT_EQ(-ENODEV, reopen_device(self));
	ASSERT_EQ(0, self->emu->inject(0, DEVX_EMU_INJECT_DEVICE_RETURN, 0));
	EXPECT_EQ(DEVX_SLOT_BOUND, devx_slot_read(&self->slot));
	EXPECT_EQ(0, reopen_device(self));
}

TEST_F(slot, function_without_a_driver_is_unbound)
{
	char dir[] = "/tmp/devx-slot-XXXXXX", driver[sizeof(dir) + 8];

	ASSERT_NE(NULL, mkdtemp(dir));
	strcpy(self->slot.path, dir);
	EXPECT_EQ(DEVX_SLOT_UNBOUND, devx_slot_read(&self->slot));
	snprintf(driver, sizeof(driver), "%s/driver", dir);
	EXPECT_EQ(0, symlink("nowhere", driver));
	EXPECT_EQ(DEVX_SLOT_BOUND, devx_slot_read(&self->slot));
	unlink(driver);
	rmdir(dir);
	EXPECT_EQ(DEVX_SLOT_GONE, devx_slot_read(&self->slot));
}

TEST(slot_of_no_pci_function, stays_bound)
{
	const struct devx_slot slot = { .path = "" };

	EXPECT_EQ(DEVX_SLOT_BOUND, devx_slot_read(&slot));
}
