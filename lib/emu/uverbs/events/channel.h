/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_EVENTS_CHANNEL_H
#define EMU_UVERBS_EVENTS_CHANNEL_H

#include "emu/uverbs/base/types.h"

/**
 * DOC: Channels
 *
 * A channel is one end of a SOCK_SEQPACKET pair; the user has the other end, whose read,
 * poll, epoll and O_NONBLOCK are the kernel's own: one read is one message.
 *
 * Where this differs from mlx5_ib: a read into a short buffer truncates the message (Linux:
 * EINVAL or ENOSPC, and it stays); what does not fit the socket (some 200 KiB) is lost.
 */

/** struct uv_channel - an event file. Object first: it lives in a file's handle table */
struct uv_channel {
	struct uv_obj obj;
	struct uv_channel *next; /* of all channels */
	int fd;                  /* our end */
	ino_t user_ino;          /* of the user's end */
	bool omit;               /* DEVX event channel: cookies only, each once until it is read */

	/*
	 * Where it matters who has read what: messages not known to be read, oldest first. Of
	 * each the counter that counts it once it is read, or NULL.
	 */
	uint32_t **sent;
	unsigned n_sent, room;
	unsigned cost; /* of one message in socket memory, 0: not known yet */
};

/* The lock of everything in this folder; a leaf. fork holds events still with it. */
void uv_event_lock(void);
void uv_event_unlock(void);

/** uv_channel_open - make a channel. @user_fd receives the user's end. Return: 0 or -errno */
int uv_channel_open(struct uv_file *file, const struct uv_type *type, struct uv_channel **ch,
		    int *user_fd);
/** uv_channel_send - a message. Return: 0, -EAGAIN: the user does not read, -EPIPE: he closed */
int uv_channel_send(struct uv_channel *ch, const void *msg, size_t bytes);
/** uv_channel_count_unread - bytes that the user, whose end is @user_fd, has not read */
uint64_t uv_channel_count_unread(int user_fd);
/** uv_channel_find - the channel of @type behind the user's descriptor. Return: 0 or -EBADF */
int uv_channel_find(struct uv_file *file, int fd, const struct uv_type *type, struct uv_obj **obj);

/* ---- lock held ---------------------------------------------------------------------- */

extern struct uv_channel *uv_channels;

/** uv_channel_unlist - take it off the list of all channels */
void uv_channel_unlist(struct uv_channel *ch);
/** uv_channel_send_tracked - as uv_channel_send; @n_read counts the message when it is read */
int uv_channel_send_tracked(struct uv_channel *ch, uint32_t *n_read, const void *msg, size_t bytes);
/** uv_channel_sync - find out what the user has read */
void uv_channel_sync(struct uv_channel *ch);
/** uv_channel_has_unread - is a message still unread that @n_read would count? */
bool uv_channel_has_unread(const struct uv_channel *ch, const uint32_t *n_read);
/** uv_channel_untrack - @n_read is going: no message is counted there any more */
void uv_channel_untrack(struct uv_channel *ch, const uint32_t *n_read);

#endif
