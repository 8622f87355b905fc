/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <linux/if.h>
#include <linux/neighbour.h>
#include <netlink/errno.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/route/neighbour.h>
#include <string.h>
#include <sys/socket.h>

#include "devx/core/fail.h"
#include "devx/netdev.h"

_Static_assert(IFNAMSIZ <= DEVX_NETDEV_BYTES, "the name of a network interface fits");

/* Translates an error of libnl (NLE_*, either sign) into a positive errno. */
static int get_netlink_errno(int nle)
{
	static const struct {
		int nle, err;
	} table[] = {
		{ NLE_NODEV, ENODEV },
		{ NLE_OBJ_NOTFOUND, ENODEV },
		{ NLE_PERM, EPERM },
		{ NLE_NOACCESS, EPERM },
		{ NLE_NOMEM, ENOMEM },
		{ NLE_INVAL, EINVAL },
		{ NLE_RANGE, EINVAL },
		{ NLE_NOADDR, EADDRNOTAVAIL },
		{ NLE_OPNOTSUPP, EOPNOTSUPP },
		{ NLE_BUSY, EBUSY },
		{ NLE_EXIST, EEXIST },
		{ NLE_AGAIN, EAGAIN },
		{ NLE_AF_NOSUPPORT, EAFNOSUPPORT },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].nle == -nle || table[i].nle == nle)
			return table[i].err;
	return EIO;
}

/* struct netlink - a netlink connection, and the state of the interface when it was opened */
struct netlink {
	struct nl_sock *sock;
	struct rtnl_link *link;
};

static void close_netlink(struct netlink *nl)
{
	rtnl_link_put(nl->link);
	nl_socket_free(nl->sock);
}

/* Connects and reads the state of the interface; leaves nothing open on failure. */
static int open_netlink(struct netlink *nl, struct devx_dev *dev)
{
	int nle;

	*nl = (struct netlink){ 0 };
	if (!dev->netdev[0])
		return devx_fail(dev, -ENODEV,
				 "%s has no network interface in this network namespace",
				 dev->ibdev);
	nl->sock = nl_socket_alloc();
	nle = nl->sock ? nl_connect(nl->sock, NETLINK_ROUTE) : -NLE_NOMEM;
	if (!nle)
		nle = rtnl_link_get_kernel(nl->sock, 0, dev->netdev, &nl->link);
	if (!nle)
		return 0;
	close_netlink(nl);
	return devx_fail_sys(dev, get_netlink_errno(nle), "cannot read network interface %s",
			     dev->netdev);
}

int devx_netdev_get(struct devx_dev *dev, struct devx_netdev *netdev)
{
	struct netlink nl;
	const int rc = open_netlink(&nl, dev);

	if (rc)
		return rc;
	const unsigned flags = rtnl_link_get_flags(nl.link);
	struct nl_addr *addr = rtnl_link_get_addr(nl.link);
	struct devx_netdev got = {
		.ifindex = rtnl_link_get_ifindex(nl.link),
		.mtu = rtnl_link_get_mtu(nl.link),
		.up = flags & IFF_UP,
		.running = (flags & IFF_UP) && (flags & IFF_RUNNING),
		.promisc = flags & IFF_PROMISC,
		.allmulti = flags & IFF_ALLMULTI,
	};

	if (addr && nl_addr_get_len(addr) == DEVX_NETDEV_MAC_BYTES)
		memcpy(got.mac, nl_addr_get_binary_addr(addr), DEVX_NETDEV_MAC_BYTES);
	*netdev = got;
	close_netlink(&nl);
	return 0;
}

/* Asks the kernel for @change. @what describes it in the message, such as "change the MTU". */
static int apply_change(struct devx_dev *dev, struct rtnl_link *change, const char *what)
{
	struct netlink nl;
	int rc = open_netlink(&nl, dev), nle;

	if (rc)
		return rc;
	nle = rtnl_link_change(nl.sock, nl.link, change, 0);
	close_netlink(&nl);
	if (nle < 0)
		return devx_fail_sys(
			dev, get_netlink_errno(nle), "cannot %s of network interface %s%s", what,
			dev->netdev,
			get_netlink_errno(nle) == EPERM
				? " (this process needs CAP_NET_ADMIN; the host must trust "
				  "a virtual function)"
				: "");
	return 0;
}

static struct rtnl_link *alloc_change(struct devx_dev *dev, int *rc)
{
	struct rtnl_link *change = rtnl_link_alloc();

	*rc = change ? 0
		     : devx_fail_sys(dev, ENOMEM,
				     "cannot allocate a change of network interface %s",
				     dev->netdev);
	return change;
}

int devx_netdev_set_mac(struct devx_dev *dev, const uint8_t *mac)
{
	struct rtnl_link *change;
	struct nl_addr *addr;
	int rc;

	if ((mac[0] & 1) || !(mac[0] | mac[1] | mac[2] | mac[3] | mac[4] | mac[5]))
		return devx_fail(dev, -EINVAL,
				 "MAC address: %02x:%02x:%02x:%02x:%02x:%02x is invalid (valid: "
				 "unicast, not all zero)",
				 mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
	change = alloc_change(dev, &rc);
	if (!change)
		return rc;
	addr = nl_addr_build(AF_LLC, mac, DEVX_NETDEV_MAC_BYTES);
	if (addr) {
		rtnl_link_set_addr(change, addr);
		rc = apply_change(dev, change, "change the MAC address");
		nl_addr_put(addr);
	} else {
		rc = devx_fail_sys(dev, ENOMEM, "cannot allocate a MAC address for netlink");
	}
	rtnl_link_put(change);
	return rc;
}

int devx_netdev_set_mtu(struct devx_dev *dev, uint32_t mtu)
{
	struct rtnl_link *change;
	int rc;

	if (mtu < DEVX_NETDEV_MTU_MIN || mtu > DEVX_NETDEV_MTU_MAX)
		return devx_fail(dev, -EINVAL, "MTU: %u bytes are invalid (valid: %u to %u bytes)",
				 mtu, DEVX_NETDEV_MTU_MIN, DEVX_NETDEV_MTU_MAX);
	change = alloc_change(dev, &rc);
	if (!change)
		return rc;
	rtnl_link_set_mtu(change, mtu);
	rc = apply_change(dev, change, "change the MTU");
	rtnl_link_put(change);
	return rc;
}

static int set_flag(struct devx_dev *dev, unsigned flag, bool on, const char *what)
{
	int rc;
	struct rtnl_link *change = alloc_change(dev, &rc);

	if (!change)
		return rc;
	if (on)
		rtnl_link_set_flags(change, flag);
	else
		rtnl_link_unset_flags(change, flag);
	rc = apply_change(dev, change, what);
	rtnl_link_put(change);
	return rc;
}

int devx_netdev_set_promisc(struct devx_dev *dev, bool on)
{
	return set_flag(dev, IFF_PROMISC, on, "change promiscuous mode");
}

int devx_netdev_set_allmulti(struct devx_dev *dev, bool on)
{
	return set_flag(dev, IFF_ALLMULTI, on, "change all-multicast mode");
}

int devx_netdev_set_up(struct devx_dev *dev, bool up)
{
	return set_flag(dev, IFF_UP, up, "change the administrative state");
}

/* Adds @mac to the netdev's address lists or removes it, as `bridge fdb add/del ... self` does. */
static int change_mac_list(struct devx_dev *dev, const uint8_t *mac, bool add)
{
	struct nl_addr *addr = nl_addr_build(AF_LLC, mac, DEVX_NETDEV_MAC_BYTES);
	struct rtnl_neigh *entry = rtnl_neigh_alloc();
	struct netlink nl;
	int rc = open_netlink(&nl, dev), nle = -NLE_NOMEM;

	if (!rc && addr && entry) {
		rtnl_neigh_set_family(entry, AF_BRIDGE);
		rtnl_neigh_set_ifindex(entry, rtnl_link_get_ifindex(nl.link));
		rtnl_neigh_set_state(entry, NUD_NOARP | NUD_PERMANENT);
		rtnl_neigh_set_flags(entry, NTF_SELF);
		rtnl_neigh_set_lladdr(entry, addr);
		nle = add ? rtnl_neigh_add(nl.sock, entry, NLM_F_CREATE | NLM_F_EXCL)
			  : rtnl_neigh_delete(nl.sock, entry, 0);
	}
	if (!rc)
		close_netlink(&nl);
	if (!rc && nle < 0 && (add || nle != -NLE_OBJ_NOTFOUND))
		rc = devx_fail_sys(dev, get_netlink_errno(nle),
				   "cannot %s MAC address %02x:%02x:%02x:%02x:%02x:%02x of %s",
				   add ? "add" : "remove", mac[0], mac[1], mac[2], mac[3], mac[4],
				   mac[5], dev->netdev);
	rtnl_neigh_put(entry);
	nl_addr_put(addr);
	return rc;
}

int devx_netdev_add_mac(struct devx_dev *dev, const uint8_t *mac)
{
	return change_mac_list(dev, mac, true);
}

int devx_netdev_remove_mac(struct devx_dev *dev, const uint8_t *mac)
{
	return change_mac_list(dev, mac, false);
}
