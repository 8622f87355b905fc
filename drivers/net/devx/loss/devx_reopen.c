/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "devx_log.h"
#include "devx_missed.h"
#include "devx_rxq.h"
#include "devx_txq.h"
#include "loss/devx_event_handler.h"
#include "loss/devx_reopen.h"
#include "memory/devx_dmabuf.h"
#include "memory/devx_mr.h"
#include "port/devx_netdev.h"
#include "port/devx_shared.h"
#include "port/devx_start.h"
#include "process/devx_processes.h"
#include "queue/devx_generator_lifecycle.h"
#include "queue/devx_tx_rate.h"
#include "stats/devx_stats.h"

/* ---- detach -------------------------------------------------------------------------------- */

/* Closes the device, but keeps its names and capabilities, which functions of ethdev read. */
static void close_device(struct devx_eth *eth)
{
	struct devx_dev old = eth->dev;

	eth->dev.ctx = NULL;
	eth->dev.pd = NULL;
	eth->dev.imports = NULL;
	eth->dev.account = NULL;
	eth->dev.n_stuck = 0;
	devx_dev_close(&old);
}

/* Destroys the objects that exist from probe to close. */
static void release_device(struct devx_eth *eth)
{
	const struct rte_eth_dev_data *data = eth->data;

	pthread_mutex_lock(&eth->lock);
	__atomic_store_n(&eth->events.lost, true, __ATOMIC_RELEASE);
	for (uint16_t i = 0; i < data->nb_tx_queues; i++)
		if (data->tx_queues[i])
			devx_eth_tx_rate_suspend(data->tx_queues[i]);
	devx_eth_dmabuf_suspend(eth);
	devx_eth_memory_suspend(eth);
	devx_eth_missed_detach(eth);
	devx_eth_shared_close(eth);
	close_device(eth);
	pthread_mutex_unlock(&eth->lock);
}

void devx_eth_device_detach(struct devx_eth *eth)
{
	pthread_mutex_lock(&eth->lock);
	if (eth->started) { /* unless the application stopped the port after the loss */
		eth->recovery.restart = true;
		devx_eth_generator_prepare_restart(eth);
	}
	pthread_mutex_unlock(&eth->lock);
	devx_eth_events_close(eth);
	devx_eth_objects_destroy(eth);
	devx_eth_processes_leave(eth);
	release_device(eth);
}

/* ---- attach -------------------------------------------------------------------------------- */

/* Refuses a device on which the configuration of the port may be invalid. */
static int compare_devices(const struct devx_eth *eth, const struct devx_dev *next)
{
	if (strcmp(eth->dev.pci, next->pci)) {
		devx_eth_log(eth, ERR,
			     "the device %s returned at PCI address %s (valid: %s); close the port "
			     "and probe it again",
			     next->ibdev, next->pci, eth->dev.pci);
		return -EXDEV;
	}
	if (memcmp(&eth->dev.caps, &next->caps, sizeof(next->caps))) {
		devx_eth_log(eth, ERR,
			     "the device returned with other capabilities (firmware %s, before: "
			     "%s); close the port and probe it again",
			     next->fw_version, eth->dev.fw_version);
		return -EXDEV;
	}
	return 0;
}

/*
 * Opens the device by its PCI address, because the kernel may have renamed it. A sub-function has
 * no PCI address; the driver opens it by the name in the arguments.
 */
static int open_device(struct devx_eth *eth, bool *found)
{
	struct devx_dev next = { 0 };
	int rc = devx_dev_open(&next, eth->dev.pci[0] ? eth->dev.pci : eth->args.adapter);

	*found = !rc;
	if (rc) {
		pthread_mutex_lock(&eth->lock);
		eth->dev.refusal = next.refusal; /* for the message after the last attempt */
		pthread_mutex_unlock(&eth->lock);
		return rc;
	}
	rc = compare_devices(eth, &next);
	if (rc) {
		devx_dev_close(&next);
		return rc;
	}
	pthread_mutex_lock(&eth->lock);
	eth->dev = next;
	devx_slot_find(&eth->recovery.slot, &eth->dev);
	__atomic_store_n(&eth->events.lost, false, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&eth->lock);
	return 0;
}

static int resume_rates(struct devx_eth *eth)
{
	const struct rte_eth_dev_data *data = eth->data;
	int rc = 0;

	for (uint16_t i = 0; !rc && i < data->nb_tx_queues; i++)
		if (data->tx_queues[i])
			rc = devx_eth_tx_rate_resume(data->tx_queues[i]);
	return rc ? devx_eth_log_failure(eth, rc, "cannot set the rate limits again") : 0;
}

/* Creates the objects that exist from probe to close. */
static int create_shared(struct devx_eth *eth)
{
	int rc;

	pthread_mutex_lock(&eth->lock);
	rc = devx_eth_netdev_apply(eth);
	if (!rc)
		rc = devx_eth_shared_open(eth);
	if (!rc) {
		rc = devx_eth_missed_attach(eth);
		if (rc)
			devx_eth_log_failure(eth, rc, "cannot count packets without a buffer");
	}
	if (!rc)
		rc = resume_rates(eth);
	if (!rc)
		rc = devx_eth_dmabuf_resume(eth);
	if (!rc)
		rc = devx_eth_memory_resume(eth);
	if (!rc)
		devx_eth_stats_continue(eth);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

/* Makes the start leave those queues stopped that the application had stopped, and no others. */
static void swap_deferred(const struct rte_eth_dev_data *data, bool *rx, bool *tx)
{
	for (uint16_t i = 0; i < data->nb_rx_queues; i++) {
		struct devx_eth_rxq *rxq = data->rx_queues[i];

		if (rxq)
			RTE_SWAP(rxq->deferred, rx[i]);
	}
	for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
		struct devx_eth_txq *txq = data->tx_queues[i];

		if (txq)
			RTE_SWAP(txq->deferred, tx[i]);
	}
}

static int start_queues(struct rte_eth_dev *ethdev)
{
	const struct rte_eth_dev_data *data = ethdev->data;
	bool rx[RTE_MAX_QUEUES_PER_PORT], tx[RTE_MAX_QUEUES_PER_PORT];
	int rc;

	for (uint16_t i = 0; i < data->nb_rx_queues; i++)
		rx[i] = data->rx_queue_state[i] == RTE_ETH_QUEUE_STATE_STOPPED;
	for (uint16_t i = 0; i < data->nb_tx_queues; i++)
		tx[i] = data->tx_queue_state[i] == RTE_ETH_QUEUE_STATE_STOPPED;
	swap_deferred(data, rx, tx);
	rc = devx_eth_objects_create(ethdev);
	swap_deferred(data, rx, tx);
	return rc;
}

/* Wakes threads that sleep until a packet arrives: they must arm the new CQ. */
static void wake_threads(const struct devx_eth *eth)
{
	for (uint16_t i = 0; i < eth->data->nb_rx_queues; i++) {
		const struct devx_eth_rxq *rxq = eth->data->rx_queues[i];

		if (rxq)
			devx_eth_rx_wakeup_raise(&rxq->wakeup);
	}
}

static int restart_port(struct devx_eth *eth)
{
	int rc = start_queues(&rte_eth_devices[eth->data->port_id]);

	if (rc)
		return rc;
	pthread_mutex_lock(&eth->lock);
	rc = devx_eth_generator_restart_all(eth);
	if (!rc)
		wake_threads(eth);
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

int devx_eth_device_attach(struct devx_eth *eth, bool *found)
{
	int rc = open_device(eth, found);

	if (rc)
		return rc;
	rc = create_shared(eth);
	if (!rc)
		rc = devx_eth_events_open(eth);
	if (!rc && eth->recovery.restart)
		rc = restart_port(eth);
	if (!rc && devx_eth_is_lost(eth))
		rc = -EIO;
	if (!rc) {
		eth->recovery.restart = false;
		devx_eth_generator_finish_restart(eth);
	}
	return rc;
}
