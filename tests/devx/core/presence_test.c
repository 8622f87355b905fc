/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "ct.h"
#include "devx/verbs_event.h"
#include "devx_rig.h"
#include "needs_emu.h"
#include "wait_limit.h"

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

/* ---- a program that still sends -------------------------------------------------------------- */

struct loss {
	const struct devx_emu_ctl *emu;
	int rc;
	bool done;
};

static void *lose_device(void *arg)
{
	struct loss *loss = arg;

	loss->rc = loss->emu->inject(0, DEVX_EMU_INJECT_DEVICE_FATAL, 0);
	__atomic_store_n(&loss->done, true, __ATOMIC_RELEASE);
	return NULL;
}

/* Returns whether the kernel waits for a command; false: the loss is complete. */
static bool wait_for_command(const struct loss *loss)
{
	for (unsigned ms = 0; ms < WAIT_LIMIT_MS; ms++) {
		if (loss->emu->hold_commands(0, 0))
			return true;
		if (__atomic_load_n(&loss->done, __ATOMIC_ACQUIRE))
			return false;
		usleep(1000);
	}
	return false;
}

/* The program learns of the loss late: its doorbells do not count as mistakes. */
TEST(lost_device, receives_no_doorbell)
{
	struct loss loss = { .emu = emu_if_any() };
	struct devx_emu_counters before, after;
	struct devx_rig rig = { 0 };
	const struct prm_ctrl_seg *ctrl;
	unsigned n_held = 0;
	pthread_t thread;

	NEEDS_EMU("to lose the device");
	ASSERT_EQ(0, devx_rig_up(&rig));
	ctrl = devx_rig_post_send(&rig, devx_rig_get_send_slot(&rig, 0), 64, rig.mr.lkey);
	loss.emu->pause();
	loss.emu->hold_commands(0, 0);
	ASSERT_EQ(0, loss.emu->counters(0, &before, sizeof(before)));
	ASSERT_EQ(0, pthread_create(&thread, NULL, lose_device, &loss));
	for (; wait_for_command(&loss); n_held++) {
		devx_sq_ring(&rig.sq, ctrl);
		loss.emu->step(0, 1);
		loss.emu->hold_commands(0, 1);
	}
	loss.emu->hold_commands(0, -1);
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(0, loss.rc);
	EXPECT_LT(10, n_held);
	ASSERT_EQ(0, loss.emu->counters(0, &after, sizeof(after)));
	EXPECT_EQ(before.sq_doorbells, after.sq_doorbells);
	loss.emu->resume();
	devx_rig_down(&rig);
}
