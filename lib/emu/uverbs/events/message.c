/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/events/message_queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/base/user_memory.h"

void uv_message_set_readable(struct uv_queue *q, bool readable)
{
	char byte = 0;
	ssize_t n;

	if (q->has_byte == readable || q->fd < 0)
		return;
	q->has_byte = readable;
	/* neither blocks; the read fails only if the user took the byte with a raw system call */
	n = readable ? uv_real_write(q->fd, &byte, 1) : uv_real_read(q->fd, &byte, 1);
	(void)n;
}

void uv_message_wake_readers(struct uv_queue *q)
{
	const uint64_t n = q->n_blocked;

	if (n && uv_real_write(q->wake, &n, sizeof(n)) < 0)
		return; /* the eventfd is at its maximum, which is enough to wake all readers */
}

int uv_queue_push(struct uv_queue *q, uint32_t *n_read, const void *data, size_t bytes,
		  uint64_t weight)
{
	struct uv_message *m = malloc(sizeof(*m) + bytes);

	if (!m) {
		q->overflow = true;
		return -ENOMEM;
	}
	*m = (struct uv_message){ .n_read = n_read, .weight = weight, .bytes = bytes };
	memcpy(m->data, data, bytes);
	*q->tail = m;
	q->tail = &m->next;
	q->in_use += weight;
	uv_message_set_readable(q, true);
	uv_message_wake_readers(q);
	return 0;
}

/* Removes the message at @at from the list. */
static struct uv_message *unlink_message(struct uv_queue *q, struct uv_message **at)
{
	struct uv_message *m = *at;

	*at = m->next;
	if (!*at)
		q->tail = at;
	q->in_use -= m->weight;
	if (!q->head)
		uv_message_set_readable(q, false);
	return m;
}

int uv_message_take(struct uv_queue *q, size_t room, struct uv_message **m)
{
	if (q->head->bytes > room)
		return q->kind == UV_QUEUE_COMMAND ? -ENOSPC : -EINVAL;
	*m = unlink_message(q, &q->head);
	if ((*m)->n_read)
		++*(*m)->n_read;
	return 0;
}

/* If the user's buffer is a bad address, the message is lost, as in Linux. */
ssize_t uv_message_deliver(struct uv_message *m, void *buf)
{
	const int rc = uv_copy_to_user((uintptr_t)buf, m->data, m->bytes);
	const ssize_t bytes = (ssize_t)m->bytes;

	free(m);
	return rc ? rc : bytes;
}

void uv_message_drop_all(struct uv_queue *q)
{
	while (q->head)
		free(unlink_message(q, &q->head));
}

bool uv_queue_has_unread(const struct uv_queue *q, const uint32_t *n_read)
{
	const struct uv_message *m = q->head;

	while (m && m->n_read != n_read)
		m = m->next;
	return m;
}

void uv_queue_forget(struct uv_queue *q, const uint32_t *n_read, bool drop)
{
	for (struct uv_message **at = &q->head; *at;) {
		if ((*at)->n_read == n_read && drop) {
			free(unlink_message(q, at));
			continue;
		}
		if ((*at)->n_read == n_read)
			(*at)->n_read = NULL;
		at = &(*at)->next;
	}
}
