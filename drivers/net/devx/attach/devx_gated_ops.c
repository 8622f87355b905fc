/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "attach/devx_gated_ops.h"
#include "netdev/devx_flow_ctrl.h"
#include "port/devx_clock.h"
#include "port/devx_link.h"
#include "port/devx_mtu.h"
#include "port/devx_rss.h"
#include "port/devx_rx_filter.h"
#include "port/devx_runtime_queue.h"
#include "port/devx_start.h"
#include "port/devx_vlan_strip.h"
#include "queue/devx_queue_state.h"
#include "queue/devx_rx_interrupt.h"
#include "queue/devx_tx_rate.h"
#include "queue/devx_txq_offloads.h"
#include "stats/devx_stats.h"

/* Defines an operation @name that calls @function inside the gate. */
#define GATED(name, function, parameters, arguments)                                               \
	int devx_eth_gated_##name parameters                                                       \
	{                                                                                          \
		struct devx_eth *eth = devx_eth_port_get(ethdev);                                  \
		int rc = devx_eth_gate_enter(&eth->recovery.gate);                                 \
                                                                                                   \
		if (rc)                                                                            \
			return rc;                                                                 \
		rc = function arguments;                                                           \
		devx_eth_gate_leave(&eth->recovery.gate);                                          \
		return rc;                                                                         \
	}

/* clang-format off */
GATED(port_configure, devx_eth_port_configure, (struct rte_eth_dev *ethdev), (ethdev))
GATED(port_start, devx_eth_port_start, (struct rte_eth_dev *ethdev), (ethdev))
GATED(read_clock, devx_eth_clock_read,
      (struct rte_eth_dev *ethdev, uint64_t *clock),
      (ethdev, clock))
GATED(link_update, devx_eth_link_update, (struct rte_eth_dev *ethdev, int wait), (ethdev, wait))
GATED(dev_set_link_up, devx_eth_link_set_up, (struct rte_eth_dev *ethdev), (ethdev))
GATED(dev_set_link_down, devx_eth_link_set_down, (struct rte_eth_dev *ethdev), (ethdev))
GATED(flow_ctrl_get, devx_eth_flow_ctrl_get,
      (struct rte_eth_dev *ethdev, struct rte_eth_fc_conf *conf),
      (ethdev, conf))
GATED(flow_ctrl_set, devx_eth_flow_ctrl_set,
      (struct rte_eth_dev *ethdev, struct rte_eth_fc_conf *conf),
      (ethdev, conf))
GATED(get_module_info, devx_eth_module_info_get,
      (struct rte_eth_dev *ethdev, struct rte_eth_dev_module_info *info),
      (ethdev, info))
GATED(get_module_eeprom, devx_eth_module_eeprom_get,
      (struct rte_eth_dev *ethdev, struct rte_dev_eeprom_info *info),
      (ethdev, info))
GATED(mac_addr_set, devx_eth_mac_set,
      (struct rte_eth_dev *ethdev, struct rte_ether_addr *mac),
      (ethdev, mac))
GATED(mac_addr_add, devx_eth_mac_add,
      (struct rte_eth_dev *ethdev, struct rte_ether_addr *mac, uint32_t index, uint32_t pool),
      (ethdev, mac, index, pool))
GATED(set_mc_addr_list, devx_eth_multicast_set,
      (struct rte_eth_dev *ethdev, struct rte_ether_addr *list, uint32_t n),
      (ethdev, list, n))
GATED(vlan_filter_set, devx_eth_vlan_filter_set,
      (struct rte_eth_dev *ethdev, uint16_t vlan, int on),
      (ethdev, vlan, on))
GATED(mtu_set, devx_eth_mtu_set, (struct rte_eth_dev *ethdev, uint16_t mtu), (ethdev, mtu))
GATED(promiscuous_enable, devx_eth_promisc_enable, (struct rte_eth_dev *ethdev), (ethdev))
GATED(promiscuous_disable, devx_eth_promisc_disable, (struct rte_eth_dev *ethdev), (ethdev))
GATED(allmulticast_enable, devx_eth_allmulti_enable, (struct rte_eth_dev *ethdev), (ethdev))
GATED(allmulticast_disable, devx_eth_allmulti_disable, (struct rte_eth_dev *ethdev), (ethdev))
GATED(rss_hash_update, devx_eth_rss_hash_update,
      (struct rte_eth_dev *ethdev, struct rte_eth_rss_conf *conf),
      (ethdev, conf))
GATED(reta_update, devx_eth_rss_reta_update,
      (struct rte_eth_dev *ethdev, struct rte_eth_rss_reta_entry64 *conf, uint16_t n),
      (ethdev, conf, n))
GATED(rx_queue_start, devx_eth_queue_start_rx,
      (struct rte_eth_dev *ethdev, uint16_t queue),
      (ethdev, queue))
GATED(rx_queue_stop, devx_eth_queue_stop_rx,
      (struct rte_eth_dev *ethdev, uint16_t queue),
      (ethdev, queue))
GATED(tx_queue_start, devx_eth_queue_start_tx,
      (struct rte_eth_dev *ethdev, uint16_t queue),
      (ethdev, queue))
GATED(tx_queue_stop, devx_eth_queue_stop_tx,
      (struct rte_eth_dev *ethdev, uint16_t queue),
      (ethdev, queue))
GATED(rx_queue_intr_enable, devx_eth_rx_interrupt_enable,
      (struct rte_eth_dev *ethdev, uint16_t queue),
      (ethdev, queue))
GATED(rx_queue_intr_disable, devx_eth_rx_interrupt_disable,
      (struct rte_eth_dev *ethdev, uint16_t queue),
      (ethdev, queue))
GATED(vlan_offload_set, devx_eth_vlan_offload_set,
      (struct rte_eth_dev *ethdev, int mask),
      (ethdev, mask))
GATED(set_queue_rate_limit, devx_eth_tx_rate_set,
      (struct rte_eth_dev *ethdev, uint16_t queue, uint32_t mbps),
      (ethdev, queue, mbps))
GATED(vlan_tpid_set, devx_eth_tx_tpid_set,
      (struct rte_eth_dev *ethdev, enum rte_vlan_type type, uint16_t tpid),
      (ethdev, type, tpid))
GATED(stats_reset, devx_eth_stats_reset, (struct rte_eth_dev *ethdev), (ethdev))
GATED(xstats_reset, devx_eth_xstats_reset, (struct rte_eth_dev *ethdev), (ethdev))
GATED(rx_queue_setup, devx_eth_runtime_rxq_setup,
      (struct rte_eth_dev *ethdev, uint16_t queue, uint16_t n_desc,
       unsigned int socket, const struct rte_eth_rxconf *conf, struct rte_mempool *pool),
      (ethdev, queue, n_desc, socket, conf, pool))
GATED(tx_queue_setup, devx_eth_runtime_txq_setup,
      (struct rte_eth_dev *ethdev, uint16_t queue, uint16_t n_desc,
       unsigned int socket, const struct rte_eth_txconf *conf),
      (ethdev, queue, n_desc, socket, conf))
/* clang-format on */

void devx_eth_gated_rx_queue_release(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);

	pthread_mutex_lock(&eth->recovery.attempt);
	devx_eth_runtime_rxq_release(ethdev, queue);
	pthread_mutex_unlock(&eth->recovery.attempt);
}

void devx_eth_gated_tx_queue_release(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);

	pthread_mutex_lock(&eth->recovery.attempt);
	devx_eth_runtime_txq_release(ethdev, queue);
	pthread_mutex_unlock(&eth->recovery.attempt);
}

/* Without the device the filters change alone; the recovery makes the rules from them. */
void devx_eth_gated_mac_addr_remove(struct rte_eth_dev *ethdev, uint32_t index)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);

	pthread_mutex_lock(&eth->recovery.attempt);
	if (devx_eth_is_lost(eth)) {
		pthread_mutex_lock(&eth->lock);
		memset(&eth->filters.unicast[index], 0, sizeof(eth->filters.unicast[index]));
		pthread_mutex_unlock(&eth->lock);
	} else {
		devx_eth_mac_remove(ethdev, index);
	}
	pthread_mutex_unlock(&eth->recovery.attempt);
}

void devx_eth_gated_vlan_strip_queue_set(struct rte_eth_dev *ethdev, uint16_t queue, int on)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);

	pthread_mutex_lock(&eth->recovery.attempt);
	devx_eth_vlan_strip_queue_set(ethdev, queue, on);
	pthread_mutex_unlock(&eth->recovery.attempt);
}
