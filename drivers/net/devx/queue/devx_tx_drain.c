/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_cycles.h>

#include "burst/devx_tx_complete.h"
#include "burst/devx_tx_room.h"
#include "queue/devx_tx_drain.h"

unsigned int devx_eth_send_wait_ms = 500;

uint64_t devx_eth_send_wait_end(void)
{
	return rte_get_timer_cycles() + devx_eth_send_wait_ms * rte_get_timer_hz() / MS_PER_S;
}

/* The NOP takes a block and no elt, so no packet may follow it. */
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

/* Returns whether the queue was running, and now belongs to this thread. */
static bool take_queue(struct devx_eth_txq *txq)
{
	if (__atomic_load_n(&txq->owner, __ATOMIC_ACQUIRE) != DEVX_ETH_RUNNING)
		return false;
	__atomic_store_n(&txq->owner, (uint32_t)DEVX_ETH_STOPPED, __ATOMIC_RELEASE);
	return true;
}

/* Takes all CQEs. Requests one for the last packets as soon as the ring has room for a NOP. */
static void advance_queue(struct devx_eth_txq *txq)
{
	const struct prm_cqe *cqe = devx_cq_peek(&txq->cq);

	if (cqe)
		devx_eth_tx_complete_wqes(txq, cqe);
	if (txq->comp != txq->head && devx_eth_tx_count_free_blocks(txq))
		post_nop(txq);
}

/* Returns whether packets wait for their CQE; an error CQE makes the queue BROKEN. */
static bool is_sending(const struct devx_eth_txq *txq)
{
	return txq->tail != txq->head &&
	       __atomic_load_n(&txq->owner, __ATOMIC_RELAXED) == DEVX_ETH_STOPPED;
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

void devx_eth_txq_drain(struct devx_eth_txq *txq)
{
	if (take_queue(txq))
		wait_for_sends(txq, devx_eth_send_wait_end());
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
