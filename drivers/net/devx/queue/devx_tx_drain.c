/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_cycles.h>

#include "burst/devx_tx_complete.h"
#include "queue/devx_tx_drain.h"
#include "recovery/devx_flush_wait.h"

unsigned int devx_eth_send_wait_ms = 500;

uint64_t devx_eth_send_wait_end(void)
{
	return rte_get_timer_cycles() + devx_eth_send_wait_ms * rte_get_timer_hz() / MS_PER_S;
}

/* Takes a running queue from the bursts. Returns whether the queue was running. */
static bool take_queue(struct devx_eth_txq *txq)
{
	if (__atomic_load_n(&txq->owner, __ATOMIC_ACQUIRE) != DEVX_ETH_RUNNING)
		return false;
	__atomic_store_n(&txq->owner, (uint32_t)DEVX_ETH_STOPPED, __ATOMIC_RELEASE);
	return true;
}

/* Returns whether packets still wait for their CQE. False after an error CQE (BROKEN). */
static bool is_sending(const struct devx_eth_txq *txq)
{
	return txq->tail != txq->head &&
	       __atomic_load_n(&txq->owner, __ATOMIC_RELAXED) == DEVX_ETH_STOPPED;
}

/* Handles all new CQEs, then requests one for the last packets. */
static void advance_queue(struct devx_eth_txq *txq)
{
	const struct prm_cqe *cqe = devx_cq_peek(&txq->cq);

	if (cqe)
		devx_eth_tx_complete_wqes(txq, cqe);
	if (is_sending(txq))
		devx_eth_tx_request_cqe(txq);
}

static void wait_for_sends(struct devx_eth_txq *txq, uint64_t end)
{
	while (is_sending(txq)) {
		advance_queue(txq);
		if (!is_sending(txq) || rte_get_timer_cycles() >= end)
			return;
		rte_delay_us_sleep(DEVX_ETH_SEND_POLL_US);
	}
}

/* Waits until the device has flushed the WQEs of a queue in ERR (devx_flush_wait.h). */
static void wait_for_flush(struct devx_eth_txq *txq, uint64_t end)
{
	int rc;

	while ((rc = devx_eth_txq_poll_flush(txq)) == DEVX_ETH_WAITING &&
	       rte_get_timer_cycles() < end)
		rte_delay_us_sleep(DEVX_ETH_SEND_POLL_US);
	if (rc == DEVX_ETH_WAITING)
		devx_eth_flush_give_up(txq->eth, &txq->flush, "Tx queue %u", txq->id);
}

void devx_eth_txq_drain(struct devx_eth_txq *txq)
{
	const uint64_t end = devx_eth_send_wait_end();

	if (take_queue(txq))
		wait_for_sends(txq, end);
	if (__atomic_load_n(&txq->owner, __ATOMIC_RELAXED) == DEVX_ETH_BROKEN && !txq->cq_failed &&
	    !txq->flush.overdue)
		wait_for_flush(txq, end);
}

void devx_eth_port_drain(struct devx_eth *eth)
{
	const uint64_t end = devx_eth_send_wait_end();
	struct rte_eth_dev_data *data = eth->data;

	for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
		struct devx_eth_txq *txq = data->tx_queues[i];

		if (txq && take_queue(txq) && is_sending(txq))
			advance_queue(txq);
	}
	for (uint16_t i = 0; i < data->nb_tx_queues; i++)
		if (data->tx_queues[i])
			wait_for_sends(data->tx_queues[i], end);
}
