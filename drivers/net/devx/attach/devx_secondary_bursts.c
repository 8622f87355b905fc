/* SPDX-License-Identifier: BSD-3-Clause */
#include "attach/devx_secondary_bursts.h"

#include "burst/devx_burst_mode.h"
#include "burst/devx_user_burst.h"
#include "devx_log.h"
#include "devx_txq.h"
#include "devx_uar_pages.h"

void devx_eth_secondary_set_bursts(struct rte_eth_dev *ethdev, eth_rx_burst_t rx, eth_tx_burst_t tx)
{
	const struct devx_eth_attached *attached = ethdev->process_private;
	struct rte_eth_fp_ops *ops = &rte_eth_fp_ops[attached->port];

	ethdev->rx_pkt_burst = rx;
	ethdev->tx_pkt_burst = tx;
	if (ethdev->state == RTE_ETH_DEV_UNUSED)
		return; /* ethdev fills rte_eth_fp_ops at the end of probe */
	__atomic_store_n(&ops->rxq.data, ethdev->data->rx_queues, __ATOMIC_RELEASE);
	__atomic_store_n(&ops->txq.data, ethdev->data->tx_queues, __ATOMIC_RELEASE);
	__atomic_store_n(&ops->rx_pkt_burst, rx, __ATOMIC_RELEASE);
	__atomic_store_n(&ops->tx_pkt_burst, tx, __ATOMIC_RELEASE);
}

void devx_eth_secondary_stop_bursts(struct rte_eth_dev *ethdev)
{
	devx_eth_secondary_set_bursts(ethdev, rte_eth_pkt_burst_dummy, rte_eth_pkt_burst_dummy);
}

static int map_pages(struct rte_eth_dev *ethdev, int fd)
{
	const struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_eth_attached *attached = ethdev->process_private;
	struct devx_dev closed = { 0 };
	char why[DEVX_TEXT_BYTES + 64];

	for (uint16_t i = 0; i < eth->data->nb_tx_queues; i++) {
		const struct devx_eth_txq *txq = eth->data->tx_queues[i];
		int rc;

		if (!txq)
			continue;
		rc = devx_eth_uar_pages_map(&attached->pages, txq->uar.base, &closed, fd,
					    &txq->uar_share);
		if (!rc)
			continue;
		devx_eth_log(eth, ERR,
			     "Tx queue %u: cannot map the doorbell register at its address in the "
			     "primary process; start this process again: %s",
			     i, devx_strerror(&closed, rc, why, sizeof(why)));
		return rc;
	}
	return 0;
}

int devx_eth_secondary_start_bursts(struct rte_eth_dev *ethdev, int fd)
{
	const struct devx_eth *eth = devx_eth_port_get(ethdev);
	const int rc = map_pages(ethdev, fd);

	if (rc) {
		devx_eth_secondary_stop_bursts(ethdev); /* they may run since an earlier START */
		return rc;
	}
	devx_eth_user_select(eth->data->port_id, devx_eth_rx_burst_select(eth),
			     devx_eth_tx_burst_select(eth, eth->data->dev_conf.txmode.offloads));
	devx_eth_secondary_set_bursts(ethdev, devx_eth_user_rx_burst, devx_eth_user_tx_burst);
	return 0;
}
