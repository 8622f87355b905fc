/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_PORT_NETDEV_H
#define DEVX_ETH_PORT_NETDEV_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_ether.h>

#include "devx/netdev_ethtool.h"

/* Limits of the lists of a port, equal to those of net_mlx5. */
enum {
	DEVX_ETH_UNICAST_MAX = 128, /* includes the address of the port itself */
	DEVX_ETH_MULTICAST_MAX = 128,
	DEVX_ETH_VLANS_MAX = 128,
};

/**
 * struct devx_eth_filters - packets that a port receives
 * @promisc: all packets
 * @allmulti: all packets to multicast addresses
 * @unicast: packets to these addresses; entry 0 is the address of the port, and an entry of zeros
 *           is unused. ethdev's mac_addrs points to this array
 * @multicast: packets to the first @n_multicast of these addresses
 * @vlans: packets with a tag of one of the first @n_vlans VLANs; with 0 VLANs: any packets
 */
struct devx_eth_filters {
	bool promisc, allmulti;
	struct rte_ether_addr unicast[DEVX_ETH_UNICAST_MAX];
	struct rte_ether_addr multicast[DEVX_ETH_MULTICAST_MAX];
	uint16_t n_multicast;
	uint16_t n_vlans;
	uint16_t vlans[DEVX_ETH_VLANS_MAX];
};

/**
 * struct devx_eth_vf - addresses in the netdev of a virtual function; see devx_vf_addresses.h
 * @is_vf: the device is a virtual function
 * @trust_reported: the port logged that a mode needs the trust of the host
 * @added: the @n_added addresses that this driver added to the netdev and removes at close. During
 *         a change, it holds the addresses of both the old and the new lists
 */
struct devx_eth_vf {
	bool is_vf;
	bool trust_reported;
	uint16_t n_added;
	struct rte_ether_addr added[2 * (DEVX_ETH_UNICAST_MAX + DEVX_ETH_MULTICAST_MAX)];
};

struct devx_eth_phy_stats;

/**
 * struct devx_eth_netdev - what a port changed in its netdev, and the statistics it reads there
 * @pause, @pause_set: pause frames as the application set them, if it did
 * @promisc_ours, @allmulti_ours: this driver turned the mode on and turns it off at close
 * @vf: addresses in the netdev, if the device is a virtual function
 * @phy_stats: counters of the physical port, or NULL; see netdev/devx_phy_stats.h
 */
struct devx_eth_netdev {
	struct devx_netdev_pause pause;
	bool pause_set;
	bool promisc_ours, allmulti_ours;
	struct devx_eth_vf vf;
	struct devx_eth_phy_stats *phy_stats;
};

#endif
