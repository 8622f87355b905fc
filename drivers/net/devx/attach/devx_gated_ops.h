/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_GATED_OPS_H
#define DEVX_ETH_GATED_OPS_H

#include "devx_port.h"

/*
 * Operations for ethdev behind the gate of a port (devx_gate.h): -EBUSY while its device recovers,
 * and -EIO after a recovery that failed.
 * Four functions have no result. They wait for the recovery thread instead.
 */
int devx_eth_gated_port_configure(struct rte_eth_dev *ethdev);
int devx_eth_gated_port_start(struct rte_eth_dev *ethdev);
int devx_eth_gated_read_clock(struct rte_eth_dev *ethdev, uint64_t *clock);
int devx_eth_gated_link_update(struct rte_eth_dev *ethdev, int wait);
int devx_eth_gated_dev_set_link_up(struct rte_eth_dev *ethdev);
int devx_eth_gated_dev_set_link_down(struct rte_eth_dev *ethdev);
int devx_eth_gated_flow_ctrl_get(struct rte_eth_dev *ethdev, struct rte_eth_fc_conf *conf);
int devx_eth_gated_flow_ctrl_set(struct rte_eth_dev *ethdev, struct rte_eth_fc_conf *conf);
int devx_eth_gated_get_module_info(struct rte_eth_dev *ethdev,
				   struct rte_eth_dev_module_info *info);
int devx_eth_gated_get_module_eeprom(struct rte_eth_dev *ethdev, struct rte_dev_eeprom_info *info);
int devx_eth_gated_mac_addr_set(struct rte_eth_dev *ethdev, struct rte_ether_addr *mac);
int devx_eth_gated_mac_addr_add(struct rte_eth_dev *ethdev, struct rte_ether_addr *mac,
				uint32_t index, uint32_t pool);
int devx_eth_gated_set_mc_addr_list(struct rte_eth_dev *ethdev, struct rte_ether_addr *list,
				    uint32_t n);
int devx_eth_gated_vlan_filter_set(struct rte_eth_dev *ethdev, uint16_t vlan, int on);
int devx_eth_gated_mtu_set(struct rte_eth_dev *ethdev, uint16_t mtu);
int devx_eth_gated_promiscuous_enable(struct rte_eth_dev *ethdev);
int devx_eth_gated_promiscuous_disable(struct rte_eth_dev *ethdev);
int devx_eth_gated_allmulticast_enable(struct rte_eth_dev *ethdev);
int devx_eth_gated_allmulticast_disable(struct rte_eth_dev *ethdev);
int devx_eth_gated_rss_hash_update(struct rte_eth_dev *ethdev, struct rte_eth_rss_conf *conf);
int devx_eth_gated_reta_update(struct rte_eth_dev *ethdev, struct rte_eth_rss_reta_entry64 *conf,
			       uint16_t n);
int devx_eth_gated_rx_queue_start(struct rte_eth_dev *ethdev, uint16_t queue);
int devx_eth_gated_rx_queue_stop(struct rte_eth_dev *ethdev, uint16_t queue);
int devx_eth_gated_tx_queue_start(struct rte_eth_dev *ethdev, uint16_t queue);
int devx_eth_gated_tx_queue_stop(struct rte_eth_dev *ethdev, uint16_t queue);
int devx_eth_gated_rx_queue_intr_enable(struct rte_eth_dev *ethdev, uint16_t queue);
int devx_eth_gated_rx_queue_intr_disable(struct rte_eth_dev *ethdev, uint16_t queue);
int devx_eth_gated_vlan_offload_set(struct rte_eth_dev *ethdev, int mask);
int devx_eth_gated_set_queue_rate_limit(struct rte_eth_dev *ethdev, uint16_t queue, uint32_t mbps);
int devx_eth_gated_vlan_tpid_set(struct rte_eth_dev *ethdev, enum rte_vlan_type type,
				 uint16_t tpid);
int devx_eth_gated_stats_reset(struct rte_eth_dev *ethdev);
int devx_eth_gated_xstats_reset(struct rte_eth_dev *ethdev);
int devx_eth_gated_rx_queue_setup(struct rte_eth_dev *ethdev, uint16_t queue, uint16_t n_desc,
				  unsigned int socket, const struct rte_eth_rxconf *conf,
				  struct rte_mempool *pool);
int devx_eth_gated_tx_queue_setup(struct rte_eth_dev *ethdev, uint16_t queue, uint16_t n_desc,
				  unsigned int socket, const struct rte_eth_txconf *conf);
void devx_eth_gated_rx_queue_release(struct rte_eth_dev *ethdev, uint16_t queue);
void devx_eth_gated_tx_queue_release(struct rte_eth_dev *ethdev, uint16_t queue);
void devx_eth_gated_mac_addr_remove(struct rte_eth_dev *ethdev, uint32_t index);
void devx_eth_gated_vlan_strip_queue_set(struct rte_eth_dev *ethdev, uint16_t queue, int on);

#endif
