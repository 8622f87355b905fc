/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/files/cdev.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/emu.h"
#include "emu/uverbs/base/libc.h"

/*
 * An emulated uverbs file is a memory file. So mmap() of a UAR page returns shared memory, dup()
 * and descriptor passing work, and the inode identifies the uverbs file of a descriptor. The memory
 * file is sparse and covers every offset of uv_uar_get_offset(). Its size encodes the port.
 */
int uv_cdev_make(unsigned port, int flags, struct stat *st)
{
	const off_t bytes = ((off_t)1 << UV_CDEV_LOG_BYTES) + (off_t)port * 4096;
	char name[32];
	int fd;

	snprintf(name, sizeof(name), UV_CDEV_NAME "uverbs%u", port);
	fd = memfd_create(name, MFD_ALLOW_SEALING | (flags & O_CLOEXEC ? MFD_CLOEXEC : 0));
	if (fd < 0)
		return -errno;
	/* sealed against truncation: the engine would fault on a UAR page that is gone */
	if (ftruncate(fd, bytes) || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) ||
	    uv_real_fstat(fd, st) || fcntl(fd, F_SETFL, O_RDWR | (flags & O_NONBLOCK))) {
		const int rc = -errno;

		uv_real_close(fd);
		return rc;
	}
	return fd;
}

int uv_cdev_find_port(const struct stat *st)
{
	const off_t port = (st->st_size - ((off_t)1 << UV_CDEV_LOG_BYTES)) / 4096;

	return S_ISREG(st->st_mode) && !st->st_nlink && st->st_size % 4096 == 0 && port >= 0 &&
			       port < EMU_MAX_PORTS
		       ? (int)port
		       : -1;
}
