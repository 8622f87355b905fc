/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>

#include "burst/devx_burst_mode.h"
#include "burst/devx_tx_variants.h"
#include "devx_txq.h"

/* Selects the send function of a port, and describes it to the application. */

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
	{ devx_eth_tx_burst_copy_multi, "multi-packet WQE, pointers" },
	{ devx_eth_tx_burst_copy_full, "multi-packet WQE, pointers, checksums, segments" },
	{ devx_eth_tx_burst_copy_tso,
	  "multi-packet WQE, pointers, checksums, segments, VLAN, TSO" },
	{ devx_eth_tx_burst_copy_tso_bf,
	  "multi-packet WQE or BlueFlame, pointers, checksums, segments, VLAN, TSO" },
};

/* Returns the function of a port with copied packets, which needs multi-packet WQEs. */
static eth_tx_burst_t select_copy(bool bf, uint64_t offloads)
{
	if (bf)
		return devx_eth_tx_burst_copy_tso_bf;
	if (offloads & (DEVX_ETH_TX_TSO_OFFLOADS | RTE_ETH_TX_OFFLOAD_VLAN_INSERT))
		return devx_eth_tx_burst_copy_tso;
	return offloads & ~RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE ? devx_eth_tx_burst_copy_full
							     : devx_eth_tx_burst_copy_multi;
}

/* Returns whether a queue copies packets. Its number of queues may have changed since its setup. */
static bool has_copies(const struct devx_eth *eth)
{
	for (uint16_t i = 0; i < eth->data->nb_tx_queues; i++) {
		const struct devx_eth_txq *txq = eth->data->tx_queues[i];

		if (txq && txq->inline_max)
			return true;
	}
	return false;
}

eth_tx_burst_t devx_eth_tx_burst_select(const struct devx_eth *eth, uint64_t offloads)
{
	const bool empw = eth->dev.caps.enhanced_multi_pkt_send_wqe &&
			  eth->args.tx_burst != DEVX_ETH_TX_SINGLE;
	const bool bf = eth->args.tx_bf_wqe;
	const bool tso = offloads & DEVX_ETH_TX_TSO_OFFLOADS;
	const bool vlan = offloads & RTE_ETH_TX_OFFLOAD_VLAN_INSERT;

	if (has_copies(eth))
		return select_copy(bf, offloads);
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
			char copies[32] = "";

			if (txq->inline_max)
				snprintf(copies, sizeof(copies), ", inline up to %u bytes",
					 txq->inline_max);
			snprintf(mode->info, sizeof(mode->info), "%s%s%s", tx_modes[i].text, copies,
				 txq->fast_free ? ", fast free" : "");
			return 0;
		}
	return -EINVAL; /* a stopped port has ethdev's dummy function, which tx_modes lacks */
}
