/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "burst/devx_desc_status.h"
#include "burst/devx_tx_complete.h"
#include "burst/devx_tx_keep.h"
#include "burst/devx_tx_slow_path.h"
#include "devx_rxq.h"
#include "devx_txq.h"

/* An event handler may set FAILED at any time; the burst thread owns the queue until it yields. */
static bool is_ours(const uint32_t *owner)
{
	const uint32_t now = __atomic_load_n(owner, __ATOMIC_ACQUIRE);

	return now == DEVX_ETH_RUNNING || now == DEVX_ETH_FAILED;
}

/* ---- Rx ---------------------------------------------------------------------------------- */

/* Returns whether the device has written the CQE of the WQE @offset behind the next packet. */
static bool has_cqe(const struct devx_eth_rxq *rxq, uint32_t offset)
{
	struct devx_cq at = rxq->cq;

	at.ci += offset;
	return devx_cq_peek(&at);
}

int devx_eth_rx_descriptor_status(void *queue, uint16_t offset)
{
	const struct devx_eth_rxq *rxq = queue;
	uint32_t wqe;

	if (!rxq || offset > rxq->elts_mask)
		return -EINVAL;
	wqe = (uint32_t)offset >> rxq->log2_segs;
	if (!is_ours(&rxq->owner) || wqe >= rxq->rq.pi - rxq->ci)
		return RTE_ETH_RX_DESC_UNAVAIL;
	return has_cqe(rxq, wqe) ? RTE_ETH_RX_DESC_DONE : RTE_ETH_RX_DESC_AVAIL;
}

/* The device writes CQEs in order, so a binary search finds the first one that it has not. */
devx_eth_rx_count devx_eth_rx_queue_count(void *queue)
{
	const struct devx_eth_rxq *rxq = queue;
	uint32_t n = 0, end;

	if (!rxq)
		return (devx_eth_rx_count)-EINVAL;
	if (!is_ours(&rxq->owner))
		return 0;
	end = rxq->rq.pi - rxq->ci;
	while (n < end) {
		const uint32_t middle = n + (end - n) / 2;

		if (has_cqe(rxq, middle))
			n = middle + 1;
		else
			end = middle;
	}
	return (devx_eth_rx_count)(n << rxq->log2_segs);
}

/* Returns -1, which ends the wait, if the device has written the CQE with this op_own. */
static int is_written(const uint64_t op_own, const uint64_t opaque[RTE_POWER_MONITOR_OPAQUE_SZ])
{
	return (op_own & PRM_CQE_OWNER) == opaque[0] ? -1 : 0;
}

int devx_eth_rx_monitor_addr_get(void *queue, struct rte_power_monitor_cond *cond)
{
	const struct devx_eth_rxq *rxq = queue;
	const struct devx_cq *cq;

	if (!rxq || __atomic_load_n(&rxq->owner, __ATOMIC_ACQUIRE) != DEVX_ETH_RUNNING)
		return -EINVAL;
	cq = &rxq->cq;
	*cond = (struct rte_power_monitor_cond){
		.addr = &cq->cqes[cq->ci & ((1u << cq->log2_n) - 1)].op_own,
		.size = sizeof(cq->cqes->op_own),
		.fn = is_written,
		.opaque = { cq->ci >> cq->log2_n & PRM_CQE_OWNER },
	};
	return 0;
}

/* ---- Tx ---------------------------------------------------------------------------------- */

/* Handles all CQEs. Returns whether the queue still belongs to this thread. */
static bool poll_cq(struct devx_eth_txq *txq)
{
	const struct prm_cqe *cqe;

	if (!is_ours(&txq->owner))
		return false;
	cqe = devx_cq_peek(&txq->cq);
	if (cqe)
		devx_eth_tx_complete_wqes(txq, cqe);
	return is_ours(&txq->owner);
}

int devx_eth_tx_descriptor_status(void *queue, uint16_t offset)
{
	struct devx_eth_txq *txq = queue;

	if (!txq || offset >= txq->n_desc)
		return -EINVAL;
	if (!poll_cq(txq))
		return RTE_ETH_TX_DESC_UNAVAIL;
	return offset < txq->n_elts - (uint16_t)(txq->head - txq->tail) ? RTE_ETH_TX_DESC_DONE
									: RTE_ETH_TX_DESC_FULL;
}

int devx_eth_tx_queue_count(void *queue)
{
	struct devx_eth_txq *txq = queue;

	if (!txq)
		return -EINVAL;
	return poll_cq(txq) ? (uint16_t)(txq->head - txq->tail) : 0;
}

/* Frees up to @max packets of elts [tail, end). Returns their number. */
static uint32_t free_packets(struct devx_eth_txq *txq, uint16_t end, uint32_t max)
{
	uint16_t to = txq->tail;
	uint32_t n = 0;

	while (to != end && n < max) {
		const struct rte_mbuf *m = devx_eth_tx_get_elt(txq, to);

		to += m ? m->nb_segs : 1;
		n++;
	}
	devx_eth_tx_free_elts(txq, to);
	return n;
}

/* A CQE whose packets are not all free stays in the CQ; the next call or burst frees the rest. */
int devx_eth_tx_done_cleanup(void *queue, uint32_t max)
{
	struct devx_eth_txq *txq = queue;
	const struct prm_cqe *cqe = NULL;
	uint32_t n = 0;

	if (!txq)
		return -EINVAL;
	if (!max)
		max = UINT32_MAX;
	if (!is_ours(&txq->owner))
		return 0;
	while (n < max && (cqe = devx_cq_peek(&txq->cq)) &&
	       prm_cqe_opcode(cqe->op_own) == PRM_CQE_REQ) {
		const uint16_t wqe = prm_be16_get(cqe->wqe_counter);
		const uint16_t end = txq->marks[wqe & txq->elts_mask].end;

		n += free_packets(txq, end, max - n);
		if (txq->tail != end)
			break;
		txq->done = devx_eth_tx_get_end_of_wqe(txq, wqe);
		devx_cq_pop(&txq->cq);
	}
	devx_cq_release(&txq->cq);
	if (n == max)
		return (int)n;
	/* the last access to @txq: then the recovery timer owns the queue */
	if (cqe)
		devx_eth_txq_mark_broken(txq, cqe);
	else if (__atomic_load_n(&txq->owner, __ATOMIC_RELAXED) == DEVX_ETH_RUNNING)
		devx_eth_tx_request_cqe(txq);
	return (int)n;
}
