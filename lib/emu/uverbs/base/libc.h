/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_LIBC_H
#define EMU_UVERBS_BASE_LIBC_H

#include <sys/stat.h>
#include <sys/types.h>

/**
 * DOC: libc behind the names that we interpose
 *
 * What this library itself needs of them goes here, past its own wrappers.
 */

/* A uverbs file has this many bytes, and 4096 more for every port before it. */
enum { UV_CDEV_LOG_BYTES = 37 };

int uv_real_open(const char *path, int flags, mode_t mode);
int uv_real_close(int fd);
int uv_real_fstat(int fd, struct stat *st);
int uv_real_ioctl(int fd, unsigned long cmd, void *arg);
void *uv_real_mmap(void *addr, size_t bytes, int prot, int flags, int fd, off_t off);

/**
 * uv_cdev_port - the port whose uverbs file this is
 * @st: of a descriptor, as the kernel gave it
 *
 * The size of the memory file says so; that works in every process that got hold of one.
 *
 * Return: the port, or -1: not one of ours
 */
int uv_cdev_port(const struct stat *st);

#endif
