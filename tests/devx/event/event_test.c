/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "ct.h"
#include "devx/event.h"
#include "devx/netdev.h"
#include "devx/verbs_event.h"
#include "devx_rig.h"
#include "needs_emu.h"
#include "wait_limit.h"

/* Event channels and events of the verbs context (event.c). */

enum { COOKIE = 0x11223344, FRAME_BYTES = 60 };

FIXTURE(event)
{
	struct devx_rig rig;
	struct devx_event_channel ch;
};

FIXTURE_SETUP(event)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
	ASSERT_EQ(0, devx_event_channel_create(&self->ch, &self->rig.dev, false));
}

FIXTURE_TEARDOWN(event)
{
	devx_event_channel_destroy(&self->ch);
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_rig_down(&self->rig);
}

static void subscribe_type(struct devx_event_channel *ch, struct mlx5dv_devx_obj *obj,
			   uint16_t type)
{
	EXPECT_EQ(0, devx_event_subscribe(ch, obj, &type, 1, COOKIE));
}

/* Waits until @fd is readable, as a program does with poll(2). */
static bool wait_readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, WAIT_LIMIT_MS) == 1 && p.revents == POLLIN;
}

static int wait_event(struct devx_event_channel *ch, struct devx_event *event)
{
	EXPECT_TRUE(wait_readable(ch->fd));
	return devx_event_read(ch, event);
}

static void expect_none(struct devx_event_channel *ch)
{
	struct pollfd p = { .fd = ch->fd, .events = POLLIN };
	struct devx_event event;

	EXPECT_EQ(0, poll(&p, 1, 0));
	EXPECT_EQ(-EAGAIN, devx_event_read(ch, &event));
}

/* Sends one frame, which completes on send_cq. */
static void send_frame(struct devx_rig *rig)
{
	uint8_t *slot = devx_rig_get_send_slot(rig, rig->sq.pi);

	devx_rig_write_frame(rig, slot, rig->sq.pi, FRAME_BYTES);
	devx_sq_ring(&rig->sq, devx_rig_post_send(rig, slot, FRAME_BYTES, rig->mr.lkey));
}

static void complete_frame(struct devx_rig *rig, uint8_t arm_sn)
{
	devx_cq_arm(&rig->send_cq, arm_sn);
	send_frame(rig);
	ASSERT_NE(NULL, devx_rig_wait_cqe(&rig->send_cq));
	devx_rig_drop_cqe(&rig->send_cq);
}

TEST_F(event, read_of_an_empty_channel_returns_at_once)
{
	expect_none(&self->ch);
}

TEST_F(event, armed_cq_raises_one_event_with_its_number)
{
	struct devx_event event = { 0 };

	subscribe_type(&self->ch, self->rig.send_cq.obj, PRM_EVENT_COMP);
	complete_frame(&self->rig, 0);
	ASSERT_EQ(0, wait_event(&self->ch, &event));
	EXPECT_EQ(COOKIE, event.cookie);
	EXPECT_TRUE(event.has_data);
	EXPECT_EQ(PRM_EVENT_COMP, event.type);
	EXPECT_EQ(self->rig.send_cq.cqn, event.number);

	send_frame(&self->rig); /* the CQ is not armed */
	EXPECT_NE(NULL, devx_rig_wait_cqe(&self->rig.send_cq));
	expect_none(&self->ch);
}

TEST_F(event, channel_without_data_merges_unread_events)
{
	struct devx_event_channel brief = { 0 };
	struct devx_event event = { 0 };

	ASSERT_EQ(0, devx_event_channel_create(&brief, &self->rig.dev, true));
	subscribe_type(&brief, self->rig.send_cq.obj, PRM_EVENT_COMP);
	subscribe_type(&self->ch, self->rig.send_cq.obj, PRM_EVENT_COMP);
	for (uint8_t sn = 0; sn < 2; sn++) {
		complete_frame(&self->rig, sn);
		EXPECT_EQ(0, wait_event(&self->ch, &event));
	}
	ASSERT_EQ(0, wait_event(&brief, &event));
	EXPECT_EQ(COOKIE, event.cookie);
	EXPECT_FALSE(event.has_data);
	expect_none(&brief);
	devx_event_channel_destroy(&brief);
}

/* The CQ has two slots, and three completions come. */
TEST_F(event, overrun_of_a_cq_raises_cq_error)
{
	struct devx_rig *rig = &self->rig;
	const struct devx_cq_attr attr = { .log2_n = 1, .uar = &rig->uar };
	struct devx_cq cq = { 0 };
	struct devx_event event = { 0 };

	NEEDS_EMU("to reset the count of the overrun, which is a mistake of the driver");
	ASSERT_EQ(0, devx_cq_create(&cq, &rig->dev, &attr));
	subscribe_type(&self->ch, cq.obj, PRM_EVENT_CQ_ERROR);
	devx_sq_destroy(&rig->sq);
	ASSERT_EQ(0, devx_sq_create(&rig->sq, &rig->dev,
				    &(struct devx_sq_attr){ .log2_n = DEVX_RIG_LOG2_SQ,
							    .cq = &cq,
							    .tis = &rig->tis,
							    .uar = &rig->uar }));
	EXPECT_EQ(0, devx_sq_ready(&rig->sq));
	for (int i = 0; i < 3; i++)
		send_frame(rig);
	EXPECT_EQ(0, wait_event(&self->ch, &event));
	EXPECT_EQ(PRM_EVENT_CQ_ERROR, event.type);
	EXPECT_EQ(cq.cqn, event.number);
	EXPECT_EQ(PRM_CQ_ERROR_SYNDROME_CQ_OVERRUN, event.syndrome);
	devx_sq_destroy(&rig->sq);
	devx_cq_destroy(&cq);
	emu_if_any()->reset_mistakes();
}

TEST_F(event, eventfd_counts_events_instead_of_the_channel)
{
	const int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	struct mlx5dv_devx_obj *cq = self->rig.send_cq.obj;
	uint64_t n = 0;

	ASSERT_LE(0, fd);
	EXPECT_EQ(0, devx_event_subscribe_fd(&self->ch, cq, PRM_EVENT_COMP, fd));
	complete_frame(&self->rig, 0);
	EXPECT_TRUE(wait_readable(fd));
	EXPECT_EQ(sizeof(n), read(fd, &n, sizeof(n)));
	EXPECT_EQ(1, n);
	expect_none(&self->ch);
	close(fd);
}

TEST_F(event, subscription_ends_with_its_object)
{
	struct devx_rig *rig = &self->rig;
	const struct devx_cq_attr attr = { .uar = &rig->uar };
	struct devx_cq cq = { 0 };

	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, devx_cq_create(&cq, &rig->dev, &attr));
		subscribe_type(&self->ch, cq.obj, PRM_EVENT_CQ_ERROR);
		devx_cq_destroy(&cq);
	}
	expect_none(&self->ch);
}

TEST_F(event, subscribe_refuses_bad_arguments)
{
	static const uint16_t many[DEVX_EVENT_MAX_TYPES + 1], unknown = 0xff, comp = PRM_EVENT_COMP;
	struct devx_event_channel *ch = &self->ch;
	struct devx_dev *dev = &self->rig.dev;
	struct mlx5dv_devx_obj *cq = self->rig.send_cq.obj;

	devx_rig_expect_error(dev, -EINVAL, "17 types are invalid (valid: 1 to 16)",
			      devx_event_subscribe(ch, cq, many, DEVX_EVENT_MAX_TYPES + 1, 0));
	devx_rig_expect_error(dev, -EINVAL, "0 types are invalid",
			      devx_event_subscribe(ch, cq, many, 0, 0));
	devx_rig_expect_error(dev, -EINVAL, "0 types are invalid",
			      devx_event_subscribe(ch, cq, NULL, 1, 0));
	devx_rig_expect_error(dev, -EINVAL, "event 0xff: the kernel does not allow",
			      devx_event_subscribe(ch, cq, &unknown, 1, 0));
	devx_rig_expect_error(dev, -EINVAL, "for the device",
			      devx_event_subscribe(ch, NULL, &comp, 1, 0));
	devx_rig_expect_error(dev, -EINVAL, "is not an eventfd",
			      devx_event_subscribe_fd(ch, cq, PRM_EVENT_COMP, ch->fd));
	devx_rig_expect_error(dev, -EBADF, "cannot subscribe descriptor -1 to event 0x00",
			      devx_event_subscribe_fd(ch, cq, PRM_EVENT_COMP, -1));
}

TEST_F(event, failed_cq_raises_events_of_itself_and_its_sq)
{
	struct devx_rig *rig = &self->rig;
	struct devx_event event = { 0 };
	bool failed = true;

	NEEDS_EMU("to let a CQ fail");
	EXPECT_EQ(0, devx_cq_query_failed(&rig->send_cq, &failed));
	EXPECT_FALSE(failed);
	subscribe_type(&self->ch, rig->send_cq.obj, PRM_EVENT_CQ_ERROR);
	subscribe_type(&self->ch, rig->sq.obj, PRM_EVENT_WQ_CATAS_ERROR);
	subscribe_type(&self->ch, rig->rq.obj, PRM_EVENT_WQ_CATAS_ERROR);
	EXPECT_EQ(0, emu_if_any()->inject(0, DEVX_EMU_INJECT_CQ_ERROR, rig->send_cq.cqn));
	ASSERT_EQ(0, wait_event(&self->ch, &event));
	EXPECT_EQ(PRM_EVENT_CQ_ERROR, event.type);
	EXPECT_EQ(rig->send_cq.cqn, event.number);
	EXPECT_EQ(PRM_CQ_ERROR_SYNDROME_CQ_ACCESS_VIOLATION, event.syndrome);
	ASSERT_EQ(0, wait_event(&self->ch, &event));
	EXPECT_EQ(PRM_EVENT_WQ_CATAS_ERROR, event.type);
	EXPECT_EQ(PRM_EVENT_QUEUE_TYPE_SQ, event.queue_type);
	EXPECT_EQ(rig->sq.sqn, event.number);
	expect_none(&self->ch); /* the RQ has another CQ */
	EXPECT_EQ(0, devx_cq_query_failed(&rig->send_cq, &failed));
	EXPECT_TRUE(failed);
}

/* ---- the port ------------------------------------------------------------------------------- */

/* On emu the device changes the link; a real kernel changes it with the state of its netdev. */
static int set_link(struct devx_dev *dev, bool up)
{
	const struct devx_emu_ctl *emu = emu_if_any();

	if (emu)
		return emu->inject(0, up ? DEVX_EMU_INJECT_LINK_UP : DEVX_EMU_INJECT_LINK_DOWN, 0);
	return devx_netdev_set_up(dev, up);
}

/* Reads events until the port changed to @sub_type. */
static int wait_port_change(struct devx_event_channel *ch, uint8_t sub_type)
{
	struct devx_event event = { 0 };
	int rc;

	do {
		rc = wait_event(ch, &event);
		EXPECT_EQ(PRM_EVENT_PORT_CHANGE, event.type);
		EXPECT_EQ(1, event.number);
	} while (!rc && event.sub_type != sub_type);
	return rc;
}

static int wait_verbs_event(struct devx_dev *dev, int fd, enum devx_verbs_event want)
{
	enum devx_verbs_event got = want;
	int rc;

	do {
		EXPECT_TRUE(wait_readable(fd));
		rc = devx_verbs_event_read(dev, &got);
	} while (!rc && got != want);
	return rc;
}

TEST_F(event, change_of_the_link_comes_to_both_descriptors)
{
	struct devx_dev *dev = &self->rig.dev;
	enum devx_verbs_event event;
	int fd = -1;

	subscribe_type(&self->ch, NULL, PRM_EVENT_PORT_CHANGE);
	ASSERT_EQ(0, devx_verbs_event_open(dev, &fd));
	while (!devx_verbs_event_read(dev, &event))
		;
	ASSERT_EQ(0, set_link(dev, false));
	EXPECT_EQ(0, wait_port_change(&self->ch, PRM_PORT_CHANGE_SUBTYPE_DOWN));
	EXPECT_EQ(0, wait_verbs_event(dev, fd, DEVX_VERBS_PORT_DOWN));
	ASSERT_EQ(0, set_link(dev, true));
	EXPECT_EQ(0, wait_port_change(&self->ch, PRM_PORT_CHANGE_SUBTYPE_ACTIVE));
	EXPECT_EQ(0, wait_verbs_event(dev, fd, DEVX_VERBS_PORT_UP));
	EXPECT_EQ(-EAGAIN, devx_verbs_event_read(dev, &event));
}

TEST_F(event, lost_event_is_reported_once)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_event_channel *ch = &self->ch;
	struct devx_event event;

	NEEDS_EMU("to lose an event");
	subscribe_type(ch, NULL, PRM_EVENT_PORT_CHANGE);
	EXPECT_EQ(0, emu->inject(0, DEVX_EMU_INJECT_EVENT_LOSS, 0));
	EXPECT_EQ(0, set_link(&self->rig.dev, false));
	EXPECT_EQ(0, set_link(&self->rig.dev, true));
	EXPECT_EQ(-EOVERFLOW, wait_event(ch, &event));
	EXPECT_EQ(0, devx_event_read(ch, &event));
	EXPECT_EQ(PRM_PORT_CHANGE_SUBTYPE_ACTIVE, event.sub_type);
	expect_none(ch);
}

/* Functions of LeakSanitizer, if the program has it. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

/* The kernel refuses each destroy after the loss, so handles of the new rig stay allocated. */
static void replace_rig_by_one_that_leaks(struct ct_fix_event *self)
{
	devx_event_channel_destroy(&self->ch);
	devx_rig_down(&self->rig);
	if (__lsan_disable)
		__lsan_disable();
	EXPECT_EQ(0, devx_rig_up(&self->rig));
	EXPECT_EQ(0, devx_event_channel_create(&self->ch, &self->rig.dev, false));
	if (__lsan_enable)
		__lsan_enable();
}

TEST_F(event, loss_of_the_device_is_reported_and_ends_the_channel)
{
	struct devx_dev *dev = &self->rig.dev;
	struct devx_event_channel *ch = &self->ch;
	enum devx_verbs_event verbs = DEVX_VERBS_OTHER;
	struct pollfd p = { .fd = ch->fd, .events = POLLIN };
	struct devx_event event;
	bool failed;
	int fd = -1;

	NEEDS_EMU("to let the device fail");
	replace_rig_by_one_that_leaks(self);
	subscribe_type(ch, self->rig.send_cq.obj, PRM_EVENT_COMP);
	ASSERT_EQ(0, devx_verbs_event_open(dev, &fd));
	EXPECT_EQ(-EAGAIN, devx_verbs_event_read(dev, &verbs));
	EXPECT_EQ(0, emu_if_any()->inject(0, DEVX_EMU_INJECT_DEVICE_FATAL, 0));
	EXPECT_EQ(0, devx_verbs_event_read(dev, &verbs));
	EXPECT_EQ(DEVX_VERBS_DEVICE_FATAL, verbs);
	EXPECT_EQ(-EAGAIN, devx_verbs_event_read(dev, &verbs)); /* it was the last event */
	EXPECT_TRUE(poll(&p, 1, 0) == 1 && p.revents & POLLIN);
	for (int i = 0; i < 2; i++)
		EXPECT_EQ(-EIO, devx_event_read(ch, &event));
	EXPECT_EQ(-EIO, devx_cq_query_failed(&self->rig.send_cq, &failed));
	devx_event_channel_destroy(ch);
	devx_sq_destroy(&self->rig.sq);
	EXPECT_EQ(0, dev->n_stuck); /* the kernel has destroyed all objects */
	devx_rig_down(&self->rig);  /* each destroy fails with EIO */
}
