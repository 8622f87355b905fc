/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "ct.h"
#include "devx_rig.h"
#include "devx/verbs_event.h"
#include "needs_emu.h"

/* emu plays a device that goes away and comes back, as Linux does it. */

FIXTURE(presence)
{
	const struct devx_emu_ctl *emu;
	struct devx_dev dev;
};
FIXTURE_SETUP(presence)
{
	NEEDS_EMU("to remove the device");
	self->emu = emu_if_any();
	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
}
FIXTURE_TEARDOWN(presence)
{
	if (self->emu)
		self->emu->inject(0, DEVX_EMU_INJECT_DEVICE_RETURN, 0);
	devx_dev_close(&self->dev);
}

static const struct way {
	const char *name;
	enum devx_emu_inject inject;
} ways[] = {
	{ "removed", DEVX_EMU_INJECT_DEVICE_REMOVE },
	{ "unplugged", DEVX_EMU_INJECT_DEVICE_UNPLUG },
};

TEST_F_EACH(presence, nobody_finds_a_device_until_it_returns, struct way, ways)
{
	enum devx_verbs_event event = DEVX_VERBS_OTHER;
	struct devx_port port;
	char text[DEVX_TEXT_BYTES];
	int fd;

	ASSERT_EQ(0, devx_verbs_event_open(&self->dev, &fd));
	ASSERT_EQ(0, self->emu->inject(0, row->inject, 0));
	EXPECT_EQ(0, devx_verbs_event_read(&self->dev, &event));
	EXPECT_EQ(DEVX_VERBS_DEVICE_FATAL, event);
	EXPECT_EQ(0, devx_dev_list(text, sizeof(text)));
	EXPECT_EQ(-EIO, devx_port_query(&self->dev, &port));
	devx_dev_close(&self->dev);
	EXPECT_EQ(-ENODEV, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	ASSERT_EQ(0, self->emu->inject(0, DEVX_EMU_INJECT_DEVICE_RETURN, 0));
	EXPECT_EQ(1, devx_dev_list(text, sizeof(text)));
	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	EXPECT_EQ(0, devx_port_query(&self->dev, &port));
}
