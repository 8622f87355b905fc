/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed functions that open a stream, and truncate.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/preload/descriptor.h"
#include "emu/uverbs/preload/path.h"

/* Converts the mode of fopen() to flags of open(), without O_TRUNC and O_APPEND. */
static int convert_mode(const char *mode)
{
	const int access = strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;

	return access | (*mode == 'r' ? 0 : O_CREAT) | (strchr(mode, 'x') ? O_EXCL : 0) |
	       (strchr(mode, 'e') ? O_CLOEXEC : 0);
}

typedef FILE *(*fopen_fn)(const char *path, const char *mode);

static FILE *open_stream(const char *path, const char *mode, fopen_fn real)
{
	struct uv_path room;
	FILE *stream;
	int fd;

	path = uv_path_translate(&room, path);
	if (!uv_open_serve(AT_FDCWD, &room, convert_mode(mode), &fd))
		return real(path, mode);
	stream = fd < 0 ? NULL : fdopen(fd, mode);
	if (fd >= 0 && !stream)
		close(fd);
	return stream;
}

EXPORT FILE *fopen(const char *restrict path, const char *restrict mode)
{
	return open_stream(path, mode, REAL(fopen));
}

EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode)
{
	return open_stream(path, mode, REAL(fopen64));
}

typedef FILE *(*freopen_fn)(const char *path, const char *mode, FILE *stream);

/* libc's freopen() needs a path, so it gets the /proc link of the descriptor. */
static FILE *reopen_stream(const char *path, const char *mode, FILE *stream, freopen_fn real)
{
	struct uv_path room;
	char link[32];
	int fd;

	path = uv_path_translate(&room, path);
	if (!uv_open_serve(AT_FDCWD, &room, convert_mode(mode), &fd))
		return real(path, mode, stream);
	if (fd < 0) {
		const int error = errno;

		real("", mode, stream); /* closes the stream, as every failed freopen() */
		errno = error;
		return NULL;
	}
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	stream = real(link, mode, stream);
	close(fd);
	return stream;
}

EXPORT FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
	return reopen_stream(path, mode, stream, REAL(freopen));
}

EXPORT FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
	return reopen_stream(path, mode, stream, REAL(freopen64));
}

/* Truncating a sysfs file succeeds without effect. Source: Linux fs/kernfs/inode.c. */
static int truncate_sysfs(const char *path)
{
	struct stat st;

	if (uv_real_fstatat(AT_FDCWD, path, &st, 0))
		return -1;
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	return eaccess(path, W_OK);
}

EXPORT int truncate(const char *path, off_t bytes)
{
	struct uv_path room;

	path = uv_path_translate(&room, path);
	return room.is_sysfs ? truncate_sysfs(path) : REAL(truncate)(path, bytes);
}

EXPORT int truncate64(const char *path, off64_t bytes)
{
	struct uv_path room;

	path = uv_path_translate(&room, path);
	return room.is_sysfs ? truncate_sysfs(path) : REAL(truncate64)(path, bytes);
}
