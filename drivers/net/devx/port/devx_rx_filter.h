/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_FILTER_H
#define DEVX_ETH_RX_FILTER_H

#include <rte_ether.h>

#include "devx_port.h"

/* Operations of ethdev that select which packets the port receives. Return: 0 or -errno, logged */

int devx_eth_mac_set(struct rte_eth_dev *ethdev, struct rte_ether_addr *mac);
int devx_eth_mac_add(struct rte_eth_dev *ethdev, struct rte_ether_addr *mac, uint32_t index,
		     uint32_t pool);
void devx_eth_mac_remove(struct rte_eth_dev *ethdev, uint32_t index);
int devx_eth_multicast_set(struct rte_eth_dev *ethdev, struct rte_ether_addr *list, uint32_t n);
int devx_eth_vlan_filter_set(struct rte_eth_dev *ethdev, uint16_t vlan, int on);
int devx_eth_promisc_enable(struct rte_eth_dev *ethdev);
int devx_eth_promisc_disable(struct rte_eth_dev *ethdev);
int devx_eth_allmulti_enable(struct rte_eth_dev *ethdev);
int devx_eth_allmulti_disable(struct rte_eth_dev *ethdev);

/**
 * devx_eth_vlan_filter_refresh - update the rules after a change of the offload VLAN_FILTER
 *
 * Does nothing on a stopped port. The caller holds eth->lock.
 *
 * Return: 0 or -errno, logged
 */
int devx_eth_vlan_filter_refresh(struct devx_eth *eth);

#endif
