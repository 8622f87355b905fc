/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/devx_info.h"
#include "port/devx_mtu.h"
#include "port/devx_rss.h"
#include "queue/devx_desc.h"
#include "queue/devx_queue_limits.h"
#include "queue/devx_rxq_offloads.h"
#include "queue/devx_txq_lifecycle.h"
#include "queue/devx_txq_offloads.h"

static void set_queue_limits(const struct devx_eth *eth, struct rte_eth_dev_info *info)
{
	const struct devx_caps *caps = &eth->dev.caps;

	info->max_rx_queues = devx_eth_queue_get_max_rx(eth);
	info->max_tx_queues = devx_eth_queue_get_max_tx(eth);
	info->rx_desc_lim.nb_min = info->tx_desc_lim.nb_min = DEVX_ETH_DESC_MIN;
	info->rx_desc_lim.nb_max = info->tx_desc_lim.nb_max = devx_eth_desc_get_max(eth);
	info->rx_desc_lim.nb_align = info->tx_desc_lim.nb_align = 1;
	info->tx_desc_lim.nb_mtu_seg_max = devx_eth_tx_get_max_segs(eth, DEVX_ETH_DESC_MIN);
	/* TSO leaves room for fewer segments, because the WQE also contains the headers */
	info->tx_desc_lim.nb_seg_max =
		caps->max_lso_cap ? devx_eth_tx_get_max_tso_segs(eth, DEVX_ETH_DESC_MIN)
				  : info->tx_desc_lim.nb_mtu_seg_max;
}

static void set_frame_limits(const struct devx_eth *eth, struct rte_eth_dev_info *info)
{
	info->min_mtu = RTE_ETHER_MIN_MTU;
	info->max_mtu = devx_eth_mtu_get_max(eth);
	info->max_rx_pktlen = info->max_mtu + DEVX_ETH_OVERHEAD;
	info->min_rx_bufsize = DEVX_ETH_RX_BUF_MIN;
}

static void set_defaults(const struct devx_eth *eth, struct rte_eth_dev_info *info)
{
	info->default_rxportconf = info->default_txportconf = (struct rte_eth_dev_portconf){
		.burst_size = DEVX_ETH_BURST_DEFAULT,
		.ring_size = RTE_MIN(DEVX_ETH_DESC_DEFAULT, devx_eth_desc_get_max(eth)),
		.nb_queues = 1,
	};
	info->default_rxconf.rx_drop_en = 1;
}

int devx_eth_info_get(struct rte_eth_dev *ethdev, struct rte_eth_dev_info *info)
{
	const struct devx_eth *eth = devx_eth_port_get(ethdev);

	set_frame_limits(eth, info);
	set_queue_limits(eth, info);
	info->if_index = eth->if_index;
	info->speed_capa = eth->speed_capa;
	info->max_mac_addrs = DEVX_ETH_UNICAST_MAX;
	info->rx_queue_offload_capa = info->rx_offload_capa =
		devx_eth_rx_offloads_get(&eth->dev.caps);
	if (eth->dev.caps.match_vlan)
		info->rx_offload_capa |=
			RTE_ETH_RX_OFFLOAD_VLAN_FILTER; /* ports have it, queues do not */
	info->tx_offload_capa = devx_eth_tx_offloads_get(&eth->dev.caps);
	info->dev_capa |=
		RTE_ETH_DEV_CAPA_RUNTIME_RX_QUEUE_SETUP | RTE_ETH_DEV_CAPA_RUNTIME_TX_QUEUE_SETUP;
	info->err_handle_mode = eth->args.recovery_wait ? RTE_ETH_ERROR_HANDLE_MODE_PROACTIVE
							: RTE_ETH_ERROR_HANDLE_MODE_NONE;
	devx_eth_rss_get_info(eth, info);
	set_defaults(eth, info);
	return 0;
}
