/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx/core/dev_parts.h"

#include <linux/netlink.h>
#include <net/if.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <rdma/rdma_netlink.h>
#include <stdint.h>
#include <string.h>

enum { PORT = 1 };

/* struct search - the device to look for, and the results */
struct search {
	const char *ibdev;
	bool has_device, has_netdev; /* device and ifindex are valid */
	uint32_t device, ifindex;
};

static int take_device(struct nl_msg *msg, void *arg)
{
	struct search *s = arg;
	struct nlattr *name = nlmsg_find_attr(nlmsg_hdr(msg), 0, RDMA_NLDEV_ATTR_DEV_NAME);
	struct nlattr *number = nlmsg_find_attr(nlmsg_hdr(msg), 0, RDMA_NLDEV_ATTR_DEV_INDEX);

	if (name && number && nla_len(number) >= (int)sizeof(s->device) &&
	    !nla_strcmp(name, s->ibdev)) {
		s->device = nla_get_u32(number);
		s->has_device = true;
	}
	return NL_OK;
}

static int take_port(struct nl_msg *msg, void *arg)
{
	struct search *s = arg;
	struct nlattr *index = nlmsg_find_attr(nlmsg_hdr(msg), 0, RDMA_NLDEV_ATTR_NDEV_INDEX);

	if (index && nla_len(index) >= (int)sizeof(s->ifindex)) {
		s->ifindex = nla_get_u32(index);
		s->has_netdev = true;
	}
	return NL_OK;
}

/* Sends @msg and passes each answer to @take. Returns 0 or a negative NLE_*. */
static int exchange_messages(struct nl_sock *sock, struct nl_msg *msg, nl_recvmsg_msg_cb_t take,
			     struct search *s)
{
	int nle = nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_CUSTOM, take, s);

	if (!nle)
		nle = nl_send_auto(sock, msg);
	return nle < 0 ? nle : nl_recvmsgs_default(sock);
}

static int find_device(struct nl_sock *sock, struct search *s)
{
	struct nl_msg *msg = nlmsg_alloc_simple(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET),
						NLM_F_REQUEST | NLM_F_DUMP);
	const int nle = msg ? exchange_messages(sock, msg, take_device, s) : -NLE_NOMEM;

	nlmsg_free(msg);
	return nle;
}

static int find_netdev(struct nl_sock *sock, struct search *s)
{
	struct nl_msg *msg = nlmsg_alloc_simple(
		RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_PORT_GET), NLM_F_REQUEST);
	int nle = msg ? nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, s->device) : -NLE_NOMEM;

	if (!nle)
		nle = nla_put_u32(msg, RDMA_NLDEV_ATTR_PORT_INDEX, PORT);
	if (!nle)
		nle = exchange_messages(sock, msg, take_port, s);
	nlmsg_free(msg);
	return nle;
}

bool devx_netdev_find(const char *ibdev, char *netdev, size_t bytes)
{
	struct nl_sock *sock = nl_socket_alloc();
	struct search s = { .ibdev = ibdev };
	char name[IF_NAMESIZE];

	if (!sock)
		return false;
	nl_socket_disable_auto_ack(sock);
	if (!nl_connect(sock, NETLINK_RDMA) && !find_device(sock, &s) && s.has_device)
		find_netdev(sock, &s);
	nl_socket_free(sock);
	if (!s.has_netdev || !if_indextoname(s.ifindex, name) || strlen(name) >= bytes)
		return false;
	memcpy(netdev, name, strlen(name) + 1);
	return true;
}
