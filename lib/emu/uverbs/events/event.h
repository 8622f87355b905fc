/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_EVENTS_EVENT_H
#define EMU_UVERBS_EVENTS_EVENT_H

#include "emu/uverbs/events/channel.h"
#include "prm/cqe.h"

/**
 * DOC: Events for the user
 *
 *     engine -> EQ -> uv_event_dispatch -> subscriptions -> channel -> socket -> user's read()
 */

/** struct uv_sub - who wants an event */
struct uv_sub {
	struct uv_sub *next;
	struct uv_dev *dev;
	struct uv_channel *channel;
	int eventfd;              /* our duplicate, instead of messages; or -1 */
	const struct uv_obj *obj; /* the DEVX object or verbs CQ it is about; NULL: the device */
	uint16_t event;           /* enum prm_event */
	uint32_t id;              /* the object's number */
	uint64_t cookie;
	bool verbs;      /* completion channel: the message is the cookie alone */
	uint32_t n_read; /* messages of it that the user has read */
};

/* The kinds of channels. Their destroy drops the subscriptions too. */
extern const struct uv_type uv_type_comp_channel, uv_type_async, uv_type_cmd_fd, uv_type_event_fd;

/** uv_sub_add - subscribe; @sub is copied, its eventfd ours from now on. Return: 0 or -ENOMEM */
int uv_sub_add(const struct uv_sub *sub);
/** uv_sub_drop - drop what is about @obj. Return: messages of it that the user has read */
uint32_t uv_sub_drop(const struct uv_obj *obj);

/** uv_event_dispatch - an EQE came. From the engine, with the adapter's lock held */
void uv_event_dispatch(struct uv_dev *dev, const struct prm_eqe *eqe);

#endif
