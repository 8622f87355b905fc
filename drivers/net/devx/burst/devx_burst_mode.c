/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>

#include "burst/devx_burst_mode.h"
#include "burst/devx_port_burst.h"
#include "burst/devx_tx_variants.h"
#include "devx_txq.h"

/* Selects the send function of a port, and describes it to the application. */

#define MULTI "multi-packet WQE"
#define SINGLE "WQE per packet"

/* @bf: also if the queue has a BlueFlame register */
static const struct {
	eth_tx_burst_t burst;
	const char *wqe, *bf, *rest;
} tx_modes[] = {
	{ devx_eth_tx_burst_multi, MULTI, "", ", pointers" },
	{ devx_eth_tx_burst_full, MULTI, "", ", pointers, checksums, segments" },
	{ devx_eth_tx_burst_vlan, MULTI, "", ", pointers, checksums, segments, VLAN" },
	{ devx_eth_tx_burst_tso, MULTI, "", ", pointers, checksums, segments, VLAN, TSO" },
	{ devx_eth_tx_burst_single, SINGLE, "", ", pointers, checksums, segments" },
	{ devx_eth_tx_burst_single_tso, SINGLE, "", ", pointers, checksums, segments, VLAN, TSO" },
	{ devx_eth_tx_burst_full_bf, MULTI, " or BlueFlame", ", pointers, checksums, segments" },
	{ devx_eth_tx_burst_single_bf, SINGLE, ", BlueFlame", ", pointers, checksums, segments" },
	{ devx_eth_tx_burst_tso_bf, MULTI, " or BlueFlame",
	  ", pointers, checksums, segments, VLAN, TSO" },
	{ devx_eth_tx_burst_single_tso_bf, SINGLE, ", BlueFlame",
	  ", pointers, checksums, segments, VLAN, TSO" },
	{ devx_eth_tx_burst_copy_multi, MULTI, "", ", pointers" },
	{ devx_eth_tx_burst_copy_full, MULTI, "", ", pointers, checksums, segments" },
	{ devx_eth_tx_burst_copy_tso, MULTI, "", ", pointers, checksums, segments, VLAN, TSO" },
	{ devx_eth_tx_burst_copy_tso_bf, MULTI, " or BlueFlame",
	  ", pointers, checksums, segments, VLAN, TSO" },
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

/*
 * Returns whether a queue of a started port has a BlueFlame register. The functions for it also
 * send on queues that share a non-cached register (devx_queue_uar.h).
 */
static bool has_blueflame(const struct devx_eth *eth)
{
	for (uint16_t i = 0; i < eth->data->nb_tx_queues; i++) {
		const struct devx_eth_txq *txq = eth->data->tx_queues[i];

		if (txq && txq->uar.bf_bytes)
			return true;
	}
	return false;
}

eth_tx_burst_t devx_eth_tx_burst_select(const struct devx_eth *eth, uint64_t offloads)
{
	const bool empw = eth->dev.caps.enhanced_multi_pkt_send_wqe &&
			  eth->args.tx_burst != DEVX_ETH_TX_SINGLE;
	const bool bf = eth->args.tx_bf_wqe && has_blueflame(eth);
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
	const eth_tx_burst_t burst = devx_eth_port_burst_get_tx(ethdev);

	for (unsigned int i = 0; txq && i < RTE_DIM(tx_modes); i++)
		if (tx_modes[i].burst == burst) {
			char copies[32] = "";

			if (txq->inline_max)
				snprintf(copies, sizeof(copies), ", inline up to %u bytes",
					 txq->inline_max);
			snprintf(mode->info, sizeof(mode->info), "%s%s%s%s%s%s", tx_modes[i].wqe,
				 txq->uar.bf_bytes ? tx_modes[i].bf : "", tx_modes[i].rest, copies,
				 txq->fast_free ? ", fast free" : "",
				 txq->uar.shared && txq->eth->uar_type != DEVX_UAR_NC
					 ? ", shared doorbell register"
					 : "");
			return 0;
		}
	return -EINVAL; /* a stopped port has ethdev's dummy function, which tx_modes lacks */
}
