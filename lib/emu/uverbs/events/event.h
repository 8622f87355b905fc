/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_EVENTS_EVENT_H
#define EMU_UVERBS_EVENTS_EVENT_H

#include "emu/uverbs/base/types.h"
#include "emu/uverbs/events/channel.h"
#include "prm/cqe.h"

/**
 * DOC: Events for the user
 *
 *     engine -> EQ -> uv_event_dispatch -> subscriptions -> channel -> queue -> user's read()
 */

/** struct uv_sub - subscription of a channel to an event */
struct uv_sub {
	struct uv_sub *next;
	struct uv_dev *dev;
	struct uv_channel *channel;
	int eventfd; /* duplicate of the user's eventfd, signalled instead of @channel; or -1 */
	const struct uv_obj *obj; /* the DEVX object or verbs CQ of the event; NULL: the device */
	uint16_t event;           /* enum prm_event */
	uint32_t id;              /* number of @obj in firmware */
	uint64_t cookie;
	bool verbs;      /* @channel is a completion channel; a message is only the cookie */
	uint32_t n_read; /* messages of this subscription that the user has read */
};

/* Destroying a channel also removes its subscriptions. */
extern const struct uv_type uv_type_comp_channel, uv_type_async, uv_type_cmd_fd, uv_type_event_fd;

/** uv_sub_add - add a copy of @sub; on success it owns @sub->eventfd. Return: 0 or -ENOMEM */
int uv_sub_add(const struct uv_sub *sub);
/**
 * uv_sub_drop - remove the subscriptions to events of @obj
 *
 * Return: number of messages of these subscriptions that the user has read
 */
uint32_t uv_sub_drop(const struct uv_obj *obj);

/**
 * uv_event_dispatch - deliver @eqe to the channels that subscribed to its event
 *
 * The engine calls it with the adapter lock held.
 */
void uv_event_dispatch(struct uv_dev *dev, const struct prm_eqe *eqe);

/** uv_event_forget_file - close the channels of @file; the caller then frees its objects' memory */
void uv_event_forget_file(const struct uv_file *file);
/** uv_event_lose_next - drop the next event of a DEVX channel with data, as if memory ran out */
void uv_event_lose_next(struct uv_dev *dev);
/**
 * uv_event_forget_all - in a child of fork(): drop the subscriptions of the parent process
 * @left: as for uv_queue_forget_all()
 */
void uv_event_forget_all(void (*left)(dev_t dev, ino_t ino, enum uv_queue_kind kind));

/* Type of the asynchronous event. Source: Linux, IB_EVENT_DEVICE_FATAL */
enum { UV_EVENT_DEVICE_FATAL = 8 };

/** uv_event_report_fatal - send DEVICE_FATAL to all asynchronous event files of a device */
void uv_event_report_fatal(const struct uv_dev *dev);

#endif
