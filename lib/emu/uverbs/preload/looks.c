/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed functions that take a path and do not return one: the table looks.def.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/preload/path.h"
#include "emu/uverbs/preload/descriptor.h"

typedef int (*filter_fn)(const struct dirent *entry);
typedef int (*filter64_fn)(const struct dirent64 *entry);
typedef int (*order_fn)(const struct dirent **a, const struct dirent **b);
typedef int (*order64_fn)(const struct dirent64 **a, const struct dirent64 **b);

/* Programs built with a glibc older than 2.33 call these names. */
int __xstat(int version, const char *path, struct stat *st);
int __xstat64(int version, const char *path, struct stat64 *st);
int __lxstat(int version, const char *path, struct stat *st);
int __lxstat64(int version, const char *path, struct stat64 *st);
int __fxstatat(int version, int dir, const char *path, struct stat *st, int flags);
int __fxstatat64(int version, int dir, const char *path, struct stat64 *st, int flags);
int __xmknod(int version, const char *path, mode_t mode, dev_t *dev);
int __xmknodat(int version, int dir, const char *path, mode_t mode, dev_t *dev);

/* No user can create, remove or rename files in sysfs. Source: Linux fs/kernfs. */
static bool refuse_change(const struct uv_path *path)
{
	if (path->is_sysfs)
		errno = EPERM;
	return path->is_sysfs;
}

/* As refuse_change(), for two names. Names on two file systems fail with EXDEV. */
static bool refuse_both(const struct uv_path *from, const struct uv_path *path)
{
	const struct uv_path *second = from->is_sysfs ? path : from;

	if (!from->is_sysfs && !path->is_sysfs)
		return false;
	errno = second->is_sysfs || !strncmp(second->file, "/sys/", 5) ? EPERM : EXDEV;
	return true;
}

#define LOOK(type, name, parameters, arguments)                                                    \
	EXPORT type name parameters                                                                \
	{                                                                                          \
		struct uv_path room;                                                               \
                                                                                                   \
		path = uv_path_translate(&room, path);                                             \
		return REAL(name) arguments;                                                       \
	}
#define SHOW(name, parameters, arguments)                                                          \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		struct uv_path room;                                                               \
                                                                                                   \
		path = uv_path_translate(&room, path);                                             \
		return uv_stat_show(REAL(name) arguments, (struct stat *)st);                      \
	}
#define CHANGE(name, parameters, arguments)                                                        \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		struct uv_path room;                                                               \
                                                                                                   \
		path = uv_path_translate(&room, path);                                             \
		return refuse_change(&room) ? -1 : REAL(name) arguments;                           \
	}
#define CHANGE_BOTH(name, parameters, arguments)                                                   \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		struct uv_path room, room_from;                                                    \
                                                                                                   \
		from = uv_path_translate(&room_from, from);                                        \
		path = uv_path_translate(&room, path);                                             \
		return refuse_both(&room_from, &room) ? -1 : REAL(name) arguments;                 \
	}
#include "emu/uverbs/preload/looks.def"
