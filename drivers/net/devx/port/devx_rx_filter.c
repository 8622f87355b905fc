/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "devx/netdev.h"
#include "devx_log.h"
#include "devx_steer.h"
#include "netdev/devx_vf_addresses.h"
#include "port/devx_rx_filter.h"

static bool has_rules(const struct devx_eth *eth)
{
	return eth->started && eth->data->nb_rx_queues;
}

/* Makes @next the filters of the port, or keeps the old ones on failure. Under eth->lock. */
static int apply_filters(struct devx_eth *eth, const struct devx_eth_filters *next)
{
	int rc = devx_eth_vf_addresses_add(eth, next);

	if (!rc && has_rules(eth))
		rc = devx_eth_steer_update(eth, next);
	if (!rc)
		eth->filters = *next;
	devx_eth_vf_addresses_trim(eth);
	return rc;
}

/* ---- addresses -------------------------------------------------------------------------- */

static int change_mac(struct devx_eth *eth, const struct rte_ether_addr *mac)
{
	const struct rte_ether_addr before = eth->filters.unicast[0];
	struct devx_eth_filters next = eth->filters;
	int rc;

	if (!devx_eth_has_netdev(eth))
		return devx_eth_refuse_change(eth, "MAC address");
	rc = devx_netdev_set_mac(&eth->dev, mac->addr_bytes);
	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot set the MAC address of %s",
					    eth->dev.netdev);
	next.unicast[0] = *mac;
	rc = apply_filters(eth, &next);
	if (rc)
		devx_netdev_set_mac(&eth->dev, before.addr_bytes);
	return rc;
}

int devx_eth_mac_set(struct rte_eth_dev *ethdev, struct rte_ether_addr *mac)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc = 0;

	pthread_mutex_lock(&eth->lock);
	/* ethdev sets the same address again at each start */
	if (!rte_is_same_ether_addr(mac, &eth->filters.unicast[0]))
		rc = change_mac(eth, mac);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

int devx_eth_mac_add(struct rte_eth_dev *ethdev, struct rte_ether_addr *mac, uint32_t index,
		     uint32_t pool)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_eth_filters next;
	int rc;

	RTE_SET_USED(pool); /* queue pools (VMDq) are unsupported; net_mlx5 ignores it as well */
	pthread_mutex_lock(&eth->lock);
	next = eth->filters;
	next.unicast[index] = *mac;
	rc = apply_filters(eth, &next);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

void devx_eth_mac_remove(struct rte_eth_dev *ethdev, uint32_t index)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_eth_filters next;

	pthread_mutex_lock(&eth->lock);
	next = eth->filters;
	memset(&next.unicast[index], 0, sizeof(next.unicast[index]));
	apply_filters(eth, &next);
	pthread_mutex_unlock(&eth->lock);
}

/* Copies the addresses of @list to @next, without duplicates. */
static int take_multicast(struct devx_eth *eth, const struct rte_ether_addr *list, uint32_t n,
			  struct devx_eth_filters *next)
{
	next->n_multicast = 0;
	if (n > DEVX_ETH_MULTICAST_MAX) {
		devx_eth_log(eth, ERR, "a list of %u multicast addresses is too long (valid: %u)",
			     n, DEVX_ETH_MULTICAST_MAX);
		return -ENOSPC;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint16_t j = 0;

		if (!rte_is_multicast_ether_addr(&list[i])) {
			devx_eth_log(
				eth, ERR,
				"entry %u of the list is not a multicast address (valid: bit 0 "
				"of the first byte is 1)",
				i);
			return -EINVAL;
		}
		while (j < next->n_multicast &&
		       !rte_is_same_ether_addr(&next->multicast[j], &list[i]))
			j++;
		if (j == next->n_multicast)
			next->multicast[next->n_multicast++] = list[i];
	}
	return 0;
}

int devx_eth_multicast_set(struct rte_eth_dev *ethdev, struct rte_ether_addr *list, uint32_t n)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_eth_filters next;
	int rc;

	pthread_mutex_lock(&eth->lock);
	next = eth->filters;
	rc = take_multicast(eth, list, n, &next);
	if (!rc)
		rc = apply_filters(eth, &next);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

/* ---- VLANs ------------------------------------------------------------------------------ */

static int add_vlan(struct devx_eth *eth, uint16_t vlan, struct devx_eth_filters *next)
{
	if (next->n_vlans == DEVX_ETH_VLANS_MAX) {
		devx_eth_log(eth, ERR,
			     "VLAN filter: no room for VLAN %u (valid: at most %u VLANs); remove "
			     "another one first",
			     vlan, DEVX_ETH_VLANS_MAX);
		return -ENOMEM; /* as net_mlx5 */
	}
	next->vlans[next->n_vlans++] = vlan;
	return 0;
}

int devx_eth_vlan_filter_set(struct rte_eth_dev *ethdev, uint16_t vlan, int on)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_eth_filters next;
	uint16_t i = 0;
	int rc = 0;

	pthread_mutex_lock(&eth->lock);
	next = eth->filters;
	while (i < next.n_vlans && next.vlans[i] != vlan)
		i++;
	if (on && i == next.n_vlans)
		rc = add_vlan(eth, vlan, &next);
	else if (!on && i < next.n_vlans)
		next.vlans[i] = next.vlans[--next.n_vlans];
	if (!rc)
		rc = apply_filters(eth, &next);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

int devx_eth_vlan_filter_refresh(struct devx_eth *eth)
{
	return has_rules(eth) ? devx_eth_steer_update(eth, &eth->filters) : 0;
}

/* ---- promiscuous, all multicast ---------------------------------------------------- */

/* A mode of the netdev: a single flag in the kernel, which other programs may set as well. */
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

static const struct netdev_mode promisc_mode = { "promiscuous mode", is_promisc,
						 devx_netdev_set_promisc };
static const struct netdev_mode allmulti_mode = { "all-multicast mode", is_allmulti,
						  devx_netdev_set_allmulti };

/*
 * Turns a mode of the netdev on or off. *@ours: this driver turned it on. A mode that an
 * administrator had turned on stays on.
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
		return devx_eth_log_failure(eth, rc, "cannot turn %s of %s %s", mode->name,
					    eth->dev.netdev, on ? "on" : "off");
	*ours = on;
	return 0;
}

/* Turns a mode on or off in the netdev, then in the filters @next. */
static int set_mode(struct devx_eth *eth, const struct netdev_mode *mode, bool on, bool *ours,
		    bool of_port, const struct devx_eth_filters *next)
{
	const bool before = *ours;
	int rc = 0;

	if (devx_eth_has_netdev(eth))
		rc = set_netdev_mode(eth, mode, on, ours);
	else if (on && !of_port)
		rc = devx_eth_refuse_change(eth, mode->name);
	if (rc)
		return rc;
	rc = apply_filters(eth, next);
	if (rc && *ours != before)
		set_netdev_mode(eth, mode, before, ours);
	if (!rc && on)
		devx_eth_vf_trust_report(eth, mode->name);
	return rc;
}

static int set_promisc(struct devx_eth *eth, bool on)
{
	struct devx_eth_filters next;
	int rc;

	pthread_mutex_lock(&eth->lock);
	next = eth->filters;
	next.promisc = on;
	rc = set_mode(eth, &promisc_mode, on, &eth->netdev.promisc_ours, eth->port.promisc, &next);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

static int set_allmulti(struct devx_eth *eth, bool on)
{
	struct devx_eth_filters next;
	int rc;

	pthread_mutex_lock(&eth->lock);
	next = eth->filters;
	next.allmulti = on;
	rc = set_mode(eth, &allmulti_mode, on, &eth->netdev.allmulti_ours, eth->port.allmulti,
		      &next);
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
