/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "attach/devx_ethdev.h"
#include "burst/devx_burst_mode.h"
#include "burst/devx_desc_status.h"
#include "burst/devx_tx_prepare.h"
#include "devx/clock.h"
#include "devx_hash.h"
#include "devx_missed.h"
#include "devx_types.h"
#include "loss/devx_device_recovery.h"
#include "loss/devx_event_handler.h"
#include "memory/devx_dmabuf.h"
#include "memory/devx_mr.h"
#include "netdev/devx_flow_ctrl.h"
#include "netdev/devx_phy_stats.h"
#include "port/devx_info.h"
#include "port/devx_link.h"
#include "port/devx_mtu.h"
#include "port/devx_netdev.h"
#include "port/devx_rss.h"
#include "port/devx_runtime_queue.h"
#include "port/devx_rx_filter.h"
#include "port/devx_shared.h"
#include "port/devx_start.h"
#include "port/devx_vlan_strip.h"
#include "process/devx_processes.h"
#include "queue/devx_desc.h"
#include "queue/devx_generator_lifecycle.h"
#include "queue/devx_queue_state.h"
#include "queue/devx_rx_interrupt.h"
#include "queue/devx_rxq_lifecycle.h"
#include "queue/devx_tx_rate.h"
#include "queue/devx_txq_lifecycle.h"
#include "queue/devx_txq_offloads.h"
#include "stats/devx_dump.h"
#include "stats/devx_stats.h"
#include "stats/devx_telemetry.h"

int devx_eth_fw_version_get(struct rte_eth_dev *ethdev, char *buf, size_t bytes)
{
	const int n = snprintf(buf, bytes, "%s", devx_eth_port_get(ethdev)->dev.fw_version) + 1;

	return (size_t)n > bytes ? n : 0;
}

const uint32_t *devx_eth_supported_ptypes_get(DEVX_ETH_PTYPES_ARGS)
{
	const struct devx_eth *eth = devx_eth_port_get(ethdev);
	unsigned int n;
	const uint32_t *list = devx_eth_ptypes_get(devx_eth_hash_has_inner(eth), &n);

	devx_eth_ptypes_set_count(n);
	return list;
}

int devx_eth_port_close(struct rte_eth_dev *ethdev)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);

	devx_eth_telemetry_remove(eth);
	devx_eth_recovery_end(eth);
	devx_eth_events_close(eth);
	if (ethdev->data->dev_started) {
		devx_eth_port_stop(ethdev);
		ethdev->data->dev_started = 0;
	}
	devx_eth_memory_release(eth); /* before devx_eth_processes_close() frees the tables */
	devx_eth_processes_close(eth);
	for (uint16_t i = 0; i < ethdev->data->nb_rx_queues; i++)
		devx_eth_rxq_release(ethdev, i);
	for (uint16_t i = 0; i < ethdev->data->nb_tx_queues; i++)
		devx_eth_txq_release(ethdev, i);
	devx_eth_netdev_undo(eth);
	devx_eth_rx_interrupt_free(ethdev);
	devx_eth_missed_close(eth);
	devx_eth_phy_stats_close(eth);
	devx_eth_generator_free_all(eth);
	devx_eth_dmabuf_release(eth);
	devx_eth_shared_close(eth);
	devx_dev_close(&eth->dev);
	pthread_mutex_destroy(&eth->recovery.attempt);
	pthread_mutex_destroy(&eth->lock);
	ethdev->data->mac_addrs = NULL; /* a part of struct devx_eth: ethdev must not free it */
	return 0;
}

/*
 * Reads the clock of Rx timestamps: cycles of a free-running clock, or nanoseconds of a real-time
 * clock. If a device has both, the first start of the port shows which one it uses; until then this
 * reads the free-running clock. On failure *@clock does not change. Returns -ENOTSUP if the kernel
 * does not map the clock.
 */
static int read_clock(struct rte_eth_dev *ethdev, uint64_t *clock)
{
	const struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc;

	if (devx_eth_is_lost(eth))
		return -EIO;
	rc = devx_eth_has_real_time(eth) ? devx_clock_read_real_time(&eth->dev, clock)
					 : devx_clock_read(&eth->dev, clock);
	return rc == -EOPNOTSUPP ? -ENOTSUP : rc;
}

/*
 * The gate of a port (devx_gate.h): a gated operation returns -EBUSY while the device recovers, and
 * -EIO after a recovery that failed. GATED() defines an operation @name that calls @function inside
 * the gate. The four operations without a result wait for the recovery thread instead.
 */
#define GATED(name, function, parameters, arguments)                                               \
	static int gated_##name parameters                                                         \
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
GATED(read_clock, read_clock,
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

/* Defines an operation @name that calls @function while no recovery attempt is running. */
#define WAITING(name, function, parameters, arguments)                                             \
	static void gated_##name parameters                                                        \
	{                                                                                          \
		struct devx_eth *eth = devx_eth_port_get(ethdev);                                  \
                                                                                                   \
		pthread_mutex_lock(&eth->recovery.attempt);                                        \
		function arguments;                                                                \
		pthread_mutex_unlock(&eth->recovery.attempt);                                      \
	}

/* clang-format off */
WAITING(rx_queue_release, devx_eth_runtime_rxq_release,
	(struct rte_eth_dev *ethdev, uint16_t queue),
	(ethdev, queue))
WAITING(tx_queue_release, devx_eth_runtime_txq_release,
	(struct rte_eth_dev *ethdev, uint16_t queue),
	(ethdev, queue))
WAITING(vlan_strip_queue_set, devx_eth_vlan_strip_queue_set,
	(struct rte_eth_dev *ethdev, uint16_t queue, int on),
	(ethdev, queue, on))
/* clang-format on */

/* While the device is lost, only the filters change. The recovery recreates the rules from them. */
static void gated_mac_addr_remove(struct rte_eth_dev *ethdev, uint32_t index)
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

const struct eth_dev_ops devx_eth_ops = {
	.dev_configure = gated_port_configure,
	.dev_infos_get = devx_eth_info_get,
	.dev_start = gated_port_start,
	.dev_stop = devx_eth_port_stop,
	.dev_close = devx_eth_port_close,
	.dev_supported_ptypes_get = devx_eth_supported_ptypes_get,
	.fw_version_get = devx_eth_fw_version_get,
	.eth_dev_priv_dump = devx_eth_dump,
	.is_removed = devx_eth_is_removed,
	.read_clock = gated_read_clock,
	.link_update = gated_link_update,
	.dev_set_link_up = gated_dev_set_link_up,
	.dev_set_link_down = gated_dev_set_link_down,
	.flow_ctrl_get = gated_flow_ctrl_get,
	.flow_ctrl_set = gated_flow_ctrl_set,
	.get_module_info = gated_get_module_info,
	.get_module_eeprom = gated_get_module_eeprom,
	.mac_addr_set = gated_mac_addr_set,
	.mac_addr_add = gated_mac_addr_add,
	.mac_addr_remove = gated_mac_addr_remove,
	.set_mc_addr_list = gated_set_mc_addr_list,
	.vlan_filter_set = gated_vlan_filter_set,
	.mtu_set = gated_mtu_set,
	.promiscuous_enable = gated_promiscuous_enable,
	.promiscuous_disable = gated_promiscuous_disable,
	.allmulticast_enable = gated_allmulticast_enable,
	.allmulticast_disable = gated_allmulticast_disable,
	.rss_hash_update = gated_rss_hash_update,
	.rss_hash_conf_get = devx_eth_rss_hash_conf_get,
	.reta_update = gated_reta_update,
	.reta_query = devx_eth_rss_reta_query,
	.rx_queue_setup = gated_rx_queue_setup,
	.rx_queue_release = gated_rx_queue_release,
	.rx_queue_start = gated_rx_queue_start,
	.rx_queue_stop = gated_rx_queue_stop,
	.rxq_info_get = devx_eth_rxq_info_get,
	.rx_queue_intr_enable = gated_rx_queue_intr_enable,
	.rx_queue_intr_disable = gated_rx_queue_intr_disable,
	.get_monitor_addr = devx_eth_rx_monitor_addr_get,
	.vlan_offload_set = gated_vlan_offload_set,
	.vlan_strip_queue_set = gated_vlan_strip_queue_set,
	.rx_burst_mode_get = devx_eth_rx_burst_mode_get,
	.tx_queue_setup = gated_tx_queue_setup,
	.tx_queue_release = gated_tx_queue_release,
	.tx_queue_start = gated_tx_queue_start,
	.tx_queue_stop = gated_tx_queue_stop,
	.txq_info_get = devx_eth_txq_info_get,
	.set_queue_rate_limit = gated_set_queue_rate_limit,
	.tx_done_cleanup = devx_eth_tx_done_cleanup,
	.tx_burst_mode_get = devx_eth_tx_burst_mode_get,
	.vlan_tpid_set = gated_vlan_tpid_set,
	.stats_get = devx_eth_stats_get,
	.stats_reset = gated_stats_reset,
	.xstats_get = devx_eth_xstats_get,
	.xstats_get_names = devx_eth_xstats_get_names,
	.xstats_reset = gated_xstats_reset,
};

void devx_eth_set_functions(struct rte_eth_dev *ethdev, const struct eth_dev_ops *ops)
{
	ethdev->dev_ops = ops;
	ethdev->rx_pkt_burst = rte_eth_pkt_burst_dummy;
	ethdev->tx_pkt_burst = rte_eth_pkt_burst_dummy;
	ethdev->tx_pkt_prepare = devx_eth_tx_prepare;
	ethdev->rx_queue_count = devx_eth_rx_queue_count;
	ethdev->rx_descriptor_status = devx_eth_rx_descriptor_status;
	ethdev->tx_descriptor_status = devx_eth_tx_descriptor_status;
	devx_eth_set_tx_queue_count(ethdev, devx_eth_tx_queue_count);
}
