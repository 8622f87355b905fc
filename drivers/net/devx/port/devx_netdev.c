/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "devx/netdev.h"
#include "devx_log.h"
#include "netdev/devx_vf_addresses.h"
#include "port/devx_link.h"
#include "port/devx_netdev.h"

/*
 * Limits the MTU so that the length of a frame with a VLAN tag fits 16 bits. If the kernel does not
 * report its own limit, it refuses a higher MTU when the application sets it.
 */
static void read_max_mtu(struct devx_eth *eth)
{
	uint32_t max = DEVX_NETDEV_MTU_MAX;

	if (devx_netdev_get_max_mtu(&eth->dev, &max))
		max = DEVX_NETDEV_MTU_MAX;
	eth->max_mtu = (uint16_t)RTE_MIN(max, (uint32_t)DEVX_NETDEV_MTU_MAX - DEVX_ETH_OVERHEAD);
}

/* Reports which values firmware hides and what a port without netdev uses instead. */
static void report_unknown(const struct devx_eth *eth)
{
	if (!eth->port.frame_bytes)
		devx_eth_log(eth, NOTICE,
			     "port: no network interface, and firmware hides MAC address, MTU and "
			     "modes from users; the address is that of the node GUID, the MTU %u",
			     eth->port.mtu);
	if (eth->port.link_of_kernel)
		devx_eth_log(eth, NOTICE,
			     "port: no network interface, and firmware hides the link state from "
			     "users; verbs report it");
}

/*
 * Reads the state of the port from firmware. If firmware hides it, the netdev has the same values;
 * a port without a netdev gets values that are valid for every port.
 */
static int read_vport(struct devx_eth *eth)
{
	struct rte_ether_addr mac;
	const int rc = devx_port_query(&eth->dev, &eth->port);

	if (rc)
		return rc;
	if (!eth->port.mtu)
		eth->port.mtu = RTE_ETHER_MTU;
	memcpy(&mac, eth->port.mac, sizeof(mac));
	if (!rte_is_valid_assigned_ether_addr(&mac))
		rte_eth_random_addr(eth->port.mac);
	if (!devx_eth_has_netdev(eth))
		report_unknown(eth);
	return 0;
}

int devx_eth_port_read(struct devx_eth *eth)
{
	struct devx_netdev netdev;
	int rc = read_vport(eth);

	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot read the state of the port");
	memcpy(eth->filters.unicast[0].addr_bytes, eth->port.mac, RTE_ETHER_ADDR_LEN);
	if (!devx_eth_has_netdev(eth)) {
		devx_eth_vf_addresses_open(eth);
		return 0;
	}
	rc = devx_netdev_get(&eth->dev, &netdev);
	if (rc)
		return devx_eth_log_failure(eth, rc,
					    "cannot read the network interface of the port");
	devx_eth_link_read_capa(eth);
	memcpy(eth->filters.unicast[0].addr_bytes, netdev.mac, RTE_ETHER_ADDR_LEN);
	eth->if_index = (uint32_t)netdev.ifindex;
	eth->port.mtu = (uint16_t)RTE_MIN(netdev.mtu, (uint32_t)UINT16_MAX);
	read_max_mtu(eth);
	if (!netdev.up && devx_netdev_set_up(&eth->dev, true))
		devx_eth_log(
			eth, WARNING,
			"network interface %s: down, so no packet passes, and the driver cannot "
			"set it up; run `ip link set %s up`",
			eth->dev.netdev, eth->dev.netdev);
	devx_eth_vf_addresses_open(eth);
	return 0;
}

/* Sets the modes and pause frames that this driver had set in the old netdev. */
static int apply_modes(struct devx_eth *eth, const struct devx_netdev *netdev)
{
	int rc = 0;

	if (eth->netdev.promisc_ours && !netdev->promisc)
		rc = devx_netdev_set_promisc(&eth->dev, true);
	if (!rc && eth->netdev.allmulti_ours && !netdev->allmulti)
		rc = devx_netdev_set_allmulti(&eth->dev, true);
	if (!rc && eth->netdev.pause_set)
		rc = devx_netdev_set_pause(&eth->dev, &eth->netdev.pause);
	return rc;
}

/* Applies the settings of the port to its netdev, which may be new after a recovery. */
static int apply_settings(struct devx_eth *eth)
{
	const uint8_t *mac = eth->filters.unicast[0].addr_bytes;
	struct devx_netdev netdev;
	int rc = devx_netdev_get(&eth->dev, &netdev);

	if (rc)
		return rc;
	if (memcmp(mac, netdev.mac, RTE_ETHER_ADDR_LEN))
		rc = devx_netdev_set_mac(&eth->dev, mac);
	if (!rc && netdev.mtu < eth->port.mtu)
		rc = devx_netdev_set_mtu(&eth->dev, eth->port.mtu);
	if (!rc && !netdev.up)
		rc = devx_netdev_set_up(&eth->dev, true);
	if (!rc)
		rc = apply_modes(eth, &netdev);
	eth->if_index = (uint32_t)netdev.ifindex;
	return rc;
}

int devx_eth_netdev_apply(struct devx_eth *eth)
{
	int rc = 0;

	if (!devx_eth_has_netdev(eth) && eth->if_index) {
		devx_eth_log(eth, WARNING,
			     "the device is back, but its network interface is not there yet");
		return -EAGAIN;
	}
	if (devx_eth_has_netdev(eth))
		rc = apply_settings(eth);
	if (!rc)
		rc = devx_eth_vf_addresses_apply(eth);
	return rc ? devx_eth_log_failure(eth, rc, "cannot restore the settings of %s",
					 eth->dev.netdev)
		  : 0;
}

void devx_eth_netdev_undo(struct devx_eth *eth)
{
	if (eth->netdev.promisc_ours)
		devx_netdev_set_promisc(&eth->dev, false);
	if (eth->netdev.allmulti_ours)
		devx_netdev_set_allmulti(&eth->dev, false);
	eth->netdev.promisc_ours = eth->netdev.allmulti_ours = false;
	devx_eth_vf_addresses_close(eth);
}
