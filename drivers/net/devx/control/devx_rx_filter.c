/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/devx_netdev.h"
#include "control/devx_rx_filter.h"
#include "devx_steer.h"
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
	/* at each start ethdev sets the same address again */
	if (!rte_is_same_ether_addr(mac, &eth->mac))
		rc = change_mac(eth, mac);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

/* ---- promiscuous, all multicast ---------------------------------------------------- */

/* A mode of the netdev: one flag, which the kernel shares between all programs that set it. */
struct netdev_mode {
	const char *name;
	bool (*is_on)(const struct devx_netdev *netdev);
	int (*set)(struct devx_dev *dev, bool on);
};

static bool is_promisc(const struct devx_netdev *netdev)
{
	return netdev->promisc;
}

static bool is_allmulti(const struct devx_netdev *netdev)
{
	return netdev->allmulti;
}

static const struct netdev_mode promisc_mode = { "promiscuous", is_promisc,
						 devx_netdev_set_promisc };
static const struct netdev_mode allmulti_mode = { "all-multicast", is_allmulti,
						  devx_netdev_set_allmulti };

/*
 * Turns a mode of the netdev on or off for the port. @ours says whether this driver turned the
 * mode on: a mode that an administrator turned on before is left on.
 */
static int set_netdev_mode(struct devx_eth *eth, const struct netdev_mode *mode, bool on,
			   bool *ours)
{
	struct devx_netdev netdev;
	int rc = 0;

	if (*ours == on)
		return 0;
	if (on) {
		rc = devx_netdev_get(&eth->dev, &netdev);
		if (!rc && mode->is_on(&netdev))
			return 0;
	}
	if (!rc)
		rc = mode->set(&eth->dev, on);
	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot turn %s mode of %s %s", mode->name,
					    eth->dev.netdev, on ? "on" : "off");
	*ours = on;
	return 0;
}

static int set_promisc(struct devx_eth *eth, bool on)
{
	int rc = 0;

	pthread_mutex_lock(&eth->lock);
	if (devx_eth_has_netdev(eth))
		rc = set_netdev_mode(eth, &promisc_mode, on, &eth->promisc_ours);
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
		rc = set_netdev_mode(eth, &allmulti_mode, on, &eth->allmulti_ours);
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
