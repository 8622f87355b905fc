/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_alarm.h>

#include "devx_generator.h"
#include "devx_log.h"
#include "devx_missed.h"
#include "devx_rxq.h"
#include "devx_txq.h"
#include "memory/devx_unknown.h"
#include "recovery/devx_cq_poll.h"
#include "recovery/devx_flush_wait.h"
#include "recovery/devx_generator_recovery.h"
#include "recovery/devx_recovery_timer.h"
#include "recovery/devx_rx_recovery.h"
#include "recovery/devx_tx_recovery.h"

/**
 * DOC: The recovery timer
 *
 * An alarm on EAL's interrupt thread, every DEVX_ETH_RECOVERY_PERIOD_US while the port is started.
 * It resets queues that bursts marked as broken, after an error CQE or an error of the CQ: a burst
 * itself never sends a firmware command. A queue is usable again after one period and a few
 * commands, or when the device has flushed its WQEs (devx_flush_wait.h). If eth->lock is taken or a
 * command fails, the next period tries again.
 *
 * The timer also finds CQs in error for which the device sends no event (devx_cq_poll.h). It
 * handles packets in memory without a key (memory/devx_unknown.h), and reads the queue counter
 * (devx_missed.h).
 */

/* Logs the first of several failures in a row. */
static void report_failure(struct devx_eth *eth, const char *side, uint16_t queue, int rc,
			   bool *reported)
{
	if (rc == DEVX_ETH_WAITING)
		return;
	if (rc && !*reported)
		devx_eth_log_failure(eth, rc,
				     "%s queue %u: cannot restart the queue after an error; trying "
				     "again every %d ms",
				     side, queue, DEVX_ETH_RECOVERY_PERIOD_US / 1000);
	*reported = rc != 0;
}

/* Reports, once per queue, a secondary process that tried to use a queue of another process. */
static void report_user(struct devx_eth *eth, const char *side, uint16_t queue,
			struct devx_eth_user *user)
{
	const uint32_t refused = __atomic_load_n(&user->refused, __ATOMIC_RELAXED);

	if (!refused || user->reported)
		return;
	user->reported = true;
	devx_eth_log(eth, ERR,
		     "%s queue %u: process %u cannot use it, because process %u does (valid: one "
		     "secondary process per queue, until it closes the port or ends)",
		     side, queue, refused, user->process);
}

static void recover_generators(struct devx_eth *eth)
{
	devx_eth_generator_publish(eth);
	for (struct rte_pmd_devx_ring *r = eth->generators; r; r = r->next) {
		int rc;

		if (__atomic_load_n(&r->owner, __ATOMIC_ACQUIRE) != DEVX_ETH_BROKEN)
			continue;
		rc = devx_eth_generator_recover(r);
		if (rc == DEVX_ETH_WAITING)
			continue;
		if (rc && !r->recovery_failed)
			devx_eth_log_failure(eth, rc,
					     "generator ring: cannot restart the ring after an "
					     "error; trying again every %d ms",
					     DEVX_ETH_RECOVERY_PERIOD_US / 1000);
		r->recovery_failed = rc != 0;
	}
}

static void recover_queues(struct devx_eth *eth)
{
	struct rte_eth_dev_data *data = eth->data;

	for (uint16_t i = 0; i < data->nb_rx_queues; i++) {
		struct devx_eth_rxq *rxq = data->rx_queues[i];

		if (!rxq)
			continue;
		if (__atomic_load_n(&rxq->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_BROKEN)
			report_failure(eth, "Rx", i, devx_eth_rxq_recover(rxq),
				       &rxq->recovery_failed);
		report_user(eth, "Rx", i, &rxq->user);
	}
	for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
		struct devx_eth_txq *txq = data->tx_queues[i];

		if (!txq)
			continue;
		if (__atomic_load_n(&txq->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_BROKEN)
			report_failure(eth, "Tx", i, devx_eth_txq_recover(txq),
				       &txq->recovery_failed);
		report_user(eth, "Tx", i, &txq->user);
	}
	recover_generators(eth);
	devx_eth_cq_poll_step(eth);
}

/*
 * Allocates memory for queues that get a new CQ. Runs without eth->lock, which EAL's callbacks for
 * memory take. No queue can vanish meanwhile: stop and close wait for the timer. If the memory is
 * missing, the recovery fails with -ENOMEM and the next period tries again.
 */
static void reserve_spare_memory(struct devx_eth *eth)
{
	struct rte_eth_dev_data *data = eth->data;

	for (uint16_t i = 0; i < data->nb_rx_queues; i++) {
		struct devx_eth_rxq *rxq = data->rx_queues[i];

		if (rxq && (rxq->cq_failed || rxq->flush.overdue) &&
		    __atomic_load_n(&rxq->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_BROKEN)
			devx_eth_rxq_reserve_spare(rxq);
	}
	for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
		struct devx_eth_txq *txq = data->tx_queues[i];

		if (txq && (txq->cq_failed || txq->flush.overdue) &&
		    __atomic_load_n(&txq->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_BROKEN)
			devx_eth_txq_reserve_spare(txq);
	}
}

static void run_recovery_timer(void *arg)
{
	struct devx_eth *eth = arg;
	int rc;

	reserve_spare_memory(eth);
	if (!devx_eth_is_lost(eth))
		devx_eth_unknown_handle(eth);
	/* trylock: the holder of eth->lock may wait for this thread; the next period tries again */
	if (!pthread_mutex_trylock(&eth->lock)) {
		if (!devx_eth_is_lost(eth)) { /* a lost device executes no command */
			recover_queues(eth);
			devx_eth_missed_poll(eth);
		}
		pthread_mutex_unlock(&eth->lock);
	}
	rc = rte_eal_alarm_set(DEVX_ETH_RECOVERY_PERIOD_US, run_recovery_timer, eth);
	if (rc)
		devx_eth_log(eth, ERR,
			     "recovery timer: cannot restart (%s); queues in error state stay down "
			     "until the port restarts",
			     rte_strerror(-rc));
}

int devx_eth_recovery_timer_start(struct devx_eth *eth)
{
	int rc;

	eth->events.poll = (struct devx_eth_cq_poll){ 0 };
	rc = rte_eal_alarm_set(DEVX_ETH_RECOVERY_PERIOD_US, run_recovery_timer, eth);
	if (rc)
		devx_eth_log(eth, ERR, "recovery timer: cannot start (%s)", rte_strerror(-rc));
	return rc;
}

void devx_eth_recovery_timer_stop(struct devx_eth *eth)
{
	rte_eal_alarm_cancel(run_recovery_timer, eth); /* waits until a running callback returns */
}
