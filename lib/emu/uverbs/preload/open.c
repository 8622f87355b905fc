/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed open functions: open an emulated uverbs file by its path.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/preload/export.h"
#include "emu/uverbs/preload/path.h"
#include "emu/uverbs/remote/client.h"

/* Opens the uverbs file of a port. Return: a descriptor, or -1 with errno, as open() */
static int open_cdev(int port, int flags)
{
	const int fd = uv_remote_open((unsigned)port, flags);

	if (fd >= 0)
		return fd;
	errno = -fd;
	return -1;
}

#define NEEDS_MODE(flags) ((flags)&O_CREAT || ((flags)&O_TMPFILE) == O_TMPFILE)
#define MODE_ARG(flags, last, mode)                                                                \
	mode_t mode = 0;                                                                           \
	if (NEEDS_MODE(flags)) {                                                                   \
		va_list args;                                                                      \
		va_start(args, last);                                                              \
		mode = va_arg(args, mode_t);                                                       \
		va_end(args);                                                                      \
	}

EXPORT int open(const char *path, int flags, ...)
{
	const int port = uv_path_find_port(path);
	MODE_ARG(flags, flags, mode)

	return port >= 0 ? open_cdev(port, flags) : REAL(open)(path, flags, mode);
}

EXPORT int open64(const char *path, int flags, ...)
{
	const int port = uv_path_find_port(path);
	MODE_ARG(flags, flags, mode)

	return port >= 0 ? open_cdev(port, flags) : REAL(open64)(path, flags, mode);
}

EXPORT int openat(int dir, const char *path, int flags, ...)
{
	const int port = uv_path_find_port(path);
	MODE_ARG(flags, flags, mode)

	return port >= 0 ? open_cdev(port, flags) : REAL(openat)(dir, path, flags, mode);
}

EXPORT int openat64(int dir, const char *path, int flags, ...)
{
	const int port = uv_path_find_port(path);
	MODE_ARG(flags, flags, mode)

	return port >= 0 ? open_cdev(port, flags) : REAL(openat64)(dir, path, flags, mode);
}

/* Programs built with _FORTIFY_SOURCE call these names when they pass no mode. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);

EXPORT int __open_2(const char *path, int flags)
{
	const int port = uv_path_find_port(path);

	return port >= 0 ? open_cdev(port, flags) : REAL(__open_2)(path, flags);
}

EXPORT int __open64_2(const char *path, int flags)
{
	const int port = uv_path_find_port(path);

	return port >= 0 ? open_cdev(port, flags) : REAL(__open64_2)(path, flags);
}

EXPORT int __openat_2(int dir, const char *path, int flags)
{
	const int port = uv_path_find_port(path);

	return port >= 0 ? open_cdev(port, flags) : REAL(__openat_2)(dir, path, flags);
}

EXPORT int __openat64_2(int dir, const char *path, int flags)
{
	const int port = uv_path_find_port(path);

	return port >= 0 ? open_cdev(port, flags) : REAL(__openat64_2)(dir, path, flags);
}
