/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed functions that return a path: the target of a link, a resolved path, the working
 * directory.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/preload/path.h"

/* Programs built with _FORTIFY_SOURCE call these names. */
ssize_t __readlink_chk(const char *path, char *target, size_t bytes, size_t room_bytes);
ssize_t __readlinkat_chk(int dir, const char *path, char *target, size_t bytes, size_t room_bytes);
char *__realpath_chk(const char *path, char *resolved, size_t room_bytes);
char *__getcwd_chk(char *path, size_t bytes, size_t room_bytes);
char *__getwd_chk(char *path, size_t room_bytes);

static ssize_t restore_target(char *target, ssize_t bytes)
{
	return bytes < 0 ? bytes : (ssize_t)uv_path_restore(target, (size_t)bytes);
}

static char *restore_name(char *name)
{
	if (name)
		name[uv_path_restore(name, strlen(name))] = '\0';
	return name;
}

EXPORT ssize_t readlink(const char *restrict path, char *restrict target, size_t bytes)
{
	struct uv_path room;

	path = uv_path_translate(&room, path);
	return restore_target(target, REAL(readlink)(path, target, bytes));
}

EXPORT ssize_t readlinkat(int dir, const char *restrict path, char *restrict target, size_t bytes)
{
	struct uv_path room;

	path = uv_path_translate(&room, path);
	return restore_target(target, REAL(readlinkat)(dir, path, target, bytes));
}

EXPORT ssize_t __readlink_chk(const char *path, char *target, size_t bytes, size_t room_bytes)
{
	struct uv_path room;

	path = uv_path_translate(&room, path);
	return restore_target(target, REAL(__readlink_chk)(path, target, bytes, room_bytes));
}

EXPORT ssize_t __readlinkat_chk(int dir, const char *path, char *target, size_t bytes,
				size_t room_bytes)
{
	struct uv_path room;

	path = uv_path_translate(&room, path);
	return restore_target(target, REAL(__readlinkat_chk)(dir, path, target, bytes, room_bytes));
}

EXPORT char *realpath(const char *restrict path, char *restrict resolved)
{
	struct uv_path room;

	path = uv_path_translate(&room, path);
	return restore_name(REAL(realpath)(path, resolved));
}

EXPORT char *__realpath_chk(const char *path, char *resolved, size_t room_bytes)
{
	struct uv_path room;

	path = uv_path_translate(&room, path);
	return restore_name(REAL(__realpath_chk)(path, resolved, room_bytes));
}

EXPORT char *canonicalize_file_name(const char *path)
{
	struct uv_path room;

	path = uv_path_translate(&room, path);
	return restore_name(REAL(canonicalize_file_name)(path));
}

EXPORT char *getcwd(char *path, size_t bytes)
{
	return restore_name(REAL(getcwd)(path, bytes));
}

EXPORT char *__getcwd_chk(char *path, size_t bytes, size_t room_bytes)
{
	return restore_name(REAL(__getcwd_chk)(path, bytes, room_bytes));
}

EXPORT char *get_current_dir_name(void)
{
	return restore_name(REAL(get_current_dir_name)());
}

EXPORT char *getwd(char *path)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
	return restore_name(REAL(getwd)(path));
#pragma GCC diagnostic pop
}

EXPORT char *__getwd_chk(char *path, size_t room_bytes)
{
	return restore_name(REAL(__getwd_chk)(path, room_bytes));
}
