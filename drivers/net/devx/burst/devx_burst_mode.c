/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>

#include "burst/devx_burst_mode.h"
#include "burst/devx_rx_variants.h"
#include "burst/devx_tx_variants.h"
#include "devx_rxq.h"
#include "devx_txq.h"

/* Selects the burst functions of a port, and describes them to the application. */

static const struct {
	eth_tx_burst_t burst;
	const char *text;
} tx_modes[] = {
	{ devx_eth_tx_burst_multi, "multi-packet WQE, pointers" },
	{ devx_eth_tx_burst_full, "multi-packet WQE, pointers, checksums, segments" },
	{ devx_eth_tx_burst_vlan, "multi-packet WQE, pointers, checksums, segments, VLAN" },
	{ devx_eth_tx_burst_tso, "multi-packet WQE, pointers, checksums, segments, VLAN, TSO" },
	{ devx_eth_tx_burst_single, "WQE per packet, pointers, checksums, segments" },
	{ devx_eth_tx_burst_single_tso,
	  "WQE per packet, pointers, checksums, segments, VLAN, TSO" },
	{ devx_eth_tx_burst_full_bf,
	  "multi-packet WQE or BlueFlame, pointers, checksums, segments" },
	{ devx_eth_tx_burst_single_bf, "WQE per packet, BlueFlame, pointers, checksums, segments" },
	{ devx_eth_tx_burst_tso_bf,
	  "multi-packet WQE or BlueFlame, pointers, checksums, segments, VLAN, TSO" },
	{ devx_eth_tx_burst_single_tso_bf,
	  "WQE per packet, BlueFlame, pointers, checksums, segments, VLAN, TSO" },
};

static const struct {
	eth_rx_burst_t burst;
	const char *text;
} rx_modes[] = {
	{ devx_eth_rx_burst_plain, "scalar" },
	{ devx_eth_rx_burst_hash, "scalar, RSS hash" },
	{ devx_eth_rx_burst_full, "scalar, RSS hash, VLAN, timestamp, CRC" },
	{ devx_eth_rx_burst_scatter, "scalar, RSS hash, VLAN, timestamp, CRC, scattered" },
};

eth_rx_burst_t devx_eth_rx_burst_select(const struct devx_eth *eth)
{
	const uint64_t full = RTE_ETH_RX_OFFLOAD_VLAN_STRIP | RTE_ETH_RX_OFFLOAD_TIMESTAMP |
			      RTE_ETH_RX_OFFLOAD_KEEP_CRC;
	uint64_t offloads = eth->data->dev_conf.rxmode.offloads;
	bool scatter = false;

	for (uint16_t i = 0; i < eth->data->nb_rx_queues; i++) {
		const struct devx_eth_rxq *rxq = eth->data->rx_queues[i];

		offloads |= rxq ? rxq->offloads : 0;
		scatter |= rxq && rxq->log2_segs;
	}
	if (scatter)
		return devx_eth_rx_burst_scatter;
	if (offloads & full)
		return devx_eth_rx_burst_full;
	return offloads & RTE_ETH_RX_OFFLOAD_RSS_HASH ? devx_eth_rx_burst_hash
						      : devx_eth_rx_burst_plain;
}

eth_tx_burst_t devx_eth_tx_burst_select(const struct devx_eth *eth, uint64_t offloads)
{
	const bool empw = eth->dev.caps.enhanced_multi_pkt_send_wqe, bf = eth->args.tx_bf_wqe;
	const bool tso = offloads & DEVX_ETH_TX_TSO_OFFLOADS;
	const bool vlan = offloads & RTE_ETH_TX_OFFLOAD_VLAN_INSERT;

	if (bf && (tso || vlan))
		return empw ? devx_eth_tx_burst_tso_bf : devx_eth_tx_burst_single_tso_bf;
	if (bf)
		return empw ? devx_eth_tx_burst_full_bf : devx_eth_tx_burst_single_bf;
	if (!empw)
		return tso || vlan ? devx_eth_tx_burst_single_tso : devx_eth_tx_burst_single;
	if (tso)
		return devx_eth_tx_burst_tso;
	if (vlan)
		return devx_eth_tx_burst_vlan;
	return offloads & ~RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE ? devx_eth_tx_burst_full
							     : devx_eth_tx_burst_multi;
}

int devx_eth_tx_burst_mode_get(struct rte_eth_dev *ethdev, uint16_t queue,
			       struct rte_eth_burst_mode *mode)
{
	const struct devx_eth_txq *txq = ethdev->data->tx_queues[queue];

	for (unsigned int i = 0; i < RTE_DIM(tx_modes); i++)
		if (tx_modes[i].burst == ethdev->tx_pkt_burst) {
			snprintf(mode->info, sizeof(mode->info), "%s%s", tx_modes[i].text,
				 txq->fast_free ? ", fast free" : "");
			return 0;
		}
	return -EINVAL; /* a stopped port has ethdev's dummy function, which tx_modes lacks */
}

int devx_eth_rx_burst_mode_get(struct rte_eth_dev *ethdev, uint16_t queue,
			       struct rte_eth_burst_mode *mode)
{
	const struct devx_eth_rxq *rxq = ethdev->data->rx_queues[queue];

	for (unsigned int i = 0; i < RTE_DIM(rx_modes); i++)
		if (rx_modes[i].burst == ethdev->rx_pkt_burst) {
			snprintf(mode->info, sizeof(mode->info), "%s, %s", rx_modes[i].text,
				 rxq->one_range ? "one memory key" : "several memory keys");
			return 0;
		}
	return -EINVAL; /* a stopped port has ethdev's dummy function, which rx_modes lacks */
}
