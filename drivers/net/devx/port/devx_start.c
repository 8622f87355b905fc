/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "burst/devx_port_burst.h"
#include "devx_cq_failure.h"
#include "devx_log.h"
#include "devx_missed.h"
#include "devx_steer.h"
#include "memory/devx_mr.h"
#include "memory/devx_mr_eal.h"
#include "netdev/devx_phy_stats.h"
#include "port/devx_link.h"
#include "port/devx_mtu.h"
#include "port/devx_rss.h"
#include "port/devx_runtime_queue.h"
#include "port/devx_start.h"
#include "process/devx_processes.h"
#include "queue/devx_copy_limit.h"
#include "queue/devx_generator_lifecycle.h"
#include "queue/devx_queue_limits.h"
#include "queue/devx_rx_interrupt.h"
#include "queue/devx_rxq_lifecycle.h"
#include "queue/devx_tx_drain.h"
#include "queue/devx_txq_lifecycle.h"
#include "queue/devx_txq_offloads.h"
#include "recovery/devx_recovery_timer.h"

/*
 * Order in which devx_eth_port_start() creates objects; devx_eth_port_stop() reverses it:
 *
 *     memory of packets, of rings -> receive queues, send queues -> RQT, TIRs -> rules
 *
 * The objects that all queues share exist from probe to close (devx_shared.c).
 */

static void report_unset_queue(const struct devx_eth *eth, const char *side, uint16_t queue)
{
	devx_eth_log(eth, NOTICE,
		     "%s queue %u: not set up; it moves no packets until rte_eth_%s_queue_setup()",
		     side, queue, side[0] == 'R' ? "rx" : "tx");
}

static int start_rx(struct devx_eth_rxq *rxq)
{
	const int rc = devx_eth_rxq_create(rxq);

	return rc || rxq->deferred ? rc : devx_eth_rxq_activate(rxq);
}

static int start_tx(struct devx_eth_txq *txq)
{
	const int rc = devx_eth_txq_create(txq);

	return rc || txq->deferred ? rc : devx_eth_txq_activate(txq);
}

/* Allocates the rings of all queues. The caller does not hold eth->lock. */
static int allocate_rings(struct devx_eth *eth)
{
	struct rte_eth_dev_data *data = eth->data;
	const struct devx_eth_chunk *failed = NULL;
	int rc = 0;

	for (uint16_t i = 0; !rc && i < data->nb_rx_queues; i++)
		if (data->rx_queues[i])
			rc = devx_eth_rxq_place_rings(data->rx_queues[i]);
	for (uint16_t i = 0; !rc && i < data->nb_tx_queues; i++)
		if (data->tx_queues[i])
			rc = devx_eth_txq_place_rings(data->tx_queues[i]);
	if (!rc)
		rc = devx_eth_ring_memory_allocate(&eth->rings, &eth->dev, &failed);
	if (failed)
		devx_eth_log(eth, ERR,
			     "cannot allocate %zu bytes on socket %d for rings of queues; give EAL "
			     "more memory (-m), or use fewer descriptors",
			     failed->bytes, failed->socket);
	else if (rc)
		devx_eth_log(eth, ERR, "cannot allocate the list of queue rings (out of memory)");
	return rc;
}

/* Removes the rings from all queues, whose objects no longer exist. */
static void retire_rings(struct devx_eth *eth)
{
	struct rte_eth_dev_data *data = eth->data;

	for (uint16_t i = 0; i < data->nb_rx_queues; i++) {
		struct devx_eth_rxq *rxq = data->rx_queues[i];

		if (rxq)
			rxq->rings = rxq->spare = (struct devx_eth_rings){ 0 };
	}
	for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
		struct devx_eth_txq *txq = data->tx_queues[i];

		if (txq)
			txq->rings = txq->spare = (struct devx_eth_rings){ 0 };
	}
	devx_eth_ring_memory_retire(&eth->rings, &eth->dev);
}

static int register_rings(struct devx_eth *eth)
{
	const int rc = devx_eth_ring_memory_register(&eth->rings, &eth->dev);

	return rc ? devx_eth_log_failure(eth, rc, "cannot use memory for rings of queues") : 0;
}

/* Opens a second context: Linux enables local loopback while two are open (mlx5_ib_enable_lb). */
static int start_loopback(struct devx_eth *eth)
{
	char why[DEVX_TEXT_BYTES + 64];
	int rc;

	if (!eth->data->dev_conf.lpbk_mode)
		return 0;
	rc = devx_dev_open(&eth->second, eth->dev.ibdev);
	if (rc)
		devx_eth_log(eth, ERR, "lpbk_mode: cannot open a second context: %s",
			     devx_strerror(&eth->second, rc, why, sizeof(why)));
	return rc == -EREMOTEIO ? -EIO : rc;
}

static int start_queues(struct devx_eth *eth)
{
	struct rte_eth_dev_data *data = eth->data;
	int rc = 0;

	devx_eth_types_fill(&eth->types);
	eth->uar_noticed = false;
	for (uint16_t i = 0; !rc && i < data->nb_rx_queues; i++)
		if (data->rx_queues[i])
			rc = start_rx(data->rx_queues[i]);
		else
			report_unset_queue(eth, "Rx", i);
	for (uint16_t i = 0; !rc && i < data->nb_tx_queues; i++)
		if (data->tx_queues[i])
			rc = start_tx(data->tx_queues[i]);
		else
			report_unset_queue(eth, "Tx", i);
	if (!rc && data->nb_rx_queues)
		rc = devx_eth_steer_start(eth);
	return rc;
}

/* Destroys the objects of a start, even of a failed one, in reverse order of creation. */
static void stop_all(struct devx_eth *eth)
{
	struct rte_eth_dev_data *data = eth->data;

	if (!devx_eth_is_lost(eth))
		devx_eth_port_drain(eth);
	devx_eth_generator_stop_all(eth);
	devx_eth_steer_stop(eth);
	for (uint16_t i = 0; i < data->nb_tx_queues; i++)
		if (data->tx_queues[i])
			devx_eth_txq_stop(data->tx_queues[i]);
	for (uint16_t i = 0; i < data->nb_rx_queues; i++)
		if (data->rx_queues[i])
			devx_eth_rxq_stop(data->rx_queues[i]);
	devx_eth_runtime_stop_parked(eth);
	devx_dev_close(&eth->second);
	devx_eth_ring_memory_unregister(&eth->rings);
	devx_eth_missed_stop(eth);
	devx_eth_memory_stop(eth);
}

/*
 * Hands the queues to the bursts. Comes after all that can fail: bursts go on during a recovery of
 * the device, and a failure destroys the queues.
 */
static void give_queues(struct devx_eth *eth)
{
	struct rte_eth_dev_data *data = eth->data;

	for (uint16_t i = 0; i < data->nb_rx_queues; i++) {
		struct devx_eth_rxq *rxq = data->rx_queues[i];

		if (rxq && !rxq->deferred)
			devx_eth_owner_give(&rxq->owner);
	}
	for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
		struct devx_eth_txq *txq = data->tx_queues[i];

		if (txq && !txq->deferred)
			devx_eth_owner_give(&txq->owner);
	}
}

/* Tells ethdev which queues are started: those that are set up and not deferred. */
static void report_queue_states(struct rte_eth_dev_data *data, bool started)
{
	const uint8_t states[] = { RTE_ETH_QUEUE_STATE_STOPPED, RTE_ETH_QUEUE_STATE_STARTED };

	for (uint16_t i = 0; i < data->nb_rx_queues; i++) {
		const struct devx_eth_rxq *rxq = data->rx_queues[i];

		data->rx_queue_state[i] = states[started && rxq && !rxq->deferred];
	}
	for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
		const struct devx_eth_txq *txq = data->tx_queues[i];

		data->tx_queue_state[i] = states[started && txq && !txq->deferred];
	}
}

/* Creates all objects, or none on failure. The caller holds eth->lock. */
static int create_all(struct rte_eth_dev *ethdev, struct devx_eth_pieces *pieces)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc = devx_eth_memory_register(eth, pieces);

	if (!rc)
		rc = register_rings(eth);
	if (!rc)
		rc = start_loopback(eth);
	if (!rc)
		rc = start_queues(eth);
	if (!rc)
		rc = devx_eth_rx_interrupt_publish(ethdev);
	if (!rc)
		rc = devx_eth_recovery_timer_start(eth);
	if (!rc) {
		give_queues(eth);
		devx_eth_missed_start(eth);
		devx_eth_phy_stats_start(eth);
		devx_eth_mtu_follow(ethdev);
		devx_eth_events_report(eth);
	} else {
		stop_all(eth);
	}
	eth->started = !rc;
	return rc;
}

int devx_eth_objects_create(struct rte_eth_dev *ethdev)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_eth_pieces pieces;
	int rc = devx_eth_memory_list(eth, &pieces); /* includes the memory of the rings */

	if (rc)
		return rc;
	pthread_mutex_lock(&eth->lock);
	rc = create_all(ethdev, &pieces);
	pthread_mutex_unlock(&eth->lock);
	if (rc)
		devx_eth_memory_unlisten(eth);
	return rc;
}

void devx_eth_objects_destroy(struct devx_eth *eth)
{
	/* without eth->lock, because both calls wait for callbacks that take it */
	devx_eth_recovery_timer_stop(eth);
	devx_eth_memory_unlisten(eth);
	pthread_mutex_lock(&eth->lock);
	eth->started = false;
	stop_all(eth);
	pthread_mutex_unlock(&eth->lock);
	devx_eth_runtime_free_parked(eth);
}

static int start_port(struct rte_eth_dev *ethdev)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc = allocate_rings(eth);

	if (!rc)
		rc = devx_eth_objects_create(ethdev);
	if (rc) {
		devx_eth_rx_interrupt_withdraw(ethdev);
		retire_rings(eth);
		return rc;
	}
	pthread_mutex_lock(&eth->lock);
	if (ethdev->data->dev_conf.intr_conf.lsc)
		devx_eth_link_read(ethdev); /* ethdev itself reads it only without lsc */
	pthread_mutex_unlock(&eth->lock);
	return 0;
}

int devx_eth_port_start(struct rte_eth_dev *ethdev)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc;

	if (devx_eth_is_lost(eth)) {
		devx_eth_log(eth, ERR,
			     "the device failed or was removed; close the port, and probe it again "
			     "when the device is back");
		return -EIO;
	}
	rc = start_port(ethdev);
	if (rc)
		return rc;
	devx_eth_copy_limit_report(eth);
	devx_eth_port_burst_set(ethdev, false);
	report_queue_states(ethdev->data, true);
	devx_eth_processes_tell(eth, DEVX_ETH_MESSAGE_START);
	return 0;
}

int devx_eth_port_stop(struct rte_eth_dev *ethdev)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);

	ethdev->rx_pkt_burst = rte_eth_pkt_burst_dummy;
	ethdev->tx_pkt_burst = rte_eth_pkt_burst_dummy;
	devx_eth_processes_tell(eth, DEVX_ETH_MESSAGE_STOP);
	/* waits for a running recovery attempt first, because it may start the port again */
	pthread_mutex_lock(&eth->recovery.attempt);
	eth->recovery.restart = false;
	devx_eth_generator_finish_restart(eth);
	devx_eth_rx_interrupt_withdraw(ethdev);
	devx_eth_objects_destroy(eth);
	retire_rings(eth);
	report_queue_states(ethdev->data, false);
	pthread_mutex_unlock(&eth->recovery.attempt);
	return 0;
}

/* Rejects modes that would have no effect. */
static int validate_modes(const struct devx_eth *eth)
{
	const struct rte_eth_conf *conf = &eth->data->dev_conf;

	if (conf->txmode.mq_mode != RTE_ETH_MQ_TX_NONE) {
		devx_eth_log(eth, ERR,
			     "multi-queue Tx mode 0x%x is unsupported (valid: RTE_ETH_MQ_TX_NONE)",
			     conf->txmode.mq_mode);
		return -ENOTSUP;
	}
	if (conf->lpbk_mode > 1) {
		devx_eth_log(eth, ERR,
			     "lpbk_mode: %u is unsupported (valid: 0 = off, 1 = the port also "
			     "receives its own frames to its own addresses)",
			     conf->lpbk_mode);
		return -ENOTSUP;
	}
	return 0;
}

int devx_eth_port_configure(struct rte_eth_dev *ethdev)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc = devx_eth_queue_validate_numbers(eth);

	if (!rc)
		rc = validate_modes(eth);
	if (!rc)
		rc = devx_eth_tx_burst_validate(eth);
	if (!rc)
		rc = devx_eth_rss_configure(eth);
	if (!rc)
		rc = devx_eth_rx_interrupt_configure(ethdev);
	return rc ? rc : devx_eth_mtu_apply(eth, ethdev->data->mtu);
}
