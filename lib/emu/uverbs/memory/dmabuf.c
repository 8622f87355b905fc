/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/memory/dmabuf.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "emu/uverbs/base/libc.h"

/* Returns true if @fd is a memfd with the name of the stand-in. */
static bool is_stand_in(int fd)
{
	static const char name[] = "/memfd:" UV_DMABUF_STAND_IN " (deleted)";
	char path[32], target[sizeof(name)];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, target, sizeof(target));
	return n == sizeof(name) - 1 && !memcmp(target, name, (size_t)n);
}

/* Every dma-buf is in the kernel's file system of dma-bufs: Linux drivers/dma-buf/dma-buf.c. */
int uv_dmabuf_get_size(int fd, uint64_t *bytes)
{
	struct statfs fs;
	struct stat st;

	if (fd < 0 || uv_real_fstat(fd, &st) || fstatfs(fd, &fs))
		return -EBADF;
	if (fs.f_type != DMA_BUF_MAGIC && !is_stand_in(fd))
		return -EINVAL;
	*bytes = (uint64_t)st.st_size;
	return 0;
}
