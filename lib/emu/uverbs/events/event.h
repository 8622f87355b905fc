/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_EVENTS_EVENT_H
#define EMU_UVERBS_EVENTS_EVENT_H

#include "emu/uverbs/device/dev.h"

/**
 * DOC: Events for the user
 *
 *     engine -> EQ -> uv_event_dispatch -> subscriptions -> channel -> socket -> user's read()
 *
 * A channel is one end of a SOCK_SEQPACKET pair; the user has the other end, whose read,
 * poll, epoll and O_NONBLOCK are the kernel's own: one read is one message.
 *
 * Where this differs from mlx5_ib: a read into a short buffer truncates the message (Linux:
 * EINVAL or ENOSPC, and it stays); what does not fit the socket (some 200 KiB) is lost.
 */

struct uv_sub;

/** struct uv_channel - an event file. Object first: it lives in a file's handle table */
struct uv_channel {
	struct uv_obj obj;
	struct uv_channel *next;  /* of all channels */
	int fd;                   /* our end */
	ino_t user_ino;           /* of the user's end */
	bool omit;                /* DEVX event channel: cookies only, each once until it is read */

	/* where it matters who has read what: messages not known to be read, oldest first */
	struct uv_sub **sent;
	unsigned n_sent, room;
	unsigned cost;            /* of one message in socket memory, 0: not known yet */
};

/** struct uv_sub - who wants an event */
struct uv_sub {
	struct uv_sub *next;
	struct uv_dev *dev;
	struct uv_channel *channel;
	int eventfd;                 /* our duplicate, instead of messages; or -1 */
	const struct uv_obj *obj;    /* the DEVX object or verbs CQ it is about; NULL: the device */
	uint16_t event;              /* enum prm_event */
	uint32_t id;                 /* the object's number */
	uint64_t cookie;
	bool verbs;                  /* completion channel: the message is the cookie alone */
	uint32_t n_read;             /* messages of it that the user has read */
};

extern const struct uv_type uv_type_comp_channel, uv_type_async, uv_type_cmd_fd, uv_type_event_fd;

/** uv_channel_new - make a channel. @user_fd receives the user's end. Return: 0 or -errno */
int uv_channel_new(struct uv_file *file, const struct uv_type *type, struct uv_channel **ch,
		   int *user_fd);
/** uv_channel_free - for uv_type.destroy: drops its subscriptions too */
int uv_channel_free(struct uv_obj *obj);
/** uv_channel_send - a message. Return: 0, -EAGAIN: the user does not read, -EPIPE: he closed */
int uv_channel_send(struct uv_channel *ch, const void *msg, size_t bytes);
/** uv_channel_pending - bytes that the user, whose end is @user_fd, has not read */
uint64_t uv_channel_pending(int user_fd);

/** uv_sub_add - subscribe; @sub is copied, its eventfd ours from now on. Return: 0 or -ENOMEM */
int uv_sub_add(const struct uv_sub *sub);
/** uv_sub_drop - drop what is about @obj. Return: messages of it that the user has read */
uint32_t uv_sub_drop(const struct uv_obj *obj);

/** uv_event_dispatch - an EQE came. From the engine, with the adapter's lock held */
void uv_event_dispatch(struct uv_dev *dev, const struct prm_eqe *eqe);

/* The lock of everything here; a leaf. fork holds events still with it. */
void uv_event_lock(void);
void uv_event_unlock(void);

/* ---- between channel.c and event.c, lock held ------------------------------------- */

extern struct uv_channel *uv_channels;

/** uv_channel_send_tracked - as uv_channel_send, and remember whose message it is */
int uv_channel_send_tracked(struct uv_channel *ch, struct uv_sub *sub, const void *msg,
			    size_t bytes);
/** uv_channel_sync - find out what the user has read */
void uv_channel_sync(struct uv_channel *ch);
/** uv_channel_unread - is a message of @sub still unread? */
bool uv_channel_unread(const struct uv_channel *ch, const struct uv_sub *sub);
/** uv_subs_forget_channel - it is going */
void uv_subs_forget_channel(const struct uv_channel *ch);

#endif
