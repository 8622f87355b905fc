/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_cycles.h>

#include "devx_cq_failure.h"
#include "devx_log.h"
#include "queue/devx_queue_state.h"
#include "queue/devx_rxq_lifecycle.h"
#include "queue/devx_tx_drain.h"
#include "queue/devx_txq_lifecycle.h"
#include "recovery/devx_flush_wait.h"
#include "recovery/devx_rx_recovery.h"
#include "recovery/devx_tx_recovery.h"

static int refuse_if_lost(struct devx_eth *eth, const char *side, uint16_t queue)
{
	if (!devx_eth_is_lost(eth))
		return 0;
	devx_eth_log(eth, ERR,
		     "%s queue %u: the device failed or was removed; stop and close the port", side,
		     queue);
	return -EIO;
}

static void take_queue(uint32_t *owner)
{
	__atomic_store_n(owner, (uint32_t)DEVX_ETH_STOPPED, __ATOMIC_RELEASE);
}

/* Calls @change on a queue under eth->lock, and sets its state in ethdev on success. */
static int change_queue(struct rte_eth_dev *ethdev, int (*change)(void *queue), void *queue,
			uint8_t *state, uint8_t next_state)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc;

	pthread_mutex_lock(&eth->lock);
	rc = change(queue);
	pthread_mutex_unlock(&eth->lock);
	if (!rc)
		*state = next_state;
	return rc;
}

/* ---- Rx ---------------------------------------------------------------------------------- */

static int start_rx(void *queue)
{
	struct devx_eth_rxq *rxq = queue;
	int rc = refuse_if_lost(rxq->eth, "Rx", rxq->id);

	if (!rc)
		rc = devx_eth_rxq_activate(rxq);
	if (rc)
		return rc;
	devx_eth_owner_give(&rxq->owner);
	/* The CQ is not armed yet: wake a thread that waits, so that it enables the interrupt. */
	devx_eth_rx_wakeup_raise(&rxq->wakeup);
	return 0;
}

/* Waits until the device has flushed the WQEs of a queue in ERR (devx_flush_wait.h). */
static void wait_for_flush(struct devx_eth_rxq *rxq)
{
	const uint64_t end = devx_eth_send_wait_end();
	int rc;

	while ((rc = devx_eth_rxq_poll_flush(rxq)) == DEVX_ETH_WAITING &&
	       rte_get_timer_cycles() < end)
		rte_delay_us_sleep(DEVX_ETH_SEND_POLL_US);
	if (rc == DEVX_ETH_WAITING)
		devx_eth_flush_give_up(rxq->eth, &rxq->flush, "Rx queue %u", rxq->id);
}

static int stop_rx(void *queue)
{
	struct devx_eth_rxq *rxq = queue;
	int rc = refuse_if_lost(rxq->eth, "Rx", rxq->id);

	if (rc)
		return rc;
	take_queue(&rxq->owner);
	if (!rxq->cq_failed && !rxq->flush.overdue)
		wait_for_flush(rxq);
	rc = devx_eth_rxq_reset(rxq);
	return rc ? devx_eth_log_failure(rxq->eth, rc, "Rx queue %u: cannot change the RQ to RST",
					 rxq->id)
		  : 0;
}

int devx_eth_queue_start_rx(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct rte_eth_dev_data *data = ethdev->data;

	return change_queue(ethdev, start_rx, data->rx_queues[queue], &data->rx_queue_state[queue],
			    RTE_ETH_QUEUE_STATE_STARTED);
}

int devx_eth_queue_stop_rx(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct rte_eth_dev_data *data = ethdev->data;

	return change_queue(ethdev, stop_rx, data->rx_queues[queue], &data->rx_queue_state[queue],
			    RTE_ETH_QUEUE_STATE_STOPPED);
}

/* ---- Tx ---------------------------------------------------------------------------------- */

static int start_tx(void *queue)
{
	struct devx_eth_txq *txq = queue;
	int rc = refuse_if_lost(txq->eth, "Tx", txq->id);

	if (!rc)
		rc = devx_eth_txq_activate(txq);
	if (!rc)
		devx_eth_owner_give(&txq->owner);
	return rc;
}

static int stop_tx(void *queue)
{
	struct devx_eth_txq *txq = queue;
	int rc = refuse_if_lost(txq->eth, "Tx", txq->id);

	if (rc)
		return rc;
	devx_eth_txq_drain(txq);
	rc = devx_eth_txq_reset(txq);
	take_queue(&txq->owner);
	return rc ? devx_eth_log_failure(txq->eth, rc, "Tx queue %u: cannot change the SQ to RST",
					 txq->id)
		  : 0;
}

int devx_eth_queue_start_tx(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct rte_eth_dev_data *data = ethdev->data;

	return change_queue(ethdev, start_tx, data->tx_queues[queue], &data->tx_queue_state[queue],
			    RTE_ETH_QUEUE_STATE_STARTED);
}

int devx_eth_queue_stop_tx(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct rte_eth_dev_data *data = ethdev->data;

	return change_queue(ethdev, stop_tx, data->tx_queues[queue], &data->tx_queue_state[queue],
			    RTE_ETH_QUEUE_STATE_STOPPED);
}
