/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_port_burst.h"
#include "devx_log.h"
#include "port/devx_rx_filter.h"
#include "port/devx_vlan_strip.h"
#include "recovery/devx_rx_recovery.h"

/*
 * The first queue with VLAN stripping may require another burst function, which must be in place
 * before the device strips the first tag. A burst that is already running may return packets with
 * neither a tag nor vlan_tci.
 */
static void replace_burst(struct rte_eth_dev *ethdev)
{
	const struct devx_eth *eth = devx_eth_port_get(ethdev);

	if (eth->started || eth->recovery.restart)
		devx_eth_port_burst_set(ethdev, false);
}

/*
 * Changes the RQ of a started queue. If the RQ is in error state, the change takes effect when it
 * is back in RDY. A recovery of the device creates the RQ from rxq->offloads.
 */
static int change_queue(struct devx_eth_rxq *rxq, bool on)
{
	enum prm_wq_state state;
	int rc;

	if (!rxq->rq.obj || devx_eth_gate_is_closed(&rxq->eth->recovery.gate))
		return 0;
	rxq->rq_attr.keep_vlan = !on;
	rc = devx_eth_rxq_sync_vlan(rxq);
	if (rc && !devx_rq_query_state(&rxq->rq, &state) && state != PRM_WQ_STATE_RDY)
		rc = 0;
	if (rc) {
		rxq->rq_attr.keep_vlan = rxq->rq_keeps_vlan;
		devx_eth_log_failure(rxq->eth, rc, "Rx queue %u: cannot %s VLAN tags", rxq->id,
				     on ? "strip" : "keep");
	}
	return rc;
}

static int set_strip(struct rte_eth_dev *ethdev, struct devx_eth_rxq *rxq, bool on)
{
	const uint64_t before = rxq->offloads;
	int rc;

	if (on) {
		rxq->offloads |= RTE_ETH_RX_OFFLOAD_VLAN_STRIP;
		replace_burst(ethdev);
	} else {
		rxq->offloads &= ~RTE_ETH_RX_OFFLOAD_VLAN_STRIP;
	}
	rc = change_queue(rxq, on);
	if (rc)
		rxq->offloads = before;
	return rc;
}

/* Restores the old state of the first @n queues. */
static void restore_strip(struct rte_eth_dev *ethdev, const bool *before, uint16_t n)
{
	struct devx_eth_rxq **rxqs = (struct devx_eth_rxq **)ethdev->data->rx_queues;

	while (n-- > 0)
		if (rxqs[n])
			set_strip(ethdev, rxqs[n], before[n]);
}

/* Changes all queues, or none. @before receives the old state of each queue. */
static int set_strip_all(struct rte_eth_dev *ethdev, bool on, bool *before)
{
	struct devx_eth_rxq **rxqs = (struct devx_eth_rxq **)ethdev->data->rx_queues;
	int rc = 0;

	for (uint16_t i = 0; !rc && i < ethdev->data->nb_rx_queues; i++) {
		if (!rxqs[i])
			continue;
		before[i] = rxqs[i]->offloads & RTE_ETH_RX_OFFLOAD_VLAN_STRIP;
		rc = set_strip(ethdev, rxqs[i], on);
		if (rc)
			restore_strip(ethdev, before, i);
	}
	return rc;
}

int devx_eth_vlan_offload_set(struct rte_eth_dev *ethdev, int mask)
{
	const bool on = ethdev->data->dev_conf.rxmode.offloads & RTE_ETH_RX_OFFLOAD_VLAN_STRIP;
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	bool before[RTE_MAX_QUEUES_PER_PORT];
	int rc = 0;

	pthread_mutex_lock(&eth->lock);
	if (mask & RTE_ETH_VLAN_STRIP_MASK)
		rc = set_strip_all(ethdev, on, before);
	if (!rc && mask & RTE_ETH_VLAN_FILTER_MASK) {
		rc = devx_eth_vlan_filter_refresh(eth);
		if (rc && mask & RTE_ETH_VLAN_STRIP_MASK)
			restore_strip(ethdev, before, ethdev->data->nb_rx_queues);
	}
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

void devx_eth_vlan_strip_queue_set(struct rte_eth_dev *ethdev, uint16_t queue, int on)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_eth_rxq *rxq = ethdev->data->rx_queues[queue];

	if (!rxq || (on && !eth->dev.caps.vlan_cap)) {
		devx_eth_log(eth, ERR, "Rx queue %u: cannot strip VLAN tags: %s", queue,
			     rxq ? "the device lacks vlan_cap" : "it is not set up");
		return;
	}
	pthread_mutex_lock(&eth->lock);
	set_strip(ethdev, rxq, on);
	pthread_mutex_unlock(&eth->lock);
}
