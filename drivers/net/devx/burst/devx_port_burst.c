/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_burst_mode.h"
#include "burst/devx_port_burst.h"
#include "devx_rxq.h"
#include "devx_txq.h"

static struct {
	eth_rx_burst_t rx;
	eth_tx_burst_t tx;
} bursts[RTE_MAX_ETHPORTS]; /* for queues that are set up */

static uint16_t burst_if_set_up_rx(void *queue, struct rte_mbuf **pkts, uint16_t n)
{
	const struct devx_eth_rxq *rxq = queue;

	return rxq ? bursts[rxq->user.port].rx(queue, pkts, n) : 0;
}

static uint16_t burst_if_set_up_tx(void *queue, struct rte_mbuf **pkts, uint16_t n)
{
	const struct devx_eth_txq *txq = queue;

	return txq ? bursts[txq->user.port].tx(queue, pkts, n) : 0;
}

static bool has_all_queues(const struct rte_eth_dev_data *data)
{
	bool all = true;

	for (uint16_t i = 0; i < data->nb_rx_queues; i++)
		all &= data->rx_queues[i] != NULL;
	for (uint16_t i = 0; i < data->nb_tx_queues; i++)
		all &= data->tx_queues[i] != NULL;
	return all;
}

void devx_eth_port_burst_set(struct rte_eth_dev *ethdev, bool lacks_queue)
{
	const struct devx_eth *eth = devx_eth_port_get(ethdev);
	const uint16_t port = ethdev->data->port_id;
	const bool check = lacks_queue || !has_all_queues(ethdev->data);
	eth_rx_burst_t rx = devx_eth_rx_burst_select(eth);
	eth_tx_burst_t tx = devx_eth_tx_burst_select(eth, ethdev->data->dev_conf.txmode.offloads);

	__atomic_store_n(&bursts[port].rx, rx, __ATOMIC_RELEASE);
	__atomic_store_n(&bursts[port].tx, tx, __ATOMIC_RELEASE);
	ethdev->rx_pkt_burst = rx = check ? burst_if_set_up_rx : rx;
	ethdev->tx_pkt_burst = tx = check ? burst_if_set_up_tx : tx;
	if (!ethdev->data->dev_started)
		return; /* ethdev copies them at the end of the start */
	__atomic_store_n(&rte_eth_fp_ops[port].rx_pkt_burst, rx, __ATOMIC_RELEASE);
	__atomic_store_n(&rte_eth_fp_ops[port].tx_pkt_burst, tx, __ATOMIC_RELEASE);
}

eth_rx_burst_t devx_eth_port_burst_get_rx(const struct rte_eth_dev *ethdev)
{
	return ethdev->rx_pkt_burst == burst_if_set_up_rx ? bursts[ethdev->data->port_id].rx
							  : ethdev->rx_pkt_burst;
}

eth_tx_burst_t devx_eth_port_burst_get_tx(const struct rte_eth_dev *ethdev)
{
	return ethdev->tx_pkt_burst == burst_if_set_up_tx ? bursts[ethdev->data->port_id].tx
							  : ethdev->tx_pkt_burst;
}
