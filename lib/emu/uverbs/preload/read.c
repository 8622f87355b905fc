/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed read and write functions: read messages of event files, refuse uverbs files.
 *
 * For an unmarked descriptor the functions call libc at once. Signal handlers may do that, so
 * find_functions() looks libc's functions up before the program runs. A signal handler must not
 * read an event file, because that takes the event lock.
 */
#include <errno.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "emu/uverbs/base/fds.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/events/message_queue.h"
#include "emu/uverbs/files/cdev.h"
#include "emu/uverbs/files/file.h"
#include "emu/uverbs/remote/client.h"
#include "emu/uverbs/remote/pipes.h"

/* Programs built with _FORTIFY_SOURCE call this name. */
ssize_t __read_chk(int fd, void *buf, size_t bytes, size_t room);

/* In Linux, a uverbs file has no read(), and no library uses its write() any more. */
static bool is_uverbs_file(const struct stat *st)
{
	return S_ISREG(st->st_mode) && uv_cdev_find_port(st) >= 0;
}

/* Return: as Linux' read(), or -errno; -ENOTTY: not a file of the front */
static ssize_t read_marked(int fd, void *buf, size_t bytes)
{
	struct stat st;
	ssize_t n;

	if (uv_real_fstat(fd, &st))
		return -ENOTTY;
	if (is_uverbs_file(&st))
		return -EINVAL;
	if (!S_ISFIFO(st.st_mode))
		return -ENOTTY;
	n = uv_queue_read(fd, &st, true, buf, bytes);
	return n == -ENOTTY && uv_pipe_exists(&st) ? uv_remote_read(fd, &st, buf, bytes) : n;
}

/*
 * Reads one message into each element, until a message is shorter than its element.
 * Source: Linux fs/read_write.c, function do_loop_readv_writev.
 */
static ssize_t readv_marked(int fd, const struct iovec *iov, int n)
{
	ssize_t total = 0;

	for (int i = 0; i < n; i++) {
		const ssize_t rc = read_marked(fd, iov[i].iov_base, iov[i].iov_len);

		if (rc < 0)
			return total ? total : rc;
		total += rc;
		if ((size_t)rc != iov[i].iov_len)
			break;
	}
	return total;
}

static ssize_t set_errno(ssize_t rc)
{
	if (rc >= 0)
		return rc;
	errno = (int)-rc;
	return -1;
}

EXPORT ssize_t read(int fd, void *buf, size_t bytes)
{
	const ssize_t rc = uv_fd_is_marked(fd) ? read_marked(fd, buf, bytes) : -ENOTTY;

	return rc == -ENOTTY ? REAL(read)(fd, buf, bytes) : set_errno(rc);
}

EXPORT ssize_t __read_chk(int fd, void *buf, size_t bytes, size_t room)
{
	const ssize_t rc =
		uv_fd_is_marked(fd) && bytes <= room ? read_marked(fd, buf, bytes) : -ENOTTY;

	return rc == -ENOTTY ? REAL(__read_chk)(fd, buf, bytes, room) : set_errno(rc);
}

EXPORT ssize_t readv(int fd, const struct iovec *iov, int n)
{
	const ssize_t rc = uv_fd_is_marked(fd) && n > 0 ? readv_marked(fd, iov, n) : -ENOTTY;

	return rc == -ENOTTY ? REAL(readv)(fd, iov, n) : set_errno(rc);
}

static bool refuses_write(int fd)
{
	struct stat st;

	return uv_fd_is_marked(fd) && !uv_real_fstat(fd, &st) && is_uverbs_file(&st);
}

/*
 * Only the process that opened the file may write to it, because a child of fork has credentials
 * of its own. Source: Linux drivers/infiniband/core/uverbs_main.c, ib_uverbs_write.
 */
static int get_refusal(int fd)
{
	const struct uv_file *file;
	int rc;

	uv_front_lock();
	file = uv_file_find(fd);
	rc = file && file->opened_here ? -EINVAL : -EACCES;
	uv_front_unlock();
	return rc;
}

EXPORT ssize_t write(int fd, const void *buf, size_t bytes)
{
	return refuses_write(fd) ? set_errno(get_refusal(fd)) : REAL(write)(fd, buf, bytes);
}

EXPORT ssize_t writev(int fd, const struct iovec *iov, int n)
{
	return refuses_write(fd) ? set_errno(get_refusal(fd)) : REAL(writev)(fd, iov, n);
}

__attribute__((constructor)) static void find_functions(void)
{
	const struct iovec none = { NULL, 0 };

	(void)read(-1, NULL, 0);
	(void)readv(-1, &none, 0);
	(void)write(-1, NULL, 0);
	(void)writev(-1, &none, 0);
}
