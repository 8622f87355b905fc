/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>

#include "devx/core/fail.h"
#include "devx/core/fd.h"

int devx_fd_set_nonblocking(struct devx_dev *dev, int fd, const char *what)
{
	const int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0)
		return devx_fail_sys(dev, errno, "cannot make the descriptor of %s non-blocking",
				     what);
	return 0;
}

bool devx_fd_is_readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) > 0;
}
