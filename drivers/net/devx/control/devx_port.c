/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "devx/netdev.h"
#include "control/devx_rxq_lifecycle.h"
#include "devx_log.h"
#include "devx_port.h"
#include "devx_txq.h"

/**
 * DOC: MAC, MTU, promiscuity, link
 *
 * The first three belong to the kernel's network interface, and are changed through it.
 * Where the port has none, what firmware says of the port holds, and whoever asks for more
 * is refused and told why.
 */

static bool
has_netdev(const struct devx_eth *eth)
{
	return eth->dev.netdev[0];
}

static int
refuse(struct devx_eth *eth, const char *what)
{
	devx_eth_log(eth, ERR, "%s: the port's own value holds, because the kernel has no network "
		     "interface for it through which it could be changed", what);
	return -ENOTSUP;
}

int
devx_eth_port_read(struct devx_eth *eth)
{
	struct devx_netdev netdev;
	int rc;

	rc = devx_port_query(&eth->dev, &eth->port);
	if (rc)
		return devx_eth_fail(eth, rc, "cannot read the port");
	memcpy(eth->mac.addr_bytes, eth->port.mac, RTE_ETHER_ADDR_LEN);
	if (!has_netdev(eth))
		return 0;
	rc = devx_netdev_get(&eth->dev, &netdev);
	if (rc)
		return devx_eth_fail(eth, rc, "cannot read the port's network interface");
	memcpy(eth->mac.addr_bytes, netdev.mac, RTE_ETHER_ADDR_LEN);
	eth->port.mtu = (uint16_t)RTE_MIN(netdev.mtu, (uint32_t)UINT16_MAX);
	if (!netdev.up && devx_netdev_set_up(&eth->dev, true))
		devx_eth_log(eth, WARNING, "%s is down and could not be brought up: no packet will "
			     "pass; try ip link set %s up", eth->dev.netdev, eth->dev.netdev);
	return 0;
}

/* ---- MTU -------------------------------------------------------------------------- */

uint16_t
devx_eth_mtu_max(const struct devx_eth *eth)
{
	/* a netdev has a limit of its own, and tells it when it is asked for more */
	return has_netdev(eth) ? DEVX_NETDEV_MTU_MAX - DEVX_ETH_OVERHEAD : eth->port.mtu;
}

/* Let the port take @mtu. Where it has no netdev, less than its own MTU is a promise only. */
static int
change_mtu(struct devx_eth *eth, uint16_t mtu)
{
	int rc;

	if (!has_netdev(eth)) {
		if (mtu <= eth->port.mtu)
			return 0;
		devx_eth_log(eth, ERR, "MTU %u is more than the port's %u", mtu, eth->port.mtu);
		return refuse(eth, "MTU");
	}
	if (mtu == eth->port.mtu)
		return 0;
	rc = devx_netdev_set_mtu(&eth->dev, mtu);
	if (rc)
		return devx_eth_fail(eth, rc, "cannot set MTU %u on %s", mtu, eth->dev.netdev);
	eth->port.mtu = mtu;
	return 0;
}

int
devx_eth_mtu_apply(struct devx_eth *eth, uint16_t mtu)
{
	int rc = 0;

	/* a smaller one is no reason to take it from others who use the port */
	pthread_mutex_lock(&eth->lock);
	if (mtu > eth->port.mtu)
		rc = change_mtu(eth, mtu);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

int
devx_eth_mtu_set(struct rte_eth_dev *ethdev, uint16_t mtu)
{
	struct devx_eth *eth = devx_eth_of(ethdev);
	int rc = 0;

	if (mtu < RTE_ETHER_MIN_MTU) {
		devx_eth_log(eth, ERR, "MTU %u: %u to %u are possible", mtu, RTE_ETHER_MIN_MTU,
			     devx_eth_mtu_max(eth));
		return -EINVAL;
	}
	for (uint16_t i = 0; !rc && i < ethdev->data->nb_rx_queues; i++)
		if (ethdev->data->rx_queues[i])
			rc = devx_eth_rxq_check_mtu(ethdev->data->rx_queues[i], mtu);
	if (rc)
		return rc;
	pthread_mutex_lock(&eth->lock);
	rc = change_mtu(eth, mtu);
	pthread_mutex_unlock(&eth->lock);
	if (rc)
		return rc;
	for (uint16_t i = 0; i < ethdev->data->nb_tx_queues; i++) {
		struct devx_eth_txq *txq = ethdev->data->tx_queues[i];

		if (txq)
			txq->max_bytes = (uint32_t)mtu + DEVX_ETH_OVERHEAD;
	}
	return 0;
}

/* ---- MAC -------------------------------------------------------------------------- */

static int
change_mac(struct devx_eth *eth, const struct rte_ether_addr *mac)
{
	int rc;

	if (!has_netdev(eth))
		return refuse(eth, "MAC address");
	rc = devx_netdev_set_mac(&eth->dev, mac->addr_bytes);
	if (rc)
		return devx_eth_fail(eth, rc, "cannot set the MAC address of %s", eth->dev.netdev);
	if (eth->started)
		rc = devx_eth_steer_update(eth, eth->data->promiscuous, eth->data->all_multicast,
					   mac);
	if (rc)
		devx_netdev_set_mac(&eth->dev, eth->mac.addr_bytes);
	else
		rte_ether_addr_copy(mac, &eth->mac);
	return rc;
}

int
devx_eth_mac_set(struct rte_eth_dev *ethdev, struct rte_ether_addr *mac)
{
	struct devx_eth *eth = devx_eth_of(ethdev);
	int rc = 0;

	pthread_mutex_lock(&eth->lock);
	if (!rte_is_same_ether_addr(mac, &eth->mac)) /* ethdev repeats the old one at each start */
		rc = change_mac(eth, mac);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

/* ---- promiscuous, all multicast ---------------------------------------------------- */

/* Flags that an administrator set stay: only what we turned on is turned off again. */
static int
netdev_flag(struct devx_eth *eth, bool on, bool *ours, int (*set)(struct devx_dev *, bool),
	    const char *what)
{
	int rc;

	if (*ours == on)
		return 0;
	rc = set(&eth->dev, on);
	if (rc)
		return devx_eth_fail(eth, rc, "cannot turn %s mode of %s %s", what, eth->dev.netdev,
				     on ? "on" : "off");
	*ours = on;
	return 0;
}

static int
set_promisc(struct devx_eth *eth, bool on)
{
	int rc = 0;

	pthread_mutex_lock(&eth->lock);
	if (has_netdev(eth))
		rc = netdev_flag(eth, on, &eth->promisc_ours, devx_netdev_set_promisc,
				 "promiscuous");
	else if (on && !eth->port.promisc)
		rc = refuse(eth, "promiscuous mode");
	if (!rc && eth->started)
		rc = devx_eth_steer_update(eth, on, eth->data->all_multicast, &eth->mac);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

static int
set_allmulti(struct devx_eth *eth, bool on)
{
	int rc = 0;

	pthread_mutex_lock(&eth->lock);
	if (has_netdev(eth))
		rc = netdev_flag(eth, on, &eth->allmulti_ours, devx_netdev_set_allmulti,
				 "all-multicast");
	else if (on && !eth->port.allmulti)
		rc = refuse(eth, "all-multicast mode");
	if (!rc && eth->started)
		rc = devx_eth_steer_update(eth, eth->data->promiscuous, on, &eth->mac);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

int
devx_eth_promisc_on(struct rte_eth_dev *ethdev)
{
	return set_promisc(devx_eth_of(ethdev), true);
}

int
devx_eth_promisc_off(struct rte_eth_dev *ethdev)
{
	return set_promisc(devx_eth_of(ethdev), false);
}

int
devx_eth_allmulti_on(struct rte_eth_dev *ethdev)
{
	return set_allmulti(devx_eth_of(ethdev), true);
}

int
devx_eth_allmulti_off(struct rte_eth_dev *ethdev)
{
	return set_allmulti(devx_eth_of(ethdev), false);
}

void
devx_eth_port_restore(struct devx_eth *eth)
{
	if (eth->promisc_ours)
		devx_netdev_set_promisc(&eth->dev, false);
	if (eth->allmulti_ours)
		devx_netdev_set_allmulti(&eth->dev, false);
	eth->promisc_ours = eth->allmulti_ours = false;
}

/* ---- link -------------------------------------------------------------------------- */

int
devx_eth_link_update(struct rte_eth_dev *ethdev, int wait)
{
	struct devx_eth *eth = devx_eth_of(ethdev);
	struct rte_eth_link link = {
		.link_duplex = RTE_ETH_LINK_FULL_DUPLEX,
		.link_autoneg = RTE_ETH_LINK_AUTONEG,
		.link_speed = eth->port.speed_mbps ? eth->port.speed_mbps :
						     RTE_ETH_SPEED_NUM_UNKNOWN,
	};
	bool up = false;
	int rc;

	RTE_SET_USED(wait); /* the link's state is known at once */
	pthread_mutex_lock(&eth->lock);
	rc = devx_port_query_link(&eth->dev, &up);
	if (rc)
		rc = devx_eth_fail(eth, rc, "cannot read the link's state");
	pthread_mutex_unlock(&eth->lock);
	if (rc)
		return rc;
	link.link_status = up ? RTE_ETH_LINK_UP : RTE_ETH_LINK_DOWN;
	if (!up)
		link.link_speed = RTE_ETH_SPEED_NUM_NONE;
	return rte_eth_linkstatus_set(ethdev, &link);
}
