/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/events/message_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "emu/uverbs/base/fds.h"
#include "emu/uverbs/base/libc.h"

static struct uv_queue *queues;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void uv_event_lock(void)
{
	pthread_mutex_lock(&lock);
}
void uv_event_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

bool uv_queue_has_any(void)
{
	return __atomic_load_n(&queues, __ATOMIC_RELAXED);
}

/* ---- create --------------------------------------------------------------------- */

/* Opens the pipe again, for both ends: the new descriptor has its own non-blocking mode. */
static int open_both_ends(int user_fd)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", user_fd);
	return uv_real_open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC, 0);
}

static int make_pipe(struct uv_queue *q, int *user_fd)
{
	struct stat st;
	int ends[2], rc;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	q->fd = open_both_ends(ends[0]);
	rc = q->fd < 0 || uv_real_fstat(ends[0], &st) ? -errno : 0;
	uv_real_close(ends[1]);
	if (rc) {
		if (q->fd >= 0)
			uv_real_close(q->fd);
		uv_real_close(ends[0]);
		return rc;
	}
	q->pipe_dev = st.st_dev;
	q->pipe_ino = st.st_ino;
	*user_fd = ends[0];
	return 0;
}

int uv_queue_open(enum uv_queue_kind kind, void *owner, struct uv_queue **out, int *user_fd)
{
	struct uv_queue *q = calloc(1, sizeof(*q));
	int rc;

	if (!q)
		return -ENOMEM;
	q->kind = kind;
	q->owner = owner;
	q->wake = -1;
	q->tail = &q->head;
	rc = make_pipe(q, user_fd);
	if (rc) {
		free(q);
		return rc;
	}
	uv_fd_mark(*user_fd);
	uv_event_lock();
	q->next = queues;
	__atomic_store_n(&queues, q, __ATOMIC_RELAXED);
	uv_event_unlock();
	*out = q;
	return 0;
}

/* ---- find, close and free -------------------------------------------------------- */

struct uv_queue *uv_message_find_queue(const struct stat *st)
{
	struct uv_queue *q = S_ISFIFO(st->st_mode) ? queues : NULL;

	while (q && (q->pipe_ino != st->st_ino || q->pipe_dev != st->st_dev))
		q = q->next;
	return q;
}

void *uv_queue_find(const struct stat *st)
{
	const struct uv_queue *q = uv_message_find_queue(st);

	return q ? q->owner : NULL;
}

int uv_queue_get_kind(const struct stat *st)
{
	const struct uv_queue *q;
	int kind;

	uv_event_lock();
	q = uv_message_find_queue(st);
	kind = q ? (int)q->kind : -1;
	uv_event_unlock();
	return kind;
}

bool uv_queue_exists(const struct stat *st)
{
	return S_ISFIFO(st->st_mode) && uv_queue_get_kind(st) >= 0;
}

void uv_message_free_queue(struct uv_queue *q)
{
	struct uv_queue **at = &queues;

	if (q->owner || !q->gone || q->n_readers)
		return;
	while (*at != q)
		at = &(*at)->next;
	__atomic_store_n(at, q->next, __ATOMIC_RELAXED);
	if (q->fd >= 0)
		uv_real_close(q->fd);
	q->fd = -1;
	if (q->wake >= 0)
		uv_real_close(q->wake);
	uv_message_drop_all(q);
	free(q);
}

/*
 * Closes the pipe, so poll() reports POLLHUP. Linux reports POLLERR for UV_QUEUE_COMP, and POLLIN
 * with POLLRDHUP for the others.
 */
static void end_queue(struct uv_queue *q)
{
	uv_message_drop_all(q);
	if (q->kind != UV_QUEUE_COMP)
		uv_message_set_readable(q, true);
	uv_real_close(q->fd);
	q->fd = -1;
	uv_message_wake_readers(q);
}

void uv_queue_close(struct uv_queue *q)
{
	q->owner = NULL;
	if (q->kind != UV_QUEUE_ASYNC)
		end_queue(q);
	uv_message_free_queue(q);
}

void *uv_queue_reap(void)
{
	void *owner = NULL;

	uv_event_lock();
	for (struct uv_queue *q = queues, *next; q && !owner; q = next) {
		next = q->next;
		if (!q->gone && uv_fds_find(q->pipe_dev, q->pipe_ino, q->fd) < 0) {
			q->gone = true;
			owner = q->owner;
			uv_message_free_queue(q);
		}
	}
	uv_event_unlock();
	return owner;
}

void uv_queue_forget_all(void (*left)(dev_t dev, ino_t ino, enum uv_queue_kind kind))
{
	while (queues) {
		struct uv_queue *q = queues;

		if (!q->gone)
			left(q->pipe_dev, q->pipe_ino, q->kind);
		q->owner = NULL;
		q->gone = true;
		q->n_readers = 0; /* the child does not have the reading threads */
		uv_message_free_queue(q);
	}
}
