/* SPDX-License-Identifier: BSD-3-Clause */
#include "attach/devx_functions.h"
#include "burst/devx_desc_status.h"
#include "burst/devx_tx_prepare.h"

void devx_eth_set_functions(struct rte_eth_dev *ethdev, const struct eth_dev_ops *ops)
{
	ethdev->dev_ops = ops;
	ethdev->rx_pkt_burst = rte_eth_pkt_burst_dummy;
	ethdev->tx_pkt_burst = rte_eth_pkt_burst_dummy;
	ethdev->tx_pkt_prepare = devx_eth_tx_prepare;
	ethdev->rx_queue_count = devx_eth_rx_queue_count;
	ethdev->rx_descriptor_status = devx_eth_rx_descriptor_status;
	ethdev->tx_descriptor_status = devx_eth_tx_descriptor_status;
	devx_eth_set_tx_queue_count(ethdev, devx_eth_tx_queue_count);
}
