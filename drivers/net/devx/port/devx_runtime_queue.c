/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "burst/devx_port_burst.h"
#include "devx_hash.h"
#include "devx_hash_tables.h"
#include "devx_log.h"
#include "devx_ring_memory.h"
#include "devx_rxq.h"
#include "devx_txq.h"
#include "port/devx_runtime_queue.h"
#include "process/devx_processes.h"
#include "queue/devx_rx_interrupt.h"
#include "queue/devx_rxq_lifecycle.h"
#include "queue/devx_tx_rate.h"
#include "queue/devx_txq_lifecycle.h"
#include "recovery/devx_recovery_timer.h"

static int refuse_memory(struct devx_eth *eth, const char *side, uint16_t queue)
{
	devx_eth_log(eth, ERR,
		     "%s queue %u: cannot allocate its rings; give EAL more memory (-m), or use "
		     "fewer descriptors",
		     side, queue);
	return -ENOMEM;
}

/* Returns the rings of a queue to the idle memory, unless the device may still write to them. */
static void retire_rings(struct devx_eth *eth, struct devx_eth_rings *rings,
			 struct devx_eth_rings *spare, unsigned int n_stuck)
{
	devx_eth_rings_check(rings, &eth->dev, n_stuck);
	devx_eth_rings_check(spare, &eth->dev, n_stuck);
	devx_eth_rings_retire(&eth->rings, rings, &eth->dev);
	devx_eth_rings_retire(&eth->rings, spare, &eth->dev);
}

/* The port may need other burst functions, other processes the page of a new doorbell register. */
static void finish_setup(struct rte_eth_dev *ethdev)
{
	devx_eth_port_burst_set(ethdev, false);
	devx_eth_processes_tell(devx_eth_port_get(ethdev), DEVX_ETH_MESSAGE_START);
}

/* Installs burst functions that check for a missing queue, before one goes missing. */
static void prepare_release(struct rte_eth_dev *ethdev)
{
	if (ethdev->data->dev_started)
		devx_eth_port_burst_set(ethdev, true);
}

/* ---- Rx ---------------------------------------------------------------------------------- */

static void destroy_rx(struct devx_eth_rxq *rxq)
{
	const unsigned int n_stuck = rxq->eth->dev.n_stuck;

	devx_eth_rxq_stop(rxq);
	devx_eth_rx_wakeup_destroy(&rxq->wakeup); /* devx_eth_rxq_stop() may keep the eventfd */
	retire_rings(rxq->eth, &rxq->rings, &rxq->spare, n_stuck);
}

/* Returns the link to the parked queue with this number, or the link at the end of the list. */
static struct devx_eth_rxq **find_parked(struct devx_eth *eth, uint16_t queue)
{
	struct devx_eth_rxq **at = &eth->parked;

	while (*at && (*at)->id != queue)
		at = &(*at)->next_parked;
	return at;
}

/* Keeps the eventfd of the old queue in use: the application has added it to its epoll instance. */
static void move_eventfd(struct devx_eth_rxq *from, struct devx_eth_rxq *to)
{
	devx_eth_rx_wakeup_detach(&from->wakeup);
	to->wakeup = from->wakeup;
	from->wakeup = (struct devx_eth_rx_wakeup){ 0 };
}

/* Creates the objects of a queue and enters its RQ in the tables. Undoes nothing on failure. */
static int create_rx(struct rte_eth_dev *ethdev, struct devx_eth_rxq *rxq)
{
	struct devx_eth *eth = rxq->eth;
	int rc = devx_eth_rings_register(&rxq->rings, &eth->dev);

	if (rc)
		return devx_eth_log_failure(eth, rc, "Rx queue %u: cannot use memory for its rings",
					    rxq->id);
	rc = devx_eth_rxq_create(rxq);
	if (rc)
		return rc;
	rc = devx_eth_rx_interrupt_publish(ethdev);
	if (rc)
		return rc;
	rc = devx_eth_hash_move(eth, rxq->id, &rxq->rq);
	return rc ? devx_eth_log_failure(eth, rc, "Rx queue %u: cannot change the RQT", rxq->id)
		  : 0;
}

/* Returns 0 or -errno, logged. *@parked receives the queue that @rxq replaced, or NULL. */
static int replace_rx(struct rte_eth_dev *ethdev, struct devx_eth_rxq *rxq,
		      struct devx_eth_rxq **parked)
{
	struct devx_eth_rxq **at = find_parked(rxq->eth, rxq->id);
	int rc;

	*parked = NULL;
	if (*at)
		move_eventfd(*at, rxq);
	rc = create_rx(ethdev, rxq);
	if (rc && *at)
		move_eventfd(rxq, *at);
	if (rc) {
		destroy_rx(rxq);
		return rc;
	}
	if (*at) {
		*parked = *at;
		*at = (*at)->next_parked;
		destroy_rx(*parked);
	}
	return 0;
}

/* Creates the objects of a new queue; removes the queue if that fails. */
static int start_service_rx(struct rte_eth_dev *ethdev, struct devx_eth_rxq *rxq)
{
	struct devx_eth *eth = rxq->eth;
	struct devx_eth_rxq *unused = NULL;
	int rc = devx_eth_rxq_reserve_rings(rxq) ? refuse_memory(eth, "Rx", rxq->id) : 0;

	pthread_mutex_lock(&eth->lock);
	if (!rc)
		rc = replace_rx(ethdev, rxq, &unused);
	if (rc) {
		unused = devx_eth_rxq_withdraw(ethdev, rxq->id);
		devx_eth_rx_interrupt_publish(ethdev); /* without the eventfd of this queue */
	}
	pthread_mutex_unlock(&eth->lock);
	devx_eth_rxq_free(unused);
	devx_eth_ring_memory_free(&eth->rings);
	return rc;
}

int devx_eth_runtime_rxq_setup(struct rte_eth_dev *ethdev, uint16_t queue, uint16_t n_desc,
			       unsigned int socket, const struct rte_eth_rxconf *conf,
			       struct rte_mempool *pool)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc;

	if (!eth->started)
		return devx_eth_rxq_setup(ethdev, queue, n_desc, socket, conf, pool);
	devx_eth_recovery_timer_stop(eth);
	rc = devx_eth_rxq_setup(ethdev, queue, n_desc, socket, conf, pool);
	if (!rc)
		rc = start_service_rx(ethdev, ethdev->data->rx_queues[queue]);
	devx_eth_recovery_timer_start(eth);
	if (!rc)
		finish_setup(ethdev);
	return rc;
}

void devx_eth_runtime_rxq_release(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_eth_rxq *rxq;

	prepare_release(ethdev);
	if (!eth->started) {
		devx_eth_rxq_release(ethdev, queue);
		return;
	}
	pthread_mutex_lock(&eth->lock);
	rxq = devx_eth_rxq_withdraw(ethdev, queue);
	rxq->next_parked = eth->parked;
	eth->parked = rxq;
	pthread_mutex_unlock(&eth->lock);
}

void devx_eth_runtime_stop_parked(struct devx_eth *eth)
{
	for (struct devx_eth_rxq *rxq = eth->parked; rxq; rxq = rxq->next_parked)
		destroy_rx(rxq);
}

void devx_eth_runtime_free_parked(struct devx_eth *eth)
{
	struct devx_eth_rxq *rxq;

	while ((rxq = eth->parked)) {
		eth->parked = rxq->next_parked;
		devx_eth_rxq_free(rxq);
	}
}

/* ---- Tx ---------------------------------------------------------------------------------- */

static void destroy_tx(struct devx_eth_txq *txq)
{
	const unsigned int n_stuck = txq->eth->dev.n_stuck;

	devx_eth_txq_stop(txq);
	retire_rings(txq->eth, &txq->rings, &txq->spare, n_stuck);
}

/* Creates the objects of a queue. Undoes nothing on failure. */
static int create_tx(struct devx_eth_txq *txq)
{
	struct devx_eth *eth = txq->eth;
	int rc = devx_eth_rings_register(&txq->rings, &eth->dev);

	if (rc)
		return devx_eth_log_failure(eth, rc, "Tx queue %u: cannot use memory for its rings",
					    txq->id);
	rc = devx_eth_txq_create(txq);
	if (rc)
		return rc;
	devx_eth_hash_refresh_self_lb(eth); /* the TIRs are older than the SQ */
	return 0;
}

/* Removes an unused queue from the started port and frees it. */
static void remove_tx(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_eth_txq *txq;

	pthread_mutex_lock(&eth->lock);
	txq = devx_eth_txq_withdraw(ethdev, queue);
	destroy_tx(txq);
	pthread_mutex_unlock(&eth->lock);
	devx_eth_tx_rate_release(txq);
	devx_eth_txq_free(txq);
	devx_eth_ring_memory_free(&eth->rings);
}

/* Creates the objects of a new queue; removes the queue if that fails. */
static int start_service_tx(struct rte_eth_dev *ethdev, struct devx_eth_txq *txq)
{
	struct devx_eth *eth = txq->eth;
	int rc = devx_eth_txq_reserve_rings(txq) ? refuse_memory(eth, "Tx", txq->id) : 0;

	if (!rc) {
		pthread_mutex_lock(&eth->lock);
		rc = create_tx(txq);
		pthread_mutex_unlock(&eth->lock);
	}
	if (rc)
		remove_tx(ethdev, txq->id);
	return rc;
}

int devx_eth_runtime_txq_setup(struct rte_eth_dev *ethdev, uint16_t queue, uint16_t n_desc,
			       unsigned int socket, const struct rte_eth_txconf *conf)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc;

	if (!eth->started)
		return devx_eth_txq_setup(ethdev, queue, n_desc, socket, conf);
	devx_eth_recovery_timer_stop(eth);
	rc = devx_eth_txq_setup(ethdev, queue, n_desc, socket, conf);
	if (!rc)
		rc = start_service_tx(ethdev, ethdev->data->tx_queues[queue]);
	devx_eth_recovery_timer_start(eth);
	if (!rc)
		finish_setup(ethdev);
	return rc;
}

void devx_eth_runtime_txq_release(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);

	prepare_release(ethdev);
	if (!eth->started) {
		devx_eth_txq_release(ethdev, queue);
		return;
	}
	devx_eth_recovery_timer_stop(eth);
	remove_tx(ethdev, queue);
	devx_eth_recovery_timer_start(eth);
}
