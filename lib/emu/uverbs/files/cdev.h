/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_FILES_CDEV_H
#define EMU_UVERBS_FILES_CDEV_H

#include <sys/stat.h>
#include <sys/types.h>

/* A uverbs file has this many bytes, and 4096 more for every port before it. */
enum { UV_CDEV_LOG_BYTES = 37 };

/**
 * uv_cdev_make - make the memory file that stands for a character device
 * @flags: of open()
 * @ino: receives its inode
 *
 * Return: a descriptor, or -errno
 */
int uv_cdev_make(unsigned port, int flags, ino_t *ino);

/**
 * uv_cdev_find_port - the port whose uverbs file this is
 * @st: of a descriptor, as the kernel gave it
 *
 * The size of the memory file says so; that works in every process that got hold of one.
 *
 * Return: the port, or -1: not one of ours
 */
int uv_cdev_find_port(const struct stat *st);

#endif
