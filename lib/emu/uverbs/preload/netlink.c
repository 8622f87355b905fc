/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed sendto(): hides the family "ethtool" of generic netlink, which would show the TAP and
 * not the port. A program then uses ioctl SIOCETHTOOL, as on a kernel without ethtool netlink
 * (CONFIG_ETHTOOL_NETLINK). ethtool asks for the family by sendto(), through libmnl.
 */
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/device/process.h"
#include "emu/uverbs/preload/export.h"

/* struct question - a request for the number of a family, as libmnl sends it */
struct question {
	struct nlmsghdr message;
	struct genlmsghdr generic;
	struct nlattr attribute;
	char family[sizeof(ETHTOOL_GENL_NAME)];
};

static bool is_generic_netlink(int fd)
{
	int domain = 0, protocol = 0;
	socklen_t bytes = sizeof(int);

	return !getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &bytes) && domain == AF_NETLINK &&
	       !getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &bytes) &&
	       protocol == NETLINK_GENERIC;
}

static bool has_netdev(void)
{
	for (unsigned i = 0; i < uv_front.shared->n_ports; i++)
		if (uv_front.shared->port[i].ifname[0])
			return true;
	return false;
}

static bool asks_for_ethtool(int fd, const struct question *q)
{
	return q->message.nlmsg_type == GENL_ID_CTRL && q->generic.cmd == CTRL_CMD_GETFAMILY &&
	       q->attribute.nla_type == CTRL_ATTR_FAMILY_NAME &&
	       !memcmp(q->family, ETHTOOL_GENL_NAME, sizeof(q->family)) && is_generic_netlink(fd);
}

EXPORT ssize_t sendto(int fd, const void *buf, size_t bytes, int flags, __CONST_SOCKADDR_ARG to,
		      socklen_t to_bytes)
{
	enum { MOST_BYTES = sizeof(struct question) + 8 };
	union {
		struct question question;
		char bytes[MOST_BYTES];
	} changed;

	if (bytes < sizeof(struct question) || bytes > MOST_BYTES || !uv_is_launched() ||
	    !has_netdev())
		return REAL(sendto)(fd, buf, bytes, flags, to, to_bytes);
	memcpy(changed.bytes, buf, bytes);
	if (!asks_for_ethtool(fd, &changed.question))
		return REAL(sendto)(fd, buf, bytes, flags, to, to_bytes);
	changed.question.family[0] = '-'; /* the kernel has no such family and answers ENOENT */
	return REAL(sendto)(fd, changed.bytes, bytes, flags, to, to_bytes);
}
