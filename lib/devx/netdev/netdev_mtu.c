/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>

#include "devx/core/fail.h"
#include "devx/netdev.h"

/* Reads IFLA_MAX_MTU from the kernel's answer, because libnl 3.7 does not parse this attribute. */
static int take_max_mtu(struct nl_msg *msg, void *arg)
{
	uint32_t *mtu = arg;
	const struct nlattr *attr =
		nlmsg_find_attr(nlmsg_hdr(msg), sizeof(struct ifinfomsg), IFLA_MAX_MTU);

	if (attr)
		*mtu = nla_get_u32(attr);
	return NL_OK;
}

/* Returns 0, or an error of libnl. */
static int ask_kernel(struct devx_dev *dev, struct nl_sock *sock, uint32_t *mtu)
{
	struct nl_msg *msg;
	int nle = rtnl_link_build_get_request(0, dev->netdev, &msg);

	if (nle)
		return nle;
	nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_CUSTOM, take_max_mtu, mtu);
	nle = nl_send_auto(sock, msg);
	nlmsg_free(msg);
	return nle < 0 ? nle : nl_recvmsgs_default(sock);
}

int devx_netdev_get_max_mtu(struct devx_dev *dev, uint32_t *mtu)
{
	uint32_t max = 0;
	struct nl_sock *sock;
	int nle;

	if (!dev->netdev[0])
		return devx_fail(dev, -ENODEV,
				 "%s has no network interface in this network namespace",
				 dev->ibdev);
	sock = nl_socket_alloc();
	nle = sock ? nl_connect(sock, NETLINK_ROUTE) : -NLE_NOMEM;
	if (!nle)
		nle = ask_kernel(dev, sock, &max);
	nl_socket_free(sock);
	if (nle < 0)
		return devx_fail(dev, nle == -NLE_NODEV ? -ENODEV : -EIO,
				 "cannot read the highest MTU of network interface %s: %s",
				 dev->netdev, nl_geterror(nle));
	*mtu = max && max < DEVX_NETDEV_MTU_MAX ? max : DEVX_NETDEV_MTU_MAX;
	return 0;
}
