/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_FD_H
#define DEVX_FD_H

#include "devx/dev.h"

/**
 * DOC: Descriptors of events
 *
 * Internal to the library. The descriptors of event channels and of the verbs context are all
 * read without blocking.
 */

/** devx_fd_set_nonblocking - set O_NONBLOCK; @what names @fd in the reason. Return: 0 or -errno */
int devx_fd_set_nonblocking(struct devx_dev *dev, int fd, const char *what);

/**
 * devx_fd_explain_read - find why a read from an event descriptor failed
 * @fd: the descriptor
 * @err: errno of the read
 *
 * A channel of Linux whose device was removed is readable, but a read returns EAGAIN. poll(2)
 * tells it from an empty one: POLLRDHUP of a DEVX channel, POLLERR of a verbs context.
 *
 * Return: -EIO if the device was removed, else -@err.
 */
int devx_fd_explain_read(int fd, int err);

#endif
