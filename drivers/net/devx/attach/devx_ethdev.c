/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

#include "attach/devx_ethdev.h"
#include "attach/devx_gated_ops.h"
#include "burst/devx_burst_mode.h"
#include "burst/devx_desc_status.h"
#include "devx_hash.h"
#include "devx_missed.h"
#include "devx_types.h"
#include "loss/devx_device_recovery.h"
#include "loss/devx_event_handler.h"
#include "netdev/devx_flow_ctrl.h"
#include "netdev/devx_phy_stats.h"
#include "port/devx_clock.h"
#include "memory/devx_dmabuf.h"
#include "memory/devx_mr.h"
#include "port/devx_info.h"
#include "port/devx_link.h"
#include "port/devx_netdev.h"
#include "port/devx_rss.h"
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
	devx_eth_memory_release(eth); /* the tables are memory that the next call frees */
	devx_eth_processes_close(eth);
	for (uint16_t i = 0; i < ethdev->data->nb_rx_queues; i++)
		devx_eth_rxq_release(ethdev, i);
	for (uint16_t i = 0; i < ethdev->data->nb_tx_queues; i++)
		devx_eth_txq_release(ethdev, i);
	devx_eth_port_restore(eth);
	devx_eth_rx_interrupt_free(ethdev);
	devx_eth_missed_close(eth);
	devx_eth_phy_stats_close(eth);
	devx_eth_generator_free_all(eth);
	devx_eth_dmabuf_release(eth);
	devx_eth_shared_close(eth);
	devx_dev_close(&eth->dev);
	pthread_mutex_destroy(&eth->recovery.attempt);
	pthread_mutex_destroy(&eth->lock);
	ethdev->data->mac_addrs =
		NULL; /* it points into struct devx_eth, so ethdev must not free it */
	return 0;
}

const struct eth_dev_ops devx_eth_ops = {
	.dev_configure = devx_eth_gated_port_configure,
	.dev_infos_get = devx_eth_info_get,
	.dev_start = devx_eth_gated_port_start,
	.dev_stop = devx_eth_port_stop,
	.dev_close = devx_eth_port_close,
	.dev_supported_ptypes_get = devx_eth_supported_ptypes_get,
	.fw_version_get = devx_eth_fw_version_get,
	.eth_dev_priv_dump = devx_eth_dump,
	.is_removed = devx_eth_is_removed,
	.read_clock = devx_eth_gated_read_clock,
	.link_update = devx_eth_gated_link_update,
	.dev_set_link_up = devx_eth_gated_dev_set_link_up,
	.dev_set_link_down = devx_eth_gated_dev_set_link_down,
	.flow_ctrl_get = devx_eth_gated_flow_ctrl_get,
	.flow_ctrl_set = devx_eth_gated_flow_ctrl_set,
	.get_module_info = devx_eth_gated_get_module_info,
	.get_module_eeprom = devx_eth_gated_get_module_eeprom,
	.mac_addr_set = devx_eth_gated_mac_addr_set,
	.mac_addr_add = devx_eth_gated_mac_addr_add,
	.mac_addr_remove = devx_eth_gated_mac_addr_remove,
	.set_mc_addr_list = devx_eth_gated_set_mc_addr_list,
	.vlan_filter_set = devx_eth_gated_vlan_filter_set,
	.mtu_set = devx_eth_gated_mtu_set,
	.promiscuous_enable = devx_eth_gated_promiscuous_enable,
	.promiscuous_disable = devx_eth_gated_promiscuous_disable,
	.allmulticast_enable = devx_eth_gated_allmulticast_enable,
	.allmulticast_disable = devx_eth_gated_allmulticast_disable,
	.rss_hash_update = devx_eth_gated_rss_hash_update,
	.rss_hash_conf_get = devx_eth_rss_hash_conf_get,
	.reta_update = devx_eth_gated_reta_update,
	.reta_query = devx_eth_rss_reta_query,
	.rx_queue_setup = devx_eth_gated_rx_queue_setup,
	.rx_queue_release = devx_eth_gated_rx_queue_release,
	.rx_queue_start = devx_eth_gated_rx_queue_start,
	.rx_queue_stop = devx_eth_gated_rx_queue_stop,
	.rxq_info_get = devx_eth_rxq_info_get,
	.rx_queue_intr_enable = devx_eth_gated_rx_queue_intr_enable,
	.rx_queue_intr_disable = devx_eth_gated_rx_queue_intr_disable,
	.get_monitor_addr = devx_eth_rx_monitor_addr_get,
	.vlan_offload_set = devx_eth_gated_vlan_offload_set,
	.vlan_strip_queue_set = devx_eth_gated_vlan_strip_queue_set,
	.rx_burst_mode_get = devx_eth_rx_burst_mode_get,
	.tx_queue_setup = devx_eth_gated_tx_queue_setup,
	.tx_queue_release = devx_eth_gated_tx_queue_release,
	.tx_queue_start = devx_eth_gated_tx_queue_start,
	.tx_queue_stop = devx_eth_gated_tx_queue_stop,
	.txq_info_get = devx_eth_txq_info_get,
	.set_queue_rate_limit = devx_eth_gated_set_queue_rate_limit,
	.tx_done_cleanup = devx_eth_tx_done_cleanup,
	.tx_burst_mode_get = devx_eth_tx_burst_mode_get,
	.vlan_tpid_set = devx_eth_gated_vlan_tpid_set,
	.stats_get = devx_eth_stats_get,
	.stats_reset = devx_eth_gated_stats_reset,
	.xstats_get = devx_eth_xstats_get,
	.xstats_get_names = devx_eth_xstats_get_names,
	.xstats_reset = devx_eth_gated_xstats_reset,
};
