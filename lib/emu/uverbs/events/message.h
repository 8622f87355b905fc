/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_EVENTS_MESSAGE_H
#define EMU_UVERBS_EVENTS_MESSAGE_H

#include "emu/uverbs/events/message_queue.h"

/** struct uv_message - an unread message */
struct uv_message {
	struct uv_message *next;
	uint32_t *n_read; /* counter of read messages, or NULL */
	uint64_t weight;
	size_t bytes;
	uint8_t data[];
};

/* The caller holds the event lock, except for uv_message_deliver(). */

/** uv_message_set_readable - put the byte into the pipe, or take it out */
void uv_message_set_readable(struct uv_queue *q, bool readable);
/** uv_message_wake_readers - wake the threads that wait in uv_queue_read() */
void uv_message_wake_readers(struct uv_queue *q);
/**
 * uv_message_take - take the oldest message, which must exist, out of the queue
 * @room: size of the user's buffer
 *
 * Return: 0; -ENOSPC or -EINVAL, by the kind of the queue: the message is longer, and stays
 */
int uv_message_take(struct uv_queue *q, size_t room, struct uv_message **m);
/** uv_message_deliver - copy a taken message to the user and free it. Return: length or -EFAULT */
ssize_t uv_message_deliver(struct uv_message *m, void *buf);
/** uv_message_find_queue - queue of a descriptor. Return: NULL: no event file */
struct uv_queue *uv_message_find_queue(const struct stat *st);
/** uv_message_free_queue - free a queue that has no owner, descriptor and reader; or do nothing */
void uv_message_free_queue(struct uv_queue *q);
/** uv_message_drop_all - free all messages */
void uv_message_drop_all(struct uv_queue *q);

#endif
