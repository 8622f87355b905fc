/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_FDS_H
#define EMU_UVERBS_BASE_FDS_H

#include <sys/types.h>

/*
 * Open descriptors of this process, from /proc/self/fd.
 */

/** uv_fds_walk - call @take for each descriptor, until it returns not 0. Return: its last result */
int uv_fds_walk(int (*take)(int fd, void *arg), void *arg);
/**
 * uv_fds_find - find a descriptor of the file with @dev and @ino
 * @except: a number that does not count, or -1
 *
 * Return: -1: none
 */
int uv_fds_find(dev_t dev, ino_t ino, int except);

#endif
