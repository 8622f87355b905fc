/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed stat functions that take a descriptor, and statx. looks.def has those with a path.
 */
#include "emu/uverbs/preload/descriptor.h"

#include <sys/sysmacros.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/device/dev.h"
#include "emu/uverbs/files/cdev.h"
#include "emu/uverbs/preload/path.h"

/* On 64-bit hosts, struct stat64 has the layout of struct stat, so one function serves both. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "64-bit hosts");

int uv_stat_show(int rc, struct stat *st)
{
	int port;

	if (rc || !uv_is_launched())
		return rc;
	port = uv_cdev_find_port(st);
	if (port >= 0) { /* an open uverbs file, which is a memory file */
		st->st_dev = uv_front.shared->port[port].node_fs;
		st->st_ino = uv_front.shared->port[port].node_inode;
		st->st_mode = 0666;
		st->st_nlink = 1;
	} else {
		port = uv_path_find_node(st->st_dev, st->st_ino);
	}
	if (port < 0)
		return 0;
	st->st_mode = S_IFCHR | (st->st_mode & 07777);
	st->st_rdev = makedev(EMU_CDEV_MAJOR, EMU_CDEV_MINOR + (unsigned)port);
	st->st_size = 0;
	return 0;
}

EXPORT int fstat(int fd, struct stat *st)
{
	return uv_stat_show(REAL(fstat)(fd, st), st);
}

EXPORT int fstat64(int fd, struct stat64 *st)
{
	return uv_stat_show(REAL(fstat64)(fd, st), (struct stat *)st);
}

/* Programs built with a glibc older than 2.33 call these names. */
int __fxstat(int ver, int fd, struct stat *st);
int __fxstat64(int ver, int fd, struct stat64 *st);

EXPORT int __fxstat(int ver, int fd, struct stat *st)
{
	return uv_stat_show(REAL(__fxstat)(ver, fd, st), st);
}

EXPORT int __fxstat64(int ver, int fd, struct stat64 *st)
{
	return uv_stat_show(REAL(__fxstat64)(ver, fd, st), (struct stat *)st);
}

EXPORT int statx(int dir, const char *restrict path, int flags, unsigned mask,
		 struct statx *restrict result)
{
	struct uv_path room;
	struct stat st = { 0 };
	int rc;

	path = uv_path_translate(&room, path);
	rc = REAL(statx)(dir, path, flags, mask, result);
	if (rc)
		return rc;
	st.st_dev = makedev(result->stx_dev_major, result->stx_dev_minor);
	st.st_ino = result->stx_ino;
	st.st_mode = result->stx_mode;
	st.st_nlink = result->stx_nlink;
	st.st_size = (off_t)result->stx_size;
	uv_stat_show(0, &st);
	result->stx_ino = st.st_ino;
	result->stx_dev_major = major(st.st_dev);
	result->stx_dev_minor = minor(st.st_dev);
	result->stx_mode = (uint16_t)st.st_mode;
	result->stx_nlink = (uint32_t)st.st_nlink;
	result->stx_size = (uint64_t)st.st_size;
	if (st.st_rdev) {
		result->stx_rdev_major = major(st.st_rdev);
		result->stx_rdev_minor = minor(st.st_rdev);
	}
	return 0;
}
