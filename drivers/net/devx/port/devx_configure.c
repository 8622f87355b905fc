/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/devx_configure.h"
#include "port/devx_mtu.h"
#include "port/devx_rss.h"
#include "queue/devx_queue_limits.h"
#include "queue/devx_rx_interrupt.h"
#include "queue/devx_txq_offloads.h"

int devx_eth_port_configure(struct rte_eth_dev *ethdev)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc = devx_eth_queue_validate_numbers(eth);

	if (!rc)
		rc = devx_eth_tx_burst_validate(eth);
	if (!rc)
		rc = devx_eth_rss_configure(eth);
	if (!rc)
		rc = devx_eth_rx_interrupt_configure(ethdev);
	return rc ? rc : devx_eth_mtu_apply(eth, ethdev->data->mtu);
}
