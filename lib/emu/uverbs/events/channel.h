/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_EVENTS_CHANNEL_H
#define EMU_UVERBS_EVENTS_CHANNEL_H

#include "emu/uverbs/base/types.h"

/**
 * DOC: Channels
 *
 * A channel is one end of a SOCK_SEQPACKET socket pair. The user has the other end, so the host
 * kernel itself serves read, poll, epoll and O_NONBLOCK. One read returns one message.
 *
 * Two differences from mlx5_ib: A read into a buffer that is too short truncates the message
 * (Linux: EINVAL or ENOSPC, and the message stays). A message is lost when the socket is full
 * (about 200 KiB unread).
 */

/** struct uv_channel - an event file. @obj is first, because a uverbs file owns the channel */
struct uv_channel {
	struct uv_obj obj;
	struct uv_channel *next; /* list of all channels of the process */
	int fd;                  /* the front's end of the socket pair */
	ino_t user_ino;          /* inode of the user's end */
	bool omit; /* messages are cookies only, at most one unread message per subscription */

	/*
	 * Tracked messages that were unread when uv_channel_sync() looked last, oldest first. An
	 * entry points to the counter that counts the message once it is read, or is NULL.
	 */
	uint32_t **sent;
	unsigned n_sent, room;
	unsigned cost; /* socket memory of one message in bytes, 0: not measured yet */
};

/*
 * The event lock protects all state of this folder. Code that holds it takes no other lock. fork()
 * takes it, so that the child finds no half-delivered event.
 */
void uv_event_lock(void);
void uv_event_unlock(void);

/** uv_channel_open - create a channel. @user_fd receives the user's end. Return: 0 or -errno */
int uv_channel_open(struct uv_file *file, const struct uv_type *type, struct uv_channel **ch,
		    int *user_fd);
/**
 * uv_channel_send - send a message to the user
 *
 * Return: 0; -EAGAIN: the socket is full of unread messages; -EPIPE: the user closed his end
 */
int uv_channel_send(struct uv_channel *ch, const void *msg, size_t bytes);
/** uv_channel_count_unread - count the unread bytes at the user's end @user_fd */
uint64_t uv_channel_count_unread(int user_fd);
/**
 * uv_channel_find - find the channel whose user's end is @fd
 * @type: type of the channel, or NULL for any type
 *
 * Return: 0, or -EBADF: no such channel
 */
int uv_channel_find(struct uv_file *file, int fd, const struct uv_type *type, struct uv_obj **obj);

/* ---- the caller holds the event lock ------------------------------------------------ */

extern struct uv_channel *uv_channels;

/** uv_channel_unlist - remove @ch from uv_channels */
void uv_channel_unlist(struct uv_channel *ch);
/**
 * uv_channel_send_tracked - send a message to the user, and count in *@n_read that he read it
 *
 * The first uv_channel_sync() after he has read the message increments *@n_read.
 *
 * Return: as uv_channel_send(), or -ENOMEM
 */
int uv_channel_send_tracked(struct uv_channel *ch, uint32_t *n_read, const void *msg, size_t bytes);
/** uv_channel_sync - count the tracked messages that the user has read since the last call */
void uv_channel_sync(struct uv_channel *ch);
/** uv_channel_has_unread - tell whether a message that @n_read tracks is unread */
bool uv_channel_has_unread(const struct uv_channel *ch, const uint32_t *n_read);
/** uv_channel_untrack - forget @n_read, which the caller is about to free */
void uv_channel_untrack(struct uv_channel *ch, const uint32_t *n_read);

#endif
