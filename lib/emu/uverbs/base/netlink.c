/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/base/netlink.h"

#include <sys/socket.h>

bool uv_netlink_is(int fd, int protocol)
{
	int domain = 0, found = -1;
	socklen_t bytes = sizeof(int);

	return !getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &bytes) && domain == AF_NETLINK &&
	       !getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &found, &bytes) && found == protocol;
}
