/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "attach/devx_ethdev.h"
#include "attach/devx_secondary.h"
#include "attach/devx_secondary_ops.h"
#include "burst/devx_desc_status.h"
#include "burst/devx_user_burst.h"
#include "devx_log.h"
#include "port/devx_info.h"
#include "port/devx_rss.h"
#include "queue/devx_rxq_lifecycle.h"
#include "queue/devx_txq_lifecycle.h"
#include "stats/devx_stats.h"

/* For an operation that is missing here, ethdev returns -ENOTSUP as well, but without a message. */
static int refuse_operation(const struct rte_eth_dev *ethdev, const char *operation)
{
	devx_eth_log(devx_eth_port_get(ethdev), ERR,
		     "%s: unsupported in a secondary process; use the primary one", operation);
	return -ENOTSUP;
}

/* Defines refuse_@name(). Its parameters @args begin with ethdev. */
#define REFUSE(name, args)                                                                         \
	static int refuse_##name args                                                              \
	{                                                                                          \
		return refuse_operation(ethdev, #name);                                            \
	}

/* clang-format off */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
REFUSE(configure, (struct rte_eth_dev *ethdev))
REFUSE(start, (struct rte_eth_dev *ethdev))
REFUSE(stop, (struct rte_eth_dev *ethdev))
REFUSE(link_up, (struct rte_eth_dev *ethdev))
REFUSE(link_down, (struct rte_eth_dev *ethdev))
REFUSE(stats_reset, (struct rte_eth_dev *ethdev))
REFUSE(xstats_reset, (struct rte_eth_dev *ethdev))
REFUSE(promiscuous, (struct rte_eth_dev *ethdev))
REFUSE(allmulticast, (struct rte_eth_dev *ethdev))
REFUSE(mtu, (struct rte_eth_dev *ethdev, uint16_t mtu))
REFUSE(mac_address, (struct rte_eth_dev *ethdev, struct rte_ether_addr *address))
REFUSE(mac_address_add,
       (struct rte_eth_dev *ethdev, struct rte_ether_addr *address, uint32_t at, uint32_t pool))
REFUSE(multicast_list,
       (struct rte_eth_dev *ethdev, struct rte_ether_addr *list, uint32_t n))
REFUSE(vlan_filter, (struct rte_eth_dev *ethdev, uint16_t vlan, int on))
REFUSE(vlan_offload, (struct rte_eth_dev *ethdev, int mask))
REFUSE(vlan_tpid, (struct rte_eth_dev *ethdev, enum rte_vlan_type type, uint16_t tpid))
REFUSE(rss_hash, (struct rte_eth_dev *ethdev, struct rte_eth_rss_conf *conf))
REFUSE(rss_table,
       (struct rte_eth_dev *ethdev, struct rte_eth_rss_reta_entry64 *conf, uint16_t n))
REFUSE(flow_control, (struct rte_eth_dev *ethdev, struct rte_eth_fc_conf *conf))
REFUSE(rx_queue_setup, (struct rte_eth_dev *ethdev, uint16_t queue, uint16_t n, unsigned int socket,
			const struct rte_eth_rxconf *conf, struct rte_mempool *pool))
REFUSE(tx_queue_setup, (struct rte_eth_dev *ethdev, uint16_t queue, uint16_t n, unsigned int socket,
			const struct rte_eth_txconf *conf))
REFUSE(queue_start, (struct rte_eth_dev *ethdev, uint16_t queue))
REFUSE(queue_stop, (struct rte_eth_dev *ethdev, uint16_t queue))
REFUSE(rx_interrupt, (struct rte_eth_dev *ethdev, uint16_t queue))
#pragma GCC diagnostic pop
/* clang-format on */

/* The primary process keeps the state of the link in shared memory. */
static int keep_link(struct rte_eth_dev *ethdev, int wait)
{
	RTE_SET_USED(ethdev);
	RTE_SET_USED(wait);
	return 0;
}

const struct eth_dev_ops devx_eth_secondary_ops = {
	.dev_infos_get = devx_eth_info_get,
	.dev_close = devx_eth_secondary_close,
	.dev_supported_ptypes_get = devx_eth_supported_ptypes_get,
	.fw_version_get = devx_eth_fw_version_get,
	.is_removed = devx_eth_secondary_is_removed,
	.link_update = keep_link,
	.rss_hash_conf_get = devx_eth_rss_hash_conf_get,
	.reta_query = devx_eth_rss_reta_query,
	.rxq_info_get = devx_eth_rxq_info_get,
	.txq_info_get = devx_eth_txq_info_get,
	.get_monitor_addr = devx_eth_rx_monitor_addr_get,
	.tx_done_cleanup = devx_eth_user_tx_done_cleanup,
	.stats_get = devx_eth_stats_get,
	.xstats_get = devx_eth_xstats_get,
	.xstats_get_names = devx_eth_xstats_get_names,

	.dev_configure = refuse_configure,
	.dev_start = refuse_start,
	.dev_stop = refuse_stop,
	.dev_set_link_up = refuse_link_up,
	.dev_set_link_down = refuse_link_down,
	.stats_reset = refuse_stats_reset,
	.xstats_reset = refuse_xstats_reset,
	.promiscuous_enable = refuse_promiscuous,
	.promiscuous_disable = refuse_promiscuous,
	.allmulticast_enable = refuse_allmulticast,
	.allmulticast_disable = refuse_allmulticast,
	.mtu_set = refuse_mtu,
	.mac_addr_set = refuse_mac_address,
	.mac_addr_add = refuse_mac_address_add,
	.set_mc_addr_list = refuse_multicast_list,
	.vlan_filter_set = refuse_vlan_filter,
	.vlan_offload_set = refuse_vlan_offload,
	.vlan_tpid_set = refuse_vlan_tpid,
	.rss_hash_update = refuse_rss_hash,
	.reta_update = refuse_rss_table,
	.flow_ctrl_set = refuse_flow_control,
	.rx_queue_setup = refuse_rx_queue_setup,
	.tx_queue_setup = refuse_tx_queue_setup,
	.rx_queue_start = refuse_queue_start,
	.rx_queue_stop = refuse_queue_stop,
	.tx_queue_start = refuse_queue_start,
	.tx_queue_stop = refuse_queue_stop,
	.rx_queue_intr_enable = refuse_rx_interrupt,
	.rx_queue_intr_disable = refuse_rx_interrupt,
};
