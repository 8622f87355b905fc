/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stat: a uverbs file is a character device.
 */
#undef _FILE_OFFSET_BITS /* open() is open() here, not another name for open64() */
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

static void be_cdev(struct stat *st, int port)
{
	st->st_mode = S_IFCHR | 0666;
	st->st_rdev = makedev(EMU_CDEV_MAJOR, EMU_CDEV_MINOR + (unsigned)port);
	st->st_size = 0;
	st->st_nlink = 1;
}

static void stat_path(struct stat *st, int port)
{
	memset(st, 0, sizeof(*st));
	st->st_uid = geteuid();
	st->st_gid = getegid();
	st->st_blksize = 4096;
	be_cdev(st, port);
}

/* struct stat64 is struct stat where we build; one body serves both names. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "64-bit hosts");

static int fix_fstat(int rc, struct stat *st)
{
	const int port = rc || !uv_active() ? -1 : uv_cdev_port(st);

	if (port >= 0)
		be_cdev(st, port);
	return rc;
}

#define STAT_BY_PATH(name, struct_)							\
	EXPORT int name(const char *restrict path, struct struct_ *restrict st)		\
	{										\
		const int port = uv_port_of_path(path);					\
											\
		if (port < 0)								\
			return REAL(name)(path, st);					\
		stat_path((struct stat *)st, port);					\
		return 0;								\
	}
STAT_BY_PATH(stat, stat)
STAT_BY_PATH(stat64, stat64)
STAT_BY_PATH(lstat, stat)
STAT_BY_PATH(lstat64, stat64)

EXPORT int fstat(int fd, struct stat *st)
{
	return fix_fstat(REAL(fstat)(fd, st), st);
}

EXPORT int fstat64(int fd, struct stat64 *st)
{
	return fix_fstat(REAL(fstat64)(fd, st), (struct stat *)st);
}

#define STAT_AT(name, struct_)								\
	EXPORT int name(int dir, const char *restrict path, struct struct_ *restrict st, \
			int flags)							\
	{										\
		const int port = uv_port_of_path(path);					\
											\
		if (port < 0)								\
			return fix_fstat(REAL(name)(dir, path, st, flags), (struct stat *)st); \
		stat_path((struct stat *)st, port);					\
		return 0;								\
	}
STAT_AT(fstatat, stat)
STAT_AT(fstatat64, stat64)

/* Programs built before glibc 2.33 come by these names. */
int __xstat(int ver, const char *path, struct stat *st);
int __xstat64(int ver, const char *path, struct stat64 *st);
int __fxstat(int ver, int fd, struct stat *st);
int __fxstat64(int ver, int fd, struct stat64 *st);

#define XSTAT(name, struct_)								\
	EXPORT int name(int ver, const char *path, struct struct_ *st)			\
	{										\
		const int port = uv_port_of_path(path);					\
											\
		if (port < 0)								\
			return REAL(name)(ver, path, st);				\
		stat_path((struct stat *)st, port);					\
		return 0;								\
	}
XSTAT(__xstat, stat)
XSTAT(__xstat64, stat64)

EXPORT int __fxstat(int ver, int fd, struct stat *st)
{
	return fix_fstat(REAL(__fxstat)(ver, fd, st), st);
}

EXPORT int __fxstat64(int ver, int fd, struct stat64 *st)
{
	return fix_fstat(REAL(__fxstat64)(ver, fd, st), (struct stat *)st);
}
