/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed stat functions: show an emulated uverbs file as a character device.
 */
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/device/process.h"
#include "emu/uverbs/files/cdev.h"
#include "emu/uverbs/preload/export.h"
#include "emu/uverbs/preload/path.h"
#include "emu/uverbs/shared.h"

static void fill_cdev(struct stat *st, int port)
{
	st->st_mode = S_IFCHR | 0666;
	st->st_rdev = makedev(EMU_CDEV_MAJOR, EMU_CDEV_MINOR + (unsigned)port);
	st->st_size = 0;
	st->st_nlink = 1;
}

/* Fills @st if @path names an emulated uverbs file. Return: false for every other path */
static bool stat_cdev_path(const char *path, struct stat *st)
{
	const int port = uv_path_find_port(path);

	if (port < 0)
		return false;
	memset(st, 0, sizeof(*st));
	st->st_uid = geteuid();
	st->st_gid = getegid();
	st->st_blksize = 4096;
	fill_cdev(st, port);
	return true;
}

/* struct stat64 equals struct stat on 64-bit hosts, so one function serves both names. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "64-bit hosts");

static int fix_fstat(int rc, struct stat *st)
{
	const int port = rc || !uv_is_launched() ? -1 : uv_cdev_find_port(st);

	if (port >= 0)
		fill_cdev(st, port);
	return rc;
}

EXPORT int stat(const char *restrict path, struct stat *restrict st)
{
	return stat_cdev_path(path, st) ? 0 : REAL(stat)(path, st);
}

EXPORT int stat64(const char *restrict path, struct stat64 *restrict st)
{
	return stat_cdev_path(path, (struct stat *)st) ? 0 : REAL(stat64)(path, st);
}

EXPORT int lstat(const char *restrict path, struct stat *restrict st)
{
	return stat_cdev_path(path, st) ? 0 : REAL(lstat)(path, st);
}

EXPORT int lstat64(const char *restrict path, struct stat64 *restrict st)
{
	return stat_cdev_path(path, (struct stat *)st) ? 0 : REAL(lstat64)(path, st);
}

EXPORT int fstat(int fd, struct stat *st)
{
	return fix_fstat(REAL(fstat)(fd, st), st);
}

EXPORT int fstat64(int fd, struct stat64 *st)
{
	return fix_fstat(REAL(fstat64)(fd, st), (struct stat *)st);
}

EXPORT int fstatat(int dir, const char *restrict path, struct stat *restrict st, int flags)
{
	return stat_cdev_path(path, st) ? 0 : fix_fstat(REAL(fstatat)(dir, path, st, flags), st);
}

EXPORT int fstatat64(int dir, const char *restrict path, struct stat64 *restrict st, int flags)
{
	return stat_cdev_path(path, (struct stat *)st)
		       ? 0
		       : fix_fstat(REAL(fstatat64)(dir, path, st, flags), (struct stat *)st);
}

/* Programs built with a glibc older than 2.33 call these names. */
int __xstat(int ver, const char *path, struct stat *st);
int __xstat64(int ver, const char *path, struct stat64 *st);
int __fxstat(int ver, int fd, struct stat *st);
int __fxstat64(int ver, int fd, struct stat64 *st);

EXPORT int __xstat(int ver, const char *path, struct stat *st)
{
	return stat_cdev_path(path, st) ? 0 : REAL(__xstat)(ver, path, st);
}

EXPORT int __xstat64(int ver, const char *path, struct stat64 *st)
{
	return stat_cdev_path(path, (struct stat *)st) ? 0 : REAL(__xstat64)(ver, path, st);
}

EXPORT int __fxstat(int ver, int fd, struct stat *st)
{
	return fix_fstat(REAL(__fxstat)(ver, fd, st), st);
}

EXPORT int __fxstat64(int ver, int fd, struct stat64 *st)
{
	return fix_fstat(REAL(__fxstat64)(ver, fd, st), (struct stat *)st);
}
