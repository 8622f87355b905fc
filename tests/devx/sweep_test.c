/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ct.h"
#include "devx_rig_faults.h"
#include "needs_emu.h"
#include "open_files.h"
#include "sweep_creators.h"

/*
 * The failure sweep. For every create function the test makes the k-th ioctl, firmware command,
 * mmap or allocation fail, for every k. After each failure the object must be all zero, and
 * kernel, device and process must hold no more than before.
 */

static const char *const kind_names[] = { "ioctl", "firmware command", "mmap", "allocation" };

/* Counts of everything that can leak: objects, open files, allocations of this thread. */
struct holdings {
	struct devx_emu_counters emu;
	unsigned fds;
	int64_t live;
};

static void take_stock(struct holdings *h)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	char names[DEVX_TEXT_BYTES];

	/* makes libibverbs find again a device that it dropped after a failed allocation */
	devx_dev_list(names, sizeof(names));
	*h = (struct holdings){ .fds = count_open_files(), .live = devx_rig_count_live() };
	emu->counters(0, &h->emu, sizeof(h->emu));
}

static void expect_same(const struct holdings *before, const struct holdings *after)
{
	EXPECT_EQ(before->emu.contexts, after->emu.contexts);
	EXPECT_EQ(before->emu.handles, after->emu.handles);
	EXPECT_EQ(before->emu.flows, after->emu.flows);
	for (int i = 0; i < DEVX_EMU_N_OBJECTS; i++) {
		SCOPED_TRACE("firmware objects of type %d", i);
		EXPECT_EQ(before->emu.objects[i], after->emu.objects[i]);
	}
	EXPECT_EQ(before->fds, after->fds);
	EXPECT_EQ(before->live, after->live);
}

static void arm_fault(enum sweep_kind kind, int64_t k)
{
	static const enum devx_emu_fail what[] = { DEVX_EMU_FAIL_IOCTL, DEVX_EMU_FAIL_COMMAND,
						   DEVX_EMU_FAIL_MMAP };
	const struct devx_emu_ctl *emu = devx_emu_ctl_find();

	if (kind == SWEEP_ALLOCATION)
		devx_rig_fail_alloc(k);
	else
		emu->fail(what[kind], k, 0);
}

static bool has_fired(enum sweep_kind kind)
{
	static const enum devx_emu_fail what[] = { DEVX_EMU_FAIL_IOCTL, DEVX_EMU_FAIL_COMMAND,
						   DEVX_EMU_FAIL_MMAP };

	if (kind == SWEEP_ALLOCATION)
		return devx_rig_get_pending_fault() < 0;
	return devx_emu_ctl_find()->fail_pending(what[kind]) < 0;
}

static void expect_zero(const union sweep_object *o)
{
	static const union sweep_object zero;

	EXPECT_MEMEQ(&zero, o, sizeof(zero));
}

static void expect_reason(const struct devx_dev *dev, int rc)
{
	char line[DEVX_TEXT_BYTES];

	EXPECT_LT(rc, 0);
	EXPECT_EQ(rc, dev->refusal.rc);
	EXPECT_STRNE("", devx_strerror(dev, rc, line, sizeof(line)));
	if (rc == -EREMOTEIO)
		EXPECT_SUBSTR("firmware refused ", line);
}

/* Runs create once. Returns whether the k-th call failed; @rc receives the result of create. */
static bool try_create(const struct sweep_creator *c, enum sweep_kind kind, int64_t k, int *rc)
{
	struct holdings before, after;
	struct devx_rig rig = { 0 };
	union sweep_object o;
	bool fired;

	memset(&o, 0, sizeof(o));
	take_stock(&before);
	if (!c->alone)
		EXPECT_EQ(0, devx_rig_up(&rig));
	arm_fault(kind, k);
	*rc = c->create(&o, &rig);
	fired = has_fired(kind);
	arm_fault(kind, -1);
	if (*rc)
		expect_reason(c->alone ? &o.dev : &rig.dev, *rc);
	else
		c->destroy(&o);
	if (c->alone)
		o.dev.refusal = (struct devx_refusal){ 0 }; /* set by a failed open */
	expect_zero(&o);
	EXPECT_TRUE(fired || !*rc);
	EXPECT_EQ(0, rig.dev.n_stuck);
	devx_rig_down(&rig);
	take_stock(&after);
	expect_same(&before, &after);
	return fired;
}

static void sweep_creator(const struct sweep_creator *c, enum sweep_kind kind)
{
	enum { MANY = 1000 };
	int refusals = 0, rc, k = 0;
	bool fired = true;

	for (; fired && k < MANY; k++) {
		SCOPED_TRACE("%s %d fails", kind_names[kind], k);
		fired = try_create(c, kind, k, &rc);
		refusals += rc == -EREMOTEIO;
	}
	SCOPED_TRACE("%s 0 to %d failed", kind_names[kind], k - 2);
	EXPECT_FALSE(fired);
	EXPECT_LE(c->least[kind], k - 1);
	EXPECT_EQ(kind == SWEEP_COMMAND ? c->refusals : 0, refusals);
}

/*
 * libibverbs leaks a reference to its device when it cannot allocate the private part of a context
 * (rdma-core 44). The leak shows only when it drops the device from its
 * list. So each sweep begins with a device that no other sweep opened.
 */
static void renew_device(void)
{
	char names[DEVX_TEXT_BYTES];

	devx_rig_fail_alloc(0);
	devx_dev_list(names, sizeof(names));
	devx_rig_fail_alloc(-1);
	EXPECT_LE(1, devx_dev_list(names, sizeof(names)));
}

TEST_EACH(sweep, failed_create_leaves_nothing_behind, struct sweep_creator, sweep_creators)
{
	struct devx_rig warm_up = { 0 }; /* libraries keep some allocations of their first call */
	bool has_counter;

	NEEDS_EMU("to make calls fail");
	ASSERT_EQ(0, devx_rig_up(&warm_up));
	has_counter = devx_rig_get_counter(&warm_up);
	devx_rig_down(&warm_up);
	if (!has_counter && row->command && !strcmp(row->command, "ALLOC_Q_COUNTER"))
		SKIP("the device has no queue counters");
	renew_device();
	for (enum sweep_kind kind = 0; kind < SWEEP_N_KINDS; kind++)
		sweep_creator(row, kind);
}
