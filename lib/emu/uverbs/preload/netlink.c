/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed sendto() and sendmsg() on netlink sockets.
 *
 * sendto() hides the generic netlink family "ethtool", which would describe the TAP, not the port.
 * ethtool looks the family up with sendto(), through libmnl. It then falls back to ioctl
 * SIOCETHTOOL, as on a kernel without CONFIG_ETHTOOL_NETLINK.
 *
 * Both functions serve RDMA netlink: libnl sends with sendmsg(), libmnl with sendto().
 *
 * libnl and iproute2 send rtnetlink requests with sendmsg(). When a request that changes a netdev
 * returns, Linux has changed the netdev and mlx5_core has updated the device; so the front updates
 * its port after such a request.
 */
#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/preload/rdma_netlink.h"
#include "emu/uverbs/device/netdev.h"
#include "emu/uverbs/device/dev.h"

/* struct question - lookup of a family's number, as libmnl sends it */
struct question {
	struct nlmsghdr message;
	struct genlmsghdr generic;
	struct nlattr attribute;
	char family[sizeof(ETHTOOL_GENL_NAME)];
};

static bool asks_for_ethtool(int fd, const struct question *q)
{
	return q->message.nlmsg_type == GENL_ID_CTRL && q->generic.cmd == CTRL_CMD_GETFAMILY &&
	       q->attribute.nla_type == CTRL_ATTR_FAMILY_NAME &&
	       !memcmp(q->family, ETHTOOL_GENL_NAME, sizeof(q->family)) &&
	       uv_netlink_is(fd, NETLINK_GENERIC);
}

static ssize_t set_errno(ssize_t rc)
{
	if (rc >= 0)
		return rc;
	errno = (int)-rc;
	return -1;
}

EXPORT ssize_t sendto(int fd, const void *buf, size_t bytes, int flags, __CONST_SOCKADDR_ARG to,
		      socklen_t to_bytes)
{
	enum { MOST_BYTES = sizeof(struct question) + 8 };
	union {
		struct question question;
		char bytes[MOST_BYTES];
	} changed;
	struct iovec v = { (void *)(uintptr_t)buf, bytes };
	const ssize_t taken =
		uv_rdma_netlink_send(fd, &(struct msghdr){ .msg_iov = &v, .msg_iovlen = 1 });

	if (taken != -ENOTTY)
		return set_errno(taken);
	if (bytes < sizeof(struct question) || bytes > MOST_BYTES || !uv_is_launched() ||
	    !uv_has_netdev())
		return REAL(sendto)(fd, buf, bytes, flags, to, to_bytes);
	memcpy(changed.bytes, buf, bytes);
	if (!asks_for_ethtool(fd, &changed.question))
		return REAL(sendto)(fd, buf, bytes, flags, to, to_bytes);
	changed.question.family[0] = '-'; /* the kernel has no such family and answers ENOENT */
	return REAL(sendto)(fd, changed.bytes, bytes, flags, to, to_bytes);
}

static bool changes_netdev(int fd, const struct msghdr *msg)
{
	struct nlmsghdr head;

	if (!msg || msg->msg_iovlen < 1 || msg->msg_iov[0].iov_len < sizeof(head))
		return false;
	memcpy(&head, msg->msg_iov[0].iov_base, sizeof(head));
	return (head.nlmsg_type == RTM_NEWLINK || head.nlmsg_type == RTM_SETLINK ||
		head.nlmsg_type == RTM_NEWNEIGH || head.nlmsg_type == RTM_DELNEIGH) &&
	       uv_netlink_is(fd, NETLINK_ROUTE);
}

EXPORT ssize_t sendmsg(int fd, const struct msghdr *msg, int flags)
{
	const ssize_t taken = uv_rdma_netlink_send(fd, msg);
	ssize_t sent;

	if (taken != -ENOTTY)
		return set_errno(taken);
	sent = REAL(sendmsg)(fd, msg, flags);
	if (sent > 0 && uv_is_launched() && changes_netdev(fd, msg))
		uv_mirror_refresh();
	return sent;
}
