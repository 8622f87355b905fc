/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/events/event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5_user_ioctl_verbs.h>

#include "emu/uverbs/base/libc.h"

static struct uv_sub *subs; /* oldest first: events are delivered in the order of subscription */

int uv_sub_add(const struct uv_sub *sub)
{
	struct uv_sub *s = malloc(sizeof(*s)), **at = &subs;

	if (!s)
		return -ENOMEM;
	*s = *sub;
	s->next = NULL;
	uv_event_lock();
	while (*at)
		at = &(*at)->next;
	*at = s;
	uv_event_unlock();
	return 0;
}

/*
 * Removes a subscription. Unread messages stay, except those of a verbs CQ. Source: Linux,
 * devx_event_subscription and ib_uverbs_release_ucq.
 */
static void unlink_sub(struct uv_sub **at)
{
	struct uv_sub *s = *at;

	*at = s->next;
	if (s->channel)
		uv_queue_forget(s->channel->queue, &s->n_read, s->verbs);
	if (s->eventfd >= 0)
		uv_real_close(s->eventfd);
	free(s);
}

uint32_t uv_sub_drop(const struct uv_obj *obj)
{
	uint32_t n_read = 0;

	uv_event_lock();
	for (struct uv_sub **at = &subs; *at;) {
		if ((*at)->obj != obj) {
			at = &(*at)->next;
			continue;
		}
		n_read += (*at)->n_read;
		unlink_sub(at);
	}
	uv_event_unlock();
	return n_read;
}

/* ---- channels ------------------------------------------------------------------- */

static void drop_channel_subs(const struct uv_channel *ch)
{
	for (struct uv_sub **at = &subs; *at;) {
		if ((*at)->channel == ch)
			unlink_sub(at);
		else
			at = &(*at)->next;
	}
}

static int destroy_channel(struct uv_obj *obj)
{
	struct uv_channel *ch = (struct uv_channel *)obj;

	uv_event_lock();
	drop_channel_subs(ch);
	uv_channel_unlist(ch);
	uv_event_unlock();
	return 0;
}

void uv_event_forget_file(const struct uv_file *file)
{
	uv_event_lock();
	for (struct uv_channel *ch = uv_channels, *next; ch; ch = next) {
		next = ch->next;
		if (ch->obj.file != file)
			continue;
		drop_channel_subs(ch);
		uv_channel_unlist(ch);
	}
	uv_event_unlock();
}

const struct uv_type uv_type_comp_channel = { "completion channel", destroy_channel };
const struct uv_type uv_type_async = { "asynchronous event file", destroy_channel };
const struct uv_type uv_type_cmd_fd = { "command completion file", destroy_channel };
const struct uv_type uv_type_event_fd = { "event channel", destroy_channel };

/* ---- dispatch ------------------------------------------------------------------- */

enum { NUMBER_MASK = 0xffffff };

/*
 * Returns the number of the CQ, QP, SQ or RQ that an EQE is about.
 * Source: Linux include/linux/mlx5/device.h, struct mlx5_eqe_{comp,cq_err,qp_srq}.
 */
static uint32_t read_object_number(const struct prm_eqe *eqe)
{
	const unsigned at = eqe->type == PRM_EVENT_CQ_ERROR ? 0 : 6;

	return prm_be32_get(eqe->data[at]) & NUMBER_MASK;
}

static void deliver_devx_event(struct uv_sub *s, const struct prm_eqe *eqe)
{
	struct {
		uint64_t cookie;
		struct prm_eqe eqe;
	} msg = { s->cookie, *eqe };
	_Static_assert(sizeof(msg) ==
			       sizeof(struct mlx5_ib_uapi_devx_async_event_hdr) + sizeof(*eqe),
		       "cookie and EQE");

	if (s->channel->omit) {
		if (!uv_queue_has_unread(s->channel->queue, &s->n_read))
			uv_queue_push(s->channel->queue, &s->n_read, &s->cookie, sizeof(s->cookie),
				      0);
	} else if (s->dev->lose_event) {
		s->dev->lose_event = false;
		s->channel->queue->overflow = true;
	} else {
		uv_queue_push(s->channel->queue, NULL, &msg, sizeof(msg), 0);
	}
}

static void deliver_event(struct uv_sub *s, const struct prm_eqe *eqe)
{
	const struct ib_uverbs_comp_event_desc comp = { .cq_handle = s->cookie };
	const uint64_t one = 1;

	if (s->eventfd >= 0) {
		if (uv_real_write(s->eventfd, &one, sizeof(one)) < 0)
			return; /* the eventfd is at its maximum, and therefore readable */
	} else if (s->verbs) {
		uv_queue_push(s->channel->queue, &s->n_read, &comp, sizeof(comp), 0);
	} else {
		deliver_devx_event(s, eqe);
	}
}

void uv_event_lose_next(struct uv_dev *dev)
{
	uv_event_lock();
	dev->lose_event = true;
	uv_event_unlock();
}

/* Sends a port change to all asynchronous event files of the device, as ib_core does. */
static void send_port_event(struct uv_dev *dev, const struct prm_eqe *eqe)
{
	enum { IB_EVENT_PORT_ACTIVE = 9, IB_EVENT_PORT_ERR = 10 };
	const struct ib_uverbs_async_event_desc desc = {
		.element = 1,
		.event_type = eqe->sub_type == PRM_PORT_CHANGE_SUBTYPE_ACTIVE ? IB_EVENT_PORT_ACTIVE
									      : IB_EVENT_PORT_ERR,
	};

	for (struct uv_channel *ch = uv_channels; ch; ch = ch->next)
		if (ch->obj.type == &uv_type_async && ch->obj.file->dev == dev)
			uv_queue_push(ch->queue, NULL, &desc, sizeof(desc), 0);
}

void uv_event_dispatch(struct uv_dev *dev, const struct prm_eqe *eqe)
{
	const uint32_t id = read_object_number(eqe);

	uv_event_lock();
	if (eqe->type == PRM_EVENT_PORT_CHANGE)
		send_port_event(dev, eqe);
	for (struct uv_sub *s = subs; s; s = s->next)
		if (s->dev == dev && s->event == eqe->type && (!s->obj || s->id == id))
			deliver_event(s, eqe);
	uv_event_unlock();
}

void uv_event_forget_all(void (*left)(dev_t dev, ino_t ino, enum uv_queue_kind kind))
{
	static struct uv_channel *parents_channels; /* keep both reachable for leak checkers */
	static struct uv_sub *parents_subs;

	parents_channels = uv_channels;
	parents_subs = subs;
	(void)parents_channels;
	(void)parents_subs;
	uv_channels = NULL;
	subs = NULL;
	uv_queue_forget_all(left);
}

/* Source: Linux drivers/infiniband/core/uverbs_std_types_async_fd.c. */
void uv_event_report_fatal(const struct uv_dev *dev)
{
	const struct ib_uverbs_async_event_desc desc = { .event_type = UV_EVENT_DEVICE_FATAL };

	uv_event_lock();
	for (struct uv_channel *ch = uv_channels; ch; ch = ch->next)
		if (ch->obj.type == &uv_type_async && ch->obj.file->dev == dev)
			uv_queue_push(ch->queue, NULL, &desc, sizeof(desc), 0);
	uv_event_unlock();
}
