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
	{ devx_eth_tx_burst_single, "WQE per packet, pointers, checksums, segments" },
	{ devx_eth_tx_burst_full_bf,
	  "multi-packet WQE or BlueFlame, pointers, checksums, segments" },
	{ devx_eth_tx_burst_single_bf, "WQE per packet, BlueFlame, pointers, checksums, segments" },
};

eth_rx_burst_t devx_eth_rx_burst_select(const struct devx_eth *eth, uint64_t offloads)
{
	RTE_SET_USED(eth);
	RTE_SET_USED(offloads);
	return devx_eth_rx_burst_scalar;
}

eth_tx_burst_t devx_eth_tx_burst_select(const struct devx_eth *eth, uint64_t offloads)
{
	const bool empw = eth->dev.caps.enhanced_multi_pkt_send_wqe;

	if (eth->args.tx_bf_wqe)
		return empw ? devx_eth_tx_burst_full_bf : devx_eth_tx_burst_single_bf;
	if (!empw)
		return devx_eth_tx_burst_single;
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

	if (ethdev->rx_pkt_burst != devx_eth_rx_burst_scalar)
		return -EINVAL;
	snprintf(mode->info, sizeof(mode->info), "scalar, %s",
		 rxq->one_range ? "one memory key" : "several memory keys");
	return 0;
}
