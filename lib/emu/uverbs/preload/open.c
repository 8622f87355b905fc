/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed open functions: open an emulated uverbs file by its path.
 */
#include "emu/uverbs/preload/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/preload/path.h"
#include "emu/uverbs/remote/client.h"

/* Returns the errno of an open() that would create @path in sysfs. */
static int find_parent_error(const char *path)
{
	char parent[UV_PATH_BYTES];
	struct stat st;

	snprintf(parent, sizeof(parent), "%.*s", (int)(strrchr(path, '/') - path), path);
	if (uv_real_fstatat(AT_FDCWD, parent, &st, 0))
		return errno;
	return S_ISDIR(st.st_mode) ? EACCES : ENOTDIR;
}

/*
 * Returns the errno of an open() that would change something in sysfs, or 0 if it may proceed. Even
 * root cannot write, because the files have no write function. Only root may pass O_TRUNC, which
 * requires write permission (build_open_flags). Source: Linux fs/namei.c, do_open and lookup_open;
 * fs/kernfs/file.c, kernfs_fop_open, which checks only the access mode.
 */
static int find_sysfs_error(const char *path, int flags)
{
	const bool writes = (flags & O_ACCMODE) != O_RDONLY;
	const bool exclusive = flags & O_CREAT && flags & O_EXCL;
	const int follow = exclusive || flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0;
	struct stat st;

	if (uv_real_fstatat(AT_FDCWD, path, &st, follow))
		return errno == ENOENT && flags & O_CREAT ? find_parent_error(path) : errno;
	if (exclusive)
		return EEXIST;
	if (S_ISLNK(st.st_mode))
		return 0; /* the kernel refuses to open the link */
	if (S_ISDIR(st.st_mode)) {
		if ((flags & O_TMPFILE) == O_TMPFILE)
			return EOPNOTSUPP;
		return writes || flags & (O_CREAT | O_TRUNC) ? EISDIR : 0;
	}
	if (flags & O_DIRECTORY)
		return ENOTDIR;
	return writes || (flags & O_TRUNC && geteuid()) ? EACCES : 0;
}

bool uv_open_serve(int dir, const struct uv_path *path, int flags, int *fd)
{
	int error, port;

	if (flags & O_PATH)
		return false;
	if (path->is_sysfs) {
		error = find_sysfs_error(path->file, flags);
		if (!error && !(flags & O_TRUNC))
			return false;
		/* Linux lets root open a file with O_TRUNC but does not truncate it. */
		*fd = error ? -1 : uv_real_open(path->file, flags & ~O_TRUNC, 0);
		if (error)
			errno = error;
		return true;
	}
	if (flags & O_DIRECTORY || (flags & O_CREAT && flags & O_EXCL))
		return false; /* cannot succeed; the kernel chooses the errno */
	port = uv_path_find_port(dir, path->file, flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0);
	if (port < 0)
		return false;
	*fd = uv_remote_open((unsigned)port, flags);
	if (*fd < 0) {
		errno = -*fd;
		*fd = -1;
	}
	return true;
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
/* Returns the result of @call, unless the front serves the open. */
#define SERVE_OR(dir, path, flags, call)                                                           \
	({                                                                                         \
		struct uv_path room;                                                               \
		int fd;                                                                            \
                                                                                                   \
		path = uv_path_translate(&room, path);                                             \
		return uv_open_serve(dir, &room, flags, &fd) ? fd : (call);                        \
	})

EXPORT int open(const char *path, int flags, ...)
{
	MODE_ARG(flags, flags, mode)
	SERVE_OR(AT_FDCWD, path, flags, REAL(open)(path, flags, mode));
}

EXPORT int open64(const char *path, int flags, ...)
{
	MODE_ARG(flags, flags, mode)
	SERVE_OR(AT_FDCWD, path, flags, REAL(open64)(path, flags, mode));
}

EXPORT int openat(int dir, const char *path, int flags, ...)
{
	MODE_ARG(flags, flags, mode)
	SERVE_OR(dir, path, flags, REAL(openat)(dir, path, flags, mode));
}

EXPORT int openat64(int dir, const char *path, int flags, ...)
{
	MODE_ARG(flags, flags, mode)
	SERVE_OR(dir, path, flags, REAL(openat64)(dir, path, flags, mode));
}

enum { CREAT_FLAGS = O_CREAT | O_WRONLY | O_TRUNC };

EXPORT int creat(const char *path, mode_t mode)
{
	SERVE_OR(AT_FDCWD, path, CREAT_FLAGS, REAL(creat)(path, mode));
}

EXPORT int creat64(const char *path, mode_t mode)
{
	SERVE_OR(AT_FDCWD, path, CREAT_FLAGS, REAL(creat64)(path, mode));
}

/* Programs built with _FORTIFY_SOURCE call these names when they pass no mode. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);

EXPORT int __open_2(const char *path, int flags)
{
	SERVE_OR(AT_FDCWD, path, flags, REAL(__open_2)(path, flags));
}

EXPORT int __open64_2(const char *path, int flags)
{
	SERVE_OR(AT_FDCWD, path, flags, REAL(__open64_2)(path, flags));
}

EXPORT int __openat_2(int dir, const char *path, int flags)
{
	SERVE_OR(dir, path, flags, REAL(__openat_2)(dir, path, flags));
}

EXPORT int __openat64_2(int dir, const char *path, int flags)
{
	SERVE_OR(dir, path, flags, REAL(__openat64_2)(dir, path, flags));
}
