/* SPDX-License-Identifier: BSD-3-Clause
 *
 * read() of an event file whose messages are in another process.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <rdma/ib_user_verbs.h>
#include <unistd.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/base/user_memory.h"
#include "emu/uverbs/events/event.h"
#include "emu/uverbs/remote/client.h"
#include "emu/uverbs/remote/owner.h"
#include "emu/uverbs/remote/pipes.h"

/* The owner has ended: the asynchronous event file reports it once; other reads fail with EIO. */
static ssize_t report_loss(struct uv_pipe *p, void *buf, size_t bytes)
{
	const struct ib_uverbs_async_event_desc desc = { .event_type = UV_EVENT_DEVICE_FATAL };

	if (p->kind != UV_QUEUE_ASYNC || p->told)
		return -EIO;
	if (bytes < sizeof(desc))
		return -EINVAL;
	p->told = true;
	return uv_copy_to_user((uintptr_t)buf, &desc, sizeof(desc)) ? -EFAULT
								    : (ssize_t)sizeof(desc);
}

/* Does not wait. Not a cancellation point, because it holds a lock. Return: as read() */
static ssize_t read_now(int fd, const struct stat *st, void *buf, size_t bytes)
{
	const struct uv_rpc m = { .kind = UV_RPC_READ, .arg = { bytes }, .n_fds = 1, .fd = { fd } };
	struct uv_pipe *p;
	struct uv_rpc answer = { 0 };
	ssize_t rc = -ENOTTY;
	int cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	uv_front_lock();
	p = uv_pipe_find(st);
	if (p) {
		rc = uv_owner_connect() ? -EIO : uv_owner_call(&m, &answer);
		if (rc == -EIO)
			rc = report_loss(p, buf, bytes);
	}
	uv_front_unlock();
	if (!rc && answer.bytes > bytes)
		rc = -EIO;
	if (!rc)
		rc = uv_copy_to_user((uintptr_t)buf, answer.body, answer.bytes)
			     ? -EFAULT
			     : (ssize_t)answer.bytes;
	uv_rpc_clear(&answer);
	pthread_setcancelstate(cancel, NULL);
	return rc;
}

static void close_pipe(void *ends)
{
	const int *fd = ends;

	uv_real_close(fd[0]);
	uv_real_close(fd[1]);
}

/*
 * Waits for the byte that the pipe contains while a message is available, and leaves it there.
 * Uses tee(), because a signal interrupts it under the same conditions as a read(), unlike poll().
 * A waiting thread can be cancelled. Return: 0 or -errno
 */
static int wait_for_message(int fd)
{
	int other[2], rc;

	if (pipe2(other, O_CLOEXEC))
		return -errno;
	pthread_cleanup_push(close_pipe, other);
	rc = tee(fd, other[1], 1, 0) < 0 ? -errno : 0;
	pthread_cleanup_pop(1);
	return rc;
}

ssize_t uv_remote_read(int fd, const struct stat *st, void *buf, size_t bytes)
{
	const bool nonblock = fcntl(fd, F_GETFL) & O_NONBLOCK;
	ssize_t rc;

	while ((rc = read_now(fd, st, buf, bytes)) == -EAGAIN && !nonblock) {
		const int waited = wait_for_message(fd);

		if (waited)
			return waited;
	}
	return rc;
}
