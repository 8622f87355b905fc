/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_EVENTS_CHANNEL_H
#define EMU_UVERBS_EVENTS_CHANNEL_H

#include "emu/uverbs/base/types.h"
#include "emu/uverbs/events/message_queue.h"

/** struct uv_channel - an event file */
struct uv_channel {
	struct uv_obj obj;
	struct uv_channel *next; /* list of all channels of the process */
	struct uv_queue *queue;
	bool omit; /* messages are cookies without data, at most one unread per subscription */
};

/** uv_channel_open - create a channel. @user_fd receives the user's end. Return: 0 or -errno */
int uv_channel_open(struct uv_file *file, const struct uv_type *type, enum uv_queue_kind kind,
		    struct uv_channel **ch, int *user_fd);
/** uv_channel_discard - close @user_fd and destroy a channel that the user has not received */
void uv_channel_discard(struct uv_channel *ch, int user_fd);
/** uv_channel_reap - destroy channels without descriptors. The caller holds uv_front_lock() */
void uv_channel_reap(void);
/** uv_channel_send - send a message to the user. Return: 0 or -ENOMEM */
int uv_channel_send(struct uv_channel *ch, const void *msg, size_t bytes, uint64_t weight);
/** uv_channel_get_in_use - sum of the weights of the unread messages */
uint64_t uv_channel_get_in_use(const struct uv_channel *ch);
/**
 * uv_channel_find - find the channel of @file whose user's end is @fd
 * @type: type of the channel, or NULL for any type
 *
 * Return: 0, or -EBADF: no such channel
 */
int uv_channel_find(struct uv_file *file, int fd, const struct uv_type *type, struct uv_obj **obj);

/* ---- the caller holds the event lock ------------------------------------------------ */

extern struct uv_channel *uv_channels;

/** uv_channel_unlist - remove @ch from uv_channels, and close its queue */
void uv_channel_unlist(struct uv_channel *ch);

#endif
