/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/devx_netdev.h"
#include "control/devx_rx_filter.h"
#include "control/devx_steer.h"
#include "devx/netdev.h"
#include "devx_log.h"

/* ---- MAC -------------------------------------------------------------------------- */

static int change_mac(struct devx_eth *eth, const struct rte_ether_addr *mac)
{
	int rc;

	if (!devx_eth_has_netdev(eth))
		return devx_eth_refuse_change(eth, "MAC address");
	rc = devx_netdev_set_mac(&eth->dev, mac->addr_bytes);
	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot set the MAC address of %s",
					    eth->dev.netdev);
	if (eth->started)
		rc = devx_eth_steer_update(eth, eth->data->promiscuous, eth->data->all_multicast,
					   mac);
	if (rc)
		devx_netdev_set_mac(&eth->dev, eth->mac.addr_bytes);
	else
		rte_ether_addr_copy(mac, &eth->mac);
	return rc;
}

int devx_eth_mac_set(struct rte_eth_dev *ethdev, struct rte_ether_addr *mac)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc = 0;

	pthread_mutex_lock(&eth->lock);
	if (!rte_is_same_ether_addr(mac, &eth->mac)) /* ethdev repeats the old one at each start */
		rc = change_mac(eth, mac);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

/* ---- promiscuous, all multicast ---------------------------------------------------- */

/* Flags that an administrator set stay: only what we turned on is turned off again. */
static int set_netdev_flag(struct devx_eth *eth, bool on, bool *ours,
			   int (*set)(struct devx_dev *, bool), const char *what)
{
	int rc;

	if (*ours == on)
		return 0;
	rc = set(&eth->dev, on);
	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot turn %s mode of %s %s", what,
					    eth->dev.netdev, on ? "on" : "off");
	*ours = on;
	return 0;
}

static int set_promisc(struct devx_eth *eth, bool on)
{
	int rc = 0;

	pthread_mutex_lock(&eth->lock);
	if (devx_eth_has_netdev(eth))
		rc = set_netdev_flag(eth, on, &eth->promisc_ours, devx_netdev_set_promisc,
				     "promiscuous");
	else if (on && !eth->port.promisc)
		rc = devx_eth_refuse_change(eth, "promiscuous mode");
	if (!rc && eth->started)
		rc = devx_eth_steer_update(eth, on, eth->data->all_multicast, &eth->mac);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

static int set_allmulti(struct devx_eth *eth, bool on)
{
	int rc = 0;

	pthread_mutex_lock(&eth->lock);
	if (devx_eth_has_netdev(eth))
		rc = set_netdev_flag(eth, on, &eth->allmulti_ours, devx_netdev_set_allmulti,
				     "all-multicast");
	else if (on && !eth->port.allmulti)
		rc = devx_eth_refuse_change(eth, "all-multicast mode");
	if (!rc && eth->started)
		rc = devx_eth_steer_update(eth, eth->data->promiscuous, on, &eth->mac);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

int devx_eth_promisc_enable(struct rte_eth_dev *ethdev)
{
	return set_promisc(devx_eth_port_get(ethdev), true);
}

int devx_eth_promisc_disable(struct rte_eth_dev *ethdev)
{
	return set_promisc(devx_eth_port_get(ethdev), false);
}

int devx_eth_allmulti_enable(struct rte_eth_dev *ethdev)
{
	return set_allmulti(devx_eth_port_get(ethdev), true);
}

int devx_eth_allmulti_disable(struct rte_eth_dev *ethdev)
{
	return set_allmulti(devx_eth_port_get(ethdev), false);
}
