/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>

#include "burst/devx_burst_mode.h"
#include "burst/devx_port_burst.h"
#include "burst/devx_tx_variants.h"
#include "devx_txq.h"

static const struct {
	eth_tx_burst_t burst;
	unsigned int flags;
} variants[] = {
#define TX_VARIANT(name, ...) { devx_eth_tx_burst_##name, devx_eth_tx_flags_##name },
#include "burst/devx_tx_variants.def"
};

/* Returns whether a queue copies packets. A new configuration may have fewer queues than before. */
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
	/* a variant must have all wanted flags, and none of these if it is not wanted */
	const unsigned int exact = DEVX_ETH_TX_EMPW | DEVX_ETH_TX_BF | DEVX_ETH_TX_INLINE;
	unsigned int wanted = 0, i = 0;

	if (has_copies(eth))
		wanted |= DEVX_ETH_TX_EMPW | DEVX_ETH_TX_INLINE;
	else if (eth->dev.caps.enhanced_multi_pkt_send_wqe &&
		 eth->args.tx_burst != DEVX_ETH_TX_SINGLE)
		wanted |= DEVX_ETH_TX_EMPW;
	if (eth->args.tx_bf_wqe && has_blueflame(eth))
		wanted |= DEVX_ETH_TX_BF;
	if (offloads & ~RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE)
		wanted |= DEVX_ETH_TX_FULL;
	if (offloads & RTE_ETH_TX_OFFLOAD_VLAN_INSERT)
		wanted |= DEVX_ETH_TX_VLAN;
	if (offloads & DEVX_ETH_TX_TSO_OFFLOADS)
		wanted |= DEVX_ETH_TX_TSO;
	/* for each combination of the exact flags there is a row with all other flags */
	while (i + 1 < RTE_DIM(variants) &&
	       (wanted & ~variants[i].flags || variants[i].flags & exact & ~wanted))
		i++;
	return variants[i].burst;
}

static void describe_variant(const struct devx_eth_txq *txq, unsigned int flags, char *text,
			     size_t bytes)
{
	const bool empw = flags & DEVX_ETH_TX_EMPW,
		   bf = flags & DEVX_ETH_TX_BF && txq->uar.bf_bytes;
	char copies[32] = "";

	if (txq->inline_max)
		snprintf(copies, sizeof(copies), ", inline up to %u bytes", txq->inline_max);
	snprintf(text, bytes, "%s%s, pointers%s%s%s%s%s%s",
		 empw ? "multi-packet WQE" : "WQE per packet",
		 !bf    ? ""
		 : empw ? " or BlueFlame"
			: ", BlueFlame",
		 flags & DEVX_ETH_TX_FULL ? ", checksums, segments" : "",
		 flags & DEVX_ETH_TX_VLAN ? ", VLAN" : "", flags & DEVX_ETH_TX_TSO ? ", TSO" : "",
		 copies, txq->fast_free ? ", fast free" : "",
		 txq->uar.shared && txq->eth->uar_type != DEVX_UAR_NC ? ", shared doorbell register"
								      : "");
}

int devx_eth_tx_burst_mode_get(struct rte_eth_dev *ethdev, uint16_t queue,
			       struct rte_eth_burst_mode *mode)
{
	const struct devx_eth_txq *txq = ethdev->data->tx_queues[queue];
	const eth_tx_burst_t burst = devx_eth_port_burst_get_tx(ethdev);

	for (unsigned int i = 0; txq && i < RTE_DIM(variants); i++)
		if (variants[i].burst == burst) {
			describe_variant(txq, variants[i].flags, mode->info, sizeof(mode->info));
			return 0;
		}
	return -EINVAL; /* a stopped port has ethdev's dummy function, which is not a variant */
}
