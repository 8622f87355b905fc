/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "attach/devx_secondary.h"
#include "attach/devx_secondary_bursts.h"
#include "attach/devx_secondary_ended.h"

/* Replaces the shared memory of ended ports, which the primary process frees. */
static struct {
	struct rte_eth_dev_data data;
	struct rte_ether_addr mac;
} ended[RTE_MAX_ETHPORTS];
static void *no_queues[RTE_MAX_QUEUES_PER_PORT];

/*
 * ethdev answers all other operations with -ENOTSUP. If an ended port had dev_infos_get, testpmd
 * would ask the primary process to detach the device.
 */
static const struct eth_dev_ops ended_ops = {
	.dev_close = devx_eth_secondary_close,
	.is_removed = devx_eth_secondary_is_removed,
};

bool devx_eth_secondary_is_ended(const struct rte_eth_dev *ethdev)
{
	return ethdev->dev_ops == &ended_ops;
}

static uint16_t pass_packets(void *queue, struct rte_mbuf **pkts, uint16_t n)
{
	RTE_SET_USED(queue);
	RTE_SET_USED(pkts);
	return n;
}

/*
 * The primary process now frees the shared memory. Only the application may release the port,
 * because a release resets rte_eth_fp_ops while other threads still poll. Such a thread reads the
 * queue first and the function second. So functions that use a queue are replaced first, then the
 * queues.
 */
void devx_eth_secondary_end(struct rte_eth_dev *ethdev)
{
	const struct devx_eth_attached *attached = ethdev->process_private;
	const uint16_t port = attached->port;
	struct rte_eth_dev_data *data = &ended[port].data;

	devx_eth_secondary_stop_bursts(ethdev);
	ethdev->tx_pkt_prepare = pass_packets;
	__atomic_store_n(&rte_eth_fp_ops[port].tx_pkt_prepare, pass_packets, __ATOMIC_RELEASE);
	ended[port].mac = attached->mac;
	*data = *ethdev->data;
	strcpy(data->name, attached->name);
	data->port_id = port;
	data->mac_addrs = &ended[port].mac;
	data->rx_queues = data->tx_queues = no_queues;
	data->nb_rx_queues = data->nb_tx_queues = 0;
	ethdev->dev_ops = &ended_ops;
	ethdev->data = data;                    /* rte_eth_dev_attach_secondary() sets it again */
	devx_eth_secondary_stop_bursts(ethdev); /* also installs no_queues */
}

void devx_eth_secondary_keep_ended(struct rte_eth_dev *ethdev)
{
	ethdev->data = &ended[ethdev->data->port_id].data;
}
