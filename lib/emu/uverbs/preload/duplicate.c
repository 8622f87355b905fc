/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed libc functions that duplicate a descriptor: dup, dup2, dup3, fcntl. The duplicate
 * inherits the mark of the original.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

#include "emu/uverbs/base/fds.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/preload/descriptor.h"

static int copy_mark(int from, int to)
{
	if (to >= 0 && uv_fd_is_marked(from))
		uv_fd_mark(to);
	return to;
}

EXPORT int dup(int fd)
{
	return copy_mark(fd, REAL(dup)(fd));
}

/* Finishes dup2() or dup3(), which closed @to on success. @ours: @to was a file of the front */
static int finish_duplicate(int from, int to, bool ours, int rc)
{
	if (ours && rc < 0)
		uv_fd_mark(to);
	else if (ours)
		uv_descriptor_reap();
	return copy_mark(from, rc);
}

/* If both descriptors are the same, dup2() changes nothing. */
EXPORT int dup2(int from, int to)
{
	const bool ours = from != to && uv_descriptor_drop(to);

	return finish_duplicate(from, to, ours, REAL(dup2)(from, to));
}

EXPORT int dup3(int from, int to, int flags)
{
	const bool ours = from != to && uv_descriptor_drop(to);

	return finish_duplicate(from, to, ours, REAL(dup3)(from, to, flags));
}

#define LAST_ARG(cmd, arg)                                                                         \
	void *arg;                                                                                 \
	va_list args;                                                                              \
	va_start(args, cmd);                                                                       \
	arg = va_arg(args, void *);                                                                \
	va_end(args);

EXPORT int fcntl(int fd, int cmd, ...)
{
	LAST_ARG(cmd, arg)
	const int rc = REAL(fcntl)(fd, cmd, arg);

	return cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC ? copy_mark(fd, rc) : rc;
}

EXPORT int fcntl64(int fd, int cmd, ...)
{
	LAST_ARG(cmd, arg)
	const int rc = REAL(fcntl64)(fd, cmd, arg);

	return cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC ? copy_mark(fd, rc) : rc;
}
