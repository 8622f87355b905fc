/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_FD_H
#define DEVX_FD_H

#include <stdbool.h>

#include "devx/dev.h"

/**
 * DOC: Descriptors of events
 *
 * Internal to the library. The descriptors of event channels and of the verbs context are all
 * read without blocking.
 */

/** devx_fd_set_nonblocking - set O_NONBLOCK; @what names @fd in the reason. Return: 0 or -errno */
int devx_fd_set_nonblocking(struct devx_dev *dev, int fd, const char *what);

/** devx_fd_is_readable - tell whether poll(2) reports that @fd is readable; does not wait */
bool devx_fd_is_readable(int fd);

#endif
