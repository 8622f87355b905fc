/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_REMOTE_CLIENT_H
#define EMU_UVERBS_REMOTE_CLIENT_H

#include <sys/stat.h>

#include "emu/uverbs/base/types.h"
#include "emu/uverbs/events/message_queue.h"

/**
 * DOC: A device whose adapter another process owns
 *
 * preload/ calls these functions for uverbs files and event files of such a device. When the owner
 * ends, the device is gone as after its removal: every call fails with EIO, and the asynchronous
 * event file reports DEVICE_FATAL. In Linux no process owns the device, so it would stay.
 */

/**
 * uv_remote_open - open the uverbs file of a port. Takes uv_front_lock()
 *
 * If no process owns the adapter, this one becomes the owner.
 *
 * Return: a descriptor, or -errno
 */
int uv_remote_open(unsigned port, int flags);

/** uv_remote_ioctl - execute an ioctl of a uverbs file. Lock held. Return: 0 or -errno */
int uv_remote_ioctl(int fd, void *arg);

/**
 * uv_remote_check_map - ask the owner whether a page of a uverbs file may be mapped. Lock held
 *
 * Return: 0, and the owner counts the mapping until uv_remote_unmapped(); or -errno
 */
int uv_remote_check_map(int fd, uint64_t off, size_t bytes, int prot, int flags);
/** uv_remote_unmapped - report to the owner that the program unmapped a page. Lock held */
void uv_remote_unmapped(const struct uv_file *file, uint64_t off);

/**
 * uv_remote_read - read an event file, as read(). Takes uv_front_lock()
 *
 * Return: length of the message; -ENOTTY: no such event file; else -errno of read()
 */
ssize_t uv_remote_read(int fd, const struct stat *st, void *buf, size_t bytes);
/** uv_remote_reap - report files that have no descriptor left to the owner. Lock held */
void uv_remote_reap(void);

#endif
