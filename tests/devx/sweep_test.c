/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ct.h"
#include "devx/event.h"
#include "devx_rig.h"
#include "devx_rig_faults.h"
#include "needs_emu.h"
#include "sweep_dmabuf.h"
#include "sweep_pieces.h"

/*
 * The failure sweep. For every create function the test makes the k-th ioctl, firmware command,
 * mmap or allocation fail, for every k. After each failure the object must be all zero, and
 * kernel, device and process must hold no more than before.
 */

enum kind { IOCTL, COMMAND, MMAP, ALLOCATION, N_KINDS };
static const char *const kind_names[] = { "ioctl", "firmware command", "mmap", "allocation" };

/* The object under test; a union, so that expect_zero() compares every type. */
union object {
	struct devx_dev dev;
	struct devx_td td;
	struct devx_tis tis;
	struct devx_uar uar;
	struct devx_cq cq;
	struct devx_sq sq;
	struct devx_counter counter;
	struct devx_rq rq;
	struct devx_rqt rqt;
	struct devx_tir tir;
	struct devx_flow_rule rule;
	struct devx_mr mr;
	struct devx_mkey mkey;
	struct devx_pp pp;
	struct devx_buf buf;
	struct devx_async async;
	struct devx_event_channel channel;
};

struct creator {
	const char *name;
	int (*create)(union object *o, struct devx_rig *rig);
	void (*destroy)(union object *o);
	int least[N_KINDS]; /* smallest number of calls of each kind that create must make */
	int refusals;       /* number of commands whose failure create returns as -EREMOTEIO */
	bool alone;         /* creates a device, so it gets no rig */
};

static void destroy_dev(union object *o)
{
	devx_dev_close(&o->dev);
}
#define DESTROY(name, type, member)                                                                \
	static void destroy_##name(union object *o)                                                \
	{                                                                                          \
		devx_##type##_destroy(&o->member);                                                 \
	}
/* clang-format off */
DESTROY(td, td, td)
DESTROY(tis, tis, tis)
DESTROY(uar, uar, uar)
DESTROY(cq, cq, cq)
DESTROY(sq, sq, sq)
DESTROY(counter, counter, counter)
DESTROY(rq, rq, rq)
DESTROY(rqt, rqt, rqt)
DESTROY(tir, tir, tir)
DESTROY(rule, flow, rule)
DESTROY(mr, mr, mr)
DESTROY(mkey, mkey, mkey)
DESTROY(pp, pp, pp)
DESTROY(buf, buf, buf)
DESTROY(async, async, async)
DESTROY(channel, event_channel, channel)
/* clang-format on */

static int create_dev(union object *o, CT_UNUSED struct devx_rig *rig)
{
	return devx_dev_open(&o->dev, devx_rig_get_ibdev());
}

static int create_td(union object *o, struct devx_rig *rig)
{
	return devx_td_create(&o->td, &rig->dev);
}

static int create_tis(union object *o, struct devx_rig *rig)
{
	return devx_tis_create(&o->tis, &rig->dev, &rig->td);
}

static int create_uar(union object *o, struct devx_rig *rig)
{
	return devx_uar_create(&o->uar, &rig->dev, DEVX_UAR_BF);
}

static int create_counter(union object *o, struct devx_rig *rig)
{
	return devx_counter_create(&o->counter, &rig->dev);
}

static int create_rqt(union object *o, struct devx_rig *rig)
{
	return devx_rqt_create(&o->rqt, &rig->dev, &rig->rq.rqn, 1);
}

static int create_mr(union object *o, struct devx_rig *rig)
{
	return devx_mr_create(&o->mr, &rig->dev, rig->memory, DEVX_RIG_SLOT_BYTES);
}

static int create_dmabuf(union object *o, struct devx_rig *rig)
{
	return sweep_create_dmabuf(&o->mr, &rig->dev);
}

static int create_dmabuf_umem(union object *o, struct devx_rig *rig)
{
	return sweep_create_dmabuf_umem(&o->mr, &rig->dev);
}

static int create_buf(union object *o, struct devx_rig *rig)
{
	return devx_buf_create(&o->buf, &rig->dev, DEVX_RIG_SLOT_BYTES);
}

static int create_async(union object *o, struct devx_rig *rig)
{
	return devx_async_create(&o->async, &rig->dev);
}

static int create_channel(union object *o, struct devx_rig *rig)
{
	return devx_event_channel_create(&o->channel, &rig->dev, false);
}

static int create_cq(union object *o, struct devx_rig *rig)
{
	return devx_cq_create(&o->cq, &rig->dev,
			      &(struct devx_cq_attr){ .log2_n = 4, .uar = &rig->uar });
}

static int create_sq(union object *o, struct devx_rig *rig)
{
	return devx_sq_create(
		&o->sq, &rig->dev,
		&(struct devx_sq_attr){
			.log2_n = 4, .cq = &rig->send_cq, .tis = &rig->tis, .uar = &rig->uar });
}

static int create_rq(union object *o, struct devx_rig *rig)
{
	return devx_rq_create(&o->rq, &rig->dev,
			      &(struct devx_rq_attr){ .log2_n = 4,
						      .cq = &rig->recv_cq,
						      .counter = &rig->counter,
						      .keep_vlan = true });
}

static int create_tir(union object *o, struct devx_rig *rig)
{
	return devx_tir_create(&o->tir, &rig->dev,
			       &(struct devx_tir_attr){ .td = &rig->td, .rq = &rig->rq });
}

static int create_hashing_tir(union object *o, struct devx_rig *rig)
{
	return devx_tir_create(&o->tir, &rig->dev,
			       &(struct devx_tir_attr){ .td = &rig->td,
							.rqt = &rig->rqt,
							.fields = PRM_HASH_FIELD_SEL_SRC_IP |
								  PRM_HASH_FIELD_SEL_DST_IP });
}

static int create_rule(union object *o, struct devx_rig *rig)
{
	const struct devx_match match = DEVX_MATCH_BROADCAST;

	return devx_flow_create(&o->rule, &rig->dev, &match, 1, &rig->tir);
}

static const struct creator creators[] = {
	/* ioctls, commands, mmaps, allocations; refusals */
	{ "dev", create_dev, destroy_dev, { 7, 6, 1, 5 }, 4, .alone = true },
	{ "td", create_td, destroy_td, { 1, 1, 0, 1 }, 1 },
	{ "tis", create_tis, destroy_tis, { 1, 1, 0, 1 }, 1 },
	{ "uar", create_uar, destroy_uar, { 1, 1, 1, 1 }, 0 },
	{ "mr", create_mr, destroy_mr, { 1, 1, 0, 1 }, 0 },
	{ "dmabuf", create_dmabuf, destroy_mr, { 1, 1, 0, 1 }, 0 },
	{ "dmabuf_umem", create_dmabuf_umem, destroy_mr, { 1, 2, 0, 3 }, 1 },
	{ "mkey_list", sweep_create_mkey_list, destroy_mkey, { 1, 1, 0, 2 }, 1 },
	{ "mkey_fixed", sweep_create_mkey_fixed, destroy_mkey, { 1, 1, 0, 2 }, 1 },
	{ "mkey_strided", sweep_create_mkey_strided, destroy_mkey, { 1, 1, 0, 2 }, 1 },
	{ "pp", sweep_create_pp, destroy_pp, { 1, 1, 0, 1 }, 0 },
	{ "buf", create_buf, destroy_buf, { 1, 1, 0, 2 }, 0 },
	{ "channel", create_channel, destroy_channel, { 1, 0, 0, 1 }, 0 },
	{ "cq", create_cq, destroy_cq, { 3, 2, 0, 3 }, 1 },
	{ "sq", create_sq, destroy_sq, { 2, 2, 0, 3 }, 1 },
	{ "counter", create_counter, destroy_counter, { 1, 1, 0, 1 }, 1 },
	{ "rq", create_rq, destroy_rq, { 2, 2, 0, 3 }, 1 },
	{ "rqt", create_rqt, destroy_rqt, { 1, 1, 0, 2 }, 1 },
	{ "tir", create_tir, destroy_tir, { 1, 1, 0, 1 }, 1 },
	{ "hashing_tir", create_hashing_tir, destroy_tir, { 1, 1, 0, 1 }, 1 },
	{ "async", create_async, destroy_async, { 1, 0, 0, 1 }, 0 },
	{ "rule", create_rule, destroy_rule, { 2, 3, 0, 2 }, 0 },
};

/* Counts of everything that can leak: objects, open files, allocations of this thread. */
struct holdings {
	struct devx_emu_counters emu;
	unsigned fds;
	int64_t live;
};

static unsigned count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

static void take_stock(struct holdings *h)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	char names[DEVX_TEXT_BYTES];

	/* makes libibverbs find again a device that it dropped after a failed allocation */
	devx_dev_list(names, sizeof(names));
	*h = (struct holdings){ .fds = count_fds(), .live = devx_rig_count_live() };
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

static void arm_fault(enum kind kind, int64_t k)
{
	static const enum devx_emu_fail what[] = { DEVX_EMU_FAIL_IOCTL, DEVX_EMU_FAIL_COMMAND,
						   DEVX_EMU_FAIL_MMAP };
	const struct devx_emu_ctl *emu = devx_emu_ctl_find();

	if (kind == ALLOCATION)
		devx_rig_fail_alloc(k);
	else
		emu->fail(what[kind], k, 0);
}

static bool has_fired(enum kind kind)
{
	static const enum devx_emu_fail what[] = { DEVX_EMU_FAIL_IOCTL, DEVX_EMU_FAIL_COMMAND,
						   DEVX_EMU_FAIL_MMAP };

	if (kind == ALLOCATION)
		return devx_rig_get_pending_fault() < 0;
	return devx_emu_ctl_find()->fail_pending(what[kind]) < 0;
}

static void expect_zero(const union object *o)
{
	static const union object zero;

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
static bool try_create(const struct creator *c, enum kind kind, int64_t k, int *rc)
{
	struct holdings before, after;
	struct devx_rig rig = { 0 };
	union object o;
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

static void sweep_creator(const struct creator *c, enum kind kind)
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
	EXPECT_EQ(kind == COMMAND ? c->refusals : 0, refusals);
}

TEST_EACH(sweep, failed_create_leaves_nothing_behind, struct creator, creators)
{
	struct devx_rig warm_up = { 0 }; /* libraries keep some allocations of their first call */

	NEEDS_EMU("to make calls fail");
	ASSERT_EQ(0, devx_rig_up(&warm_up));
	devx_rig_down(&warm_up);
	for (enum kind kind = 0; kind < N_KINDS; kind++)
		sweep_creator(row, kind);
}
