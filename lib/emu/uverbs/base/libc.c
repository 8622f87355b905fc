/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/base/libc.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

int uv_real_open(const char *path, int flags, mode_t mode)
{
	return REAL(open)(path, flags, mode);
}
int uv_real_close(int fd)
{
	return REAL(close)(fd);
}
int uv_real_sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	return REAL(sigaction)(sig, act, old);
}
int uv_real_fstat(int fd, struct stat *st)
{
	return REAL(fstat)(fd, st);
}
int uv_real_fstatat(int dir, const char *path, struct stat *st, int flags)
{
	return REAL(fstatat)(dir, path, st, flags);
}
int uv_real_ioctl(int fd, unsigned long cmd, void *arg)
{
	return REAL(ioctl)(fd, cmd, arg);
}

void *uv_real_mmap(void *addr, size_t bytes, int prot, int flags, int fd, off_t off)
{
	return REAL(mmap)(addr, bytes, prot, flags, fd, off);
}

ssize_t uv_real_read(int fd, void *buf, size_t bytes)
{
	return REAL(read)(fd, buf, bytes);
}
ssize_t uv_real_write(int fd, const void *buf, size_t bytes)
{
	return REAL(write)(fd, buf, bytes);
}
int uv_real_munmap(void *addr, size_t bytes)
{
	return REAL(munmap)(addr, bytes);
}
