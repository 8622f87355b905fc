/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every status that firmware can answer to the first command of each create.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ct.h"
#include "needs_emu.h"
#include "prm/prm.h"
#include "sweep_creators.h"

/* A create whose k-th command is answered with @status. */
struct attempt {
	int64_t k;
	int status;
	bool fired;
	int rc;
	char line[DEVX_TEXT_BYTES];
};

static struct devx_emu_counters read_objects(void)
{
	struct devx_emu_counters c;

	emu_if_any()->counters(0, &c, sizeof(c));
	c.commands = c.ioctls = c.mmaps = 0;
	return c;
}

/* Creates an object once; expects a zeroed object after a failure, and nothing left on emu. */
static void try_create(const struct sweep_creator *c, struct devx_rig *rig, struct attempt *a)
{
	static const union sweep_object zero;
	const struct devx_emu_ctl *emu = emu_if_any();
	const struct devx_emu_counters before = read_objects();
	struct devx_emu_counters after;
	union sweep_object o;

	memset(&o, 0, sizeof(o));
	emu->fail(DEVX_EMU_FAIL_COMMAND, a->k, a->status);
	a->rc = c->create(&o, rig);
	a->fired = emu->fail_pending(DEVX_EMU_FAIL_COMMAND) < 0;
	emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0); /* a destroy must not meet the failure */
	devx_strerror(c->alone ? &o.dev : &rig->dev, a->rc, a->line, sizeof(a->line));
	if (!a->rc)
		c->destroy(&o);
	if (c->alone)
		o.dev.refusal = (struct devx_refusal){ 0 }; /* set by a failed open */
	EXPECT_MEMEQ(&zero, &o, sizeof(zero));
	after = read_objects();
	EXPECT_MEMEQ(&before, &after, sizeof(before));
}

/* Returns the number of commands that the kernel sends before lib/devx sends its first one. */
static int64_t count_kernel_commands(const struct sweep_creator *c, struct devx_rig *rig)
{
	struct attempt a = { .k = -1, .status = PRM_STATUS_INT_ERR };

	do {
		a.k++;
		try_create(c, rig, &a);
	} while (a.fired && a.rc != -EREMOTEIO);
	EXPECT_EQ(-EREMOTEIO, a.rc);
	return a.k;
}

/* The kernel turns the status of its own command into an errno, so lib/devx knows only that. */
static void expect_errno(const struct sweep_creator *c, const struct attempt *a)
{
	char why[64];

	EXPECT_LT(a->rc, 0);
	/* the dma-buf is a memfd, and lib/devx explains EINVAL by that */
	if (a->rc == -EINVAL && !strcmp(c->name, "dmabuf"))
		EXPECT_SUBSTR("is not a dma-buf", a->line);
	else
		EXPECT_SUBSTR(strerror_r(-a->rc, why, sizeof(why)), a->line);
}

static void expect_status(const struct sweep_creator *c, const struct attempt *a)
{
	char want[DEVX_TEXT_BYTES];

	snprintf(want, sizeof(want), "firmware refused %s: %s (%d), syndrome 0x%06x", c->command,
		 prm_status_name((uint8_t)a->status), a->status, EMU_FAILED_SYNDROME);
	EXPECT_EQ(-EREMOTEIO, a->rc);
	EXPECT_STREQ(want, a->line);
}

static void expect_no_command(const struct sweep_creator *c, struct devx_rig *rig)
{
	struct attempt a = { .status = PRM_STATUS_INT_ERR };

	try_create(c, rig, &a);
	EXPECT_FALSE(a.fired);
	EXPECT_EQ(0, a.rc);
}

static void fail_with_every_status(const struct sweep_creator *c, struct devx_rig *rig)
{
	struct attempt a = { .k = c->command ? count_kernel_commands(c, rig) : 0 };

	/* 0x07 and 0x0b to 0x0e have no name in the specification */
	for (a.status = 1; a.status <= PRM_STATUS_BAD_QP_STATE; a.status++) {
		SCOPED_TRACE("status 0x%x", a.status);
		try_create(c, rig, &a);
		EXPECT_TRUE(a.fired);
		EXPECT_EQ(NULL, strchr(a.line, '\n'));
		if (c->command)
			expect_status(c, &a);
		else
			expect_errno(c, &a);
	}
}

TEST_EACH(status, of_each_create_is_named_in_one_line, struct sweep_creator, sweep_creators)
{
	struct devx_rig rig = { 0 };

	NEEDS_EMU("to make a command fail");
	ASSERT_EQ(0, devx_rig_up(&rig));
	if (row->least[SWEEP_COMMAND])
		fail_with_every_status(row, &rig);
	else
		expect_no_command(row, &rig);
	EXPECT_EQ(0, rig.dev.n_stuck);
	devx_rig_down(&rig);
}
