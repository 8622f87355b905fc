/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed sendmsg(): a request of rtnetlink to change a netdev. When the call returns, Linux has
 * changed the netdev, and mlx5_core the device. libnl and iproute2 send requests so.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/device/netdev.h"
#include "emu/uverbs/device/process.h"
#include "emu/uverbs/preload/export.h"
#include "emu/uverbs/preload/netdev_change.h"
#include "emu/uverbs/preload/rdma_netlink.h"

void uv_netdev_changed(void)
{
	const int saved = errno;

	uv_front_lock();
	uv_mirror_refresh();
	uv_front_unlock();
	errno = saved;
}

static bool is_route_netlink(int fd)
{
	int domain = 0, protocol = -1;
	socklen_t bytes = sizeof(int);

	return !getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &bytes) && domain == AF_NETLINK &&
	       !getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &bytes) &&
	       protocol == NETLINK_ROUTE;
}

static bool changes_netdev(int fd, const struct msghdr *msg)
{
	struct nlmsghdr head;

	if (!msg || msg->msg_iovlen < 1 || msg->msg_iov[0].iov_len < sizeof(head))
		return false;
	memcpy(&head, msg->msg_iov[0].iov_base, sizeof(head));
	return (head.nlmsg_type == RTM_NEWLINK || head.nlmsg_type == RTM_SETLINK) &&
	       is_route_netlink(fd);
}

EXPORT ssize_t sendmsg(int fd, const struct msghdr *msg, int flags)
{
	const bool change = uv_is_launched() && changes_netdev(fd, msg);
	ssize_t sent = uv_rdma_netlink_send(fd, msg);

	if (sent == -ENOTTY) {
		sent = REAL(sendmsg)(fd, msg, flags);
	} else if (sent < 0) {
		errno = (int)-sent;
		sent = -1;
	}

	if (change && sent > 0)
		uv_netdev_changed();
	return sent;
}
