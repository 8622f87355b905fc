/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_cycles.h>

#include "burst/devx_tx_complete.h"
#include "burst/devx_tx_room.h"
#include "control/devx_queue_state.h"
#include "control/devx_rxq_lifecycle.h"
#include "control/devx_txq_lifecycle.h"
#include "devx_log.h"
#include "recovery/devx_rx_recovery.h"
#include "recovery/devx_tx_recovery.h"

enum { SEND_WAIT_MS = 100, SEND_POLL_US = 20 };

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

/* ---- Rx ---------------------------------------------------------------------------------- */

static int start_rx(struct devx_eth_rxq *rxq)
{
	int rc = refuse_if_lost(rxq->eth, "Rx", rxq->id);

	if (!rc)
		rc = devx_eth_rxq_activate(rxq);
	if (rc)
		return rc;
	/* nobody has armed the CQ: a thread that enabled the interrupt before must do it again */
	devx_eth_rx_wakeup_raise(&rxq->wakeup);
	return 0;
}

static int stop_rx(struct devx_eth_rxq *rxq)
{
	int rc = refuse_if_lost(rxq->eth, "Rx", rxq->id);

	if (rc)
		return rc;
	take_queue(&rxq->owner);
	rc = devx_eth_rxq_reset(rxq);
	return rc ? devx_eth_log_failure(rxq->eth, rc, "Rx queue %u: cannot change the RQ to RST",
					 rxq->id)
		  : 0;
}

int devx_eth_queue_start_rx(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc;

	pthread_mutex_lock(&eth->lock);
	rc = start_rx(ethdev->data->rx_queues[queue]);
	pthread_mutex_unlock(&eth->lock);
	if (!rc)
		ethdev->data->rx_queue_state[queue] = RTE_ETH_QUEUE_STATE_STARTED;
	return rc;
}

int devx_eth_queue_stop_rx(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc;

	pthread_mutex_lock(&eth->lock);
	rc = stop_rx(ethdev->data->rx_queues[queue]);
	pthread_mutex_unlock(&eth->lock);
	if (!rc)
		ethdev->data->rx_queue_state[queue] = RTE_ETH_QUEUE_STATE_STOPPED;
	return rc;
}

/* ---- Tx ---------------------------------------------------------------------------------- */

/*
 * Posts a NOP that requests a CQE, behind all packets: the last packets of a queue have none, as
 * in Linux' mlx5e_deactivate_txqsq(). The NOP takes a block and no elt, so no packet follows it.
 */
static void post_nop(struct devx_eth_txq *txq)
{
	struct devx_sq *sq = &txq->sq;
	struct prm_ctrl_seg *ctrl = &devx_sq_get_wqebb(sq, sq->pi)->ctrl;

	*ctrl = (struct prm_ctrl_seg){
		.opmod_idx_opcode = prm_ctrl_dw0(0, sq->pi, PRM_WQE_NOP),
		.qpn_ds = prm_ctrl_dw1(sq->sqn, 1),
		.fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT,
	};
	txq->marks[sq->pi & txq->elts_mask] = (struct devx_eth_tx_mark){ txq->head, txq->head };
	txq->comp = txq->head;
	sq->pi++;
	if (txq->eth->args.tx_bf_wqe)
		devx_sq_ring_next(sq, ctrl);
	else
		devx_sq_ring(sq, ctrl);
}

/* Waits until the device has sent all posted packets. An error CQE makes the queue BROKEN. */
static void wait_for_sends(struct devx_eth_txq *txq)
{
	const uint64_t end = rte_get_timer_cycles() + SEND_WAIT_MS * rte_get_timer_hz() / MS_PER_S;
	const struct prm_cqe *cqe;

	while (txq->tail != txq->head && rte_get_timer_cycles() < end) {
		cqe = devx_cq_peek(&txq->cq);
		if (cqe)
			devx_eth_tx_complete_wqes(txq, cqe);
		else if (txq->comp != txq->head && devx_eth_tx_count_free_blocks(txq))
			post_nop(txq);
		else
			rte_delay_us_sleep(SEND_POLL_US);
		if (__atomic_load_n(&txq->owner, __ATOMIC_RELAXED) == DEVX_ETH_BROKEN)
			return;
	}
}

static int start_tx(struct devx_eth_txq *txq)
{
	const int rc = refuse_if_lost(txq->eth, "Tx", txq->id);

	return rc ? rc : devx_eth_txq_activate(txq);
}

static int stop_tx(struct devx_eth_txq *txq)
{
	int rc = refuse_if_lost(txq->eth, "Tx", txq->id);

	if (rc)
		return rc;
	if (__atomic_load_n(&txq->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_RUNNING) {
		take_queue(&txq->owner);
		wait_for_sends(txq);
	}
	rc = devx_eth_txq_reset(txq);
	take_queue(&txq->owner);
	return rc ? devx_eth_log_failure(txq->eth, rc, "Tx queue %u: cannot change the SQ to RST",
					 txq->id)
		  : 0;
}

int devx_eth_queue_start_tx(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc;

	pthread_mutex_lock(&eth->lock);
	rc = start_tx(ethdev->data->tx_queues[queue]);
	pthread_mutex_unlock(&eth->lock);
	if (!rc)
		ethdev->data->tx_queue_state[queue] = RTE_ETH_QUEUE_STATE_STARTED;
	return rc;
}

int devx_eth_queue_stop_tx(struct rte_eth_dev *ethdev, uint16_t queue)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc;

	pthread_mutex_lock(&eth->lock);
	rc = stop_tx(ethdev->data->tx_queues[queue]);
	pthread_mutex_unlock(&eth->lock);
	if (!rc)
		ethdev->data->tx_queue_state[queue] = RTE_ETH_QUEUE_STATE_STOPPED;
	return rc;
}
