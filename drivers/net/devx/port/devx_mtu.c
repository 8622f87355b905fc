/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx/netdev.h"
#include "devx_log.h"
#include "devx_txq.h"
#include "port/devx_mtu.h"
#include "queue/devx_rxq_buffers.h"

uint16_t devx_eth_mtu_get_max(const struct devx_eth *eth)
{
	return devx_eth_has_netdev(eth) ? eth->max_mtu : eth->port.mtu;
}

/* Sets the MTU of the netdev. Without a netdev, accepts any MTU up to that of the port. */
static int change_mtu(struct devx_eth *eth, uint16_t mtu)
{
	int rc;

	if (!devx_eth_has_netdev(eth)) {
		if (mtu <= eth->port.mtu)
			return 0;
		devx_eth_log(eth, ERR, "MTU: %u bytes are invalid (valid: %u to %u bytes)", mtu,
			     RTE_ETHER_MIN_MTU, eth->port.mtu);
		return devx_eth_refuse_change(eth, "MTU");
	}
	if (mtu == eth->port.mtu)
		return 0;
	rc = devx_netdev_set_mtu(&eth->dev, mtu);
	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot set the MTU of %s to %u bytes",
					    eth->dev.netdev, mtu);
	eth->port.mtu = mtu;
	return 0;
}

/* Reads the MTU of the netdev, which others may have changed. If that fails, keeps the old one. */
static void read_mtu(struct devx_eth *eth)
{
	struct devx_netdev netdev;

	if (devx_eth_has_netdev(eth) && !devx_eth_is_lost(eth) &&
	    !devx_netdev_get(&eth->dev, &netdev))
		eth->port.mtu = (uint16_t)RTE_MIN(netdev.mtu, (uint32_t)UINT16_MAX);
}

int devx_eth_mtu_apply(struct devx_eth *eth, uint16_t mtu)
{
	int rc = 0;

	/* not lower: other users of the netdev may need the MTU */
	pthread_mutex_lock(&eth->lock);
	read_mtu(eth);
	if (mtu > eth->port.mtu)
		rc = change_mtu(eth, mtu);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

static void limit_tx_queues(struct rte_eth_dev_data *data, uint16_t mtu)
{
	for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
		struct devx_eth_txq *txq = data->tx_queues[i];

		if (txq)
			txq->max_bytes = (uint32_t)mtu + DEVX_ETH_OVERHEAD;
	}
}

void devx_eth_mtu_follow(struct rte_eth_dev *ethdev)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct rte_eth_dev_data *data = ethdev->data;

	read_mtu(eth);
	if (eth->port.mtu >= data->mtu || !devx_eth_has_netdev(eth))
		return;
	devx_eth_log(eth, WARNING,
		     "MTU: network interface %s was lowered to %u bytes, below the %u bytes of the "
		     "port; the port drops longer packets until rte_eth_dev_set_mtu() or "
		     "rte_eth_dev_configure() raises it",
		     eth->dev.netdev, eth->port.mtu, data->mtu);
	data->mtu = eth->port.mtu;
	limit_tx_queues(data, data->mtu);
}

int devx_eth_mtu_set(struct rte_eth_dev *ethdev, uint16_t mtu)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc = 0;

	if (mtu < RTE_ETHER_MIN_MTU) {
		devx_eth_log(eth, ERR, "MTU: %u bytes are invalid (valid: %u to %u bytes)", mtu,
			     RTE_ETHER_MIN_MTU, devx_eth_mtu_get_max(eth));
		return -EINVAL;
	}
	pthread_mutex_lock(&eth->lock); /* a recovery may be replacing the objects of queues */
	for (uint16_t i = 0; !rc && i < ethdev->data->nb_rx_queues; i++)
		if (ethdev->data->rx_queues[i])
			rc = devx_eth_rxq_check_mtu(ethdev->data->rx_queues[i], mtu);
	if (!rc) {
		read_mtu(eth);
		rc = change_mtu(eth, mtu);
	}
	pthread_mutex_unlock(&eth->lock);
	if (rc)
		return rc;
	limit_tx_queues(ethdev->data, mtu);
	return 0;
}
