/* SPDX-License-Identifier: BSD-3-Clause
 *
 * read() of an event file.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>

#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/events/message_queue.h"

/*
 * Decides what read() of an empty queue does. Returns 0 to wait, -EAGAIN or -EIO. Kinds of queues
 * differ in whether O_NONBLOCK or the end of the event file takes precedence.
 */
static int check_empty(const struct uv_queue *q, bool nonblock, bool may_wait)
{
	const bool ended = !q->owner && q->kind != UV_QUEUE_ASYNC;

	if (ended && (q->kind == UV_QUEUE_COMP || !nonblock))
		return -EIO;
	return nonblock || !may_wait ? -EAGAIN : 0;
}

static void abandon_wait(void *queue)
{
	struct uv_queue *q = queue;

	uv_event_lock();
	q->n_blocked--;
	q->n_readers--;
	uv_message_free_queue(q);
	uv_event_unlock();
}

/*
 * Waits for uv_message_wake_readers(), without the event lock. Waits in read() of libc: signals
 * interrupt or restart it, and a thread that waits can be cancelled.
 */
static int wait_for_message(struct uv_queue *q)
{
	uint64_t one;
	ssize_t n;
	int rc;

	if (q->wake < 0)
		q->wake = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	if (q->wake < 0)
		return -ENOMEM;
	q->n_blocked++;
	uv_event_unlock();
	pthread_cleanup_push(abandon_wait, q);
	n = uv_real_read(q->wake, &one, sizeof(one));
	rc = n < 0 ? -errno : 0;
	pthread_cleanup_pop(0);
	uv_event_lock();
	q->n_blocked--;
	return rc;
}

/* Waits until the queue has a message. Return: 0 or -errno */
static int await_message(struct uv_queue *q, int fd, bool may_wait)
{
	const bool nonblock = fcntl(fd, F_GETFL) & O_NONBLOCK; /* fd may be closed after the wait */
	int rc = 0;

	if (q->overflow && q->kind == UV_QUEUE_EVENT) {
		q->overflow = false;
		return -EOVERFLOW;
	}
	while (!rc && !q->head) {
		rc = check_empty(q, nonblock, may_wait);
		if (!rc)
			rc = wait_for_message(q);
	}
	return rc;
}

ssize_t uv_queue_read(int fd, const struct stat *st, bool may_wait, void *buf, size_t bytes)
{
	struct uv_message *m = NULL;
	struct uv_queue *q;
	ssize_t rc;

	uv_event_lock();
	q = uv_message_find_queue(st);
	if (!q) {
		uv_event_unlock();
		return -ENOTTY;
	}
	q->n_readers++;
	rc = await_message(q, fd, may_wait);
	if (!rc)
		rc = uv_message_take(q, bytes, &m);
	q->n_readers--;
	uv_message_free_queue(q);
	uv_event_unlock();
	return rc ? rc : uv_message_deliver(m, buf);
}
