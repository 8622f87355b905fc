/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_FILTERS_H
#define DEVX_ETH_FILTERS_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_ether.h>

/* Largest lists of a port: those of net_mlx5. */
enum {
	DEVX_ETH_UNICAST_MAX = 128, /* with the address of the port itself */
	DEVX_ETH_MULTICAST_MAX = 128,
	DEVX_ETH_VLANS_MAX = 128,
};

/**
 * struct devx_eth_filters - packets that a port receives
 * @promisc: all packets
 * @allmulti: all packets to multicast addresses
 * @unicast: packets to these addresses; entry 0 is the address of the port, and other entries may
 *           be zero, which is unused. ethdev's mac_addrs points to it
 * @multicast: packets to the first @n_multicast of these addresses
 * @n_multicast: number of entries
 * @vlans: packets with a tag of one of the first @n_vlans VLANs; 0 VLANs: any packets
 * @n_vlans: number of VLANs
 */
struct devx_eth_filters {
	bool promisc, allmulti;
	struct rte_ether_addr unicast[DEVX_ETH_UNICAST_MAX];
	struct rte_ether_addr multicast[DEVX_ETH_MULTICAST_MAX];
	uint16_t n_multicast;
	uint16_t n_vlans;
	uint16_t vlans[DEVX_ETH_VLANS_MAX];
};

#endif
