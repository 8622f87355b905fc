/* SPDX-License-Identifier: BSD-3-Clause */
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/route/link/sriov.h>

#include <infiniband/verbs.h>

#include "devx/core/sysfs.h"
#include "devx/netdev/netdev_trust.h"

enum devx_netdev_trust devx_netdev_read_trust(struct rtnl_link *link, uint32_t vf)
{
	struct rtnl_link_vf *entry = rtnl_link_vf_get(link, vf);
	enum devx_netdev_trust trust = DEVX_NETDEV_TRUST_UNKNOWN;
	uint32_t on;

	if (!entry)
		return trust;
	if (!rtnl_link_vf_get_trust(entry, &on))
		trust = on ? DEVX_NETDEV_TRUST_ON : DEVX_NETDEV_TRUST_OFF;
	rtnl_link_vf_put(entry);
	return trust;
}

/* Every link that libnl reads includes the list of VFs (RTEXT_FILTER_VF). */
static enum devx_netdev_trust query_trust(const struct devx_netdev_physfn *physfn)
{
	enum devx_netdev_trust trust = DEVX_NETDEV_TRUST_UNKNOWN;
	struct nl_sock *sock = nl_socket_alloc();
	struct rtnl_link *link = NULL;

	if (sock && !nl_connect(sock, NETLINK_ROUTE) &&
	    !rtnl_link_get_kernel(sock, 0, physfn->netdev, &link))
		trust = devx_netdev_read_trust(link, physfn->vf);
	rtnl_link_put(link);
	nl_socket_free(sock);
	return trust;
}

enum devx_netdev_trust devx_netdev_get_trust(const struct devx_dev *dev,
					     struct devx_netdev_physfn *physfn)
{
	const char *path = dev->ctx->device->ibdev_path;
	enum devx_netdev_trust trust = DEVX_NETDEV_TRUST_UNKNOWN;
	struct devx_netdev_physfn found;

	for (unsigned i = 0;
	     trust == DEVX_NETDEV_TRUST_UNKNOWN && devx_sysfs_read_physfn(path, i, &found); i++)
		trust = query_trust(&found);
	if (trust != DEVX_NETDEV_TRUST_UNKNOWN)
		*physfn = found;
	return trust;
}
