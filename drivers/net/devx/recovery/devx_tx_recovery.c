/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_mbuf.h>

#include "burst/devx_tx_check.h"
#include "burst/devx_tx_complete.h"
#include "burst/devx_tx_keep.h"
#include "devx_hash.h"
#include "devx_log.h"
#include "devx_ring_memory.h"
#include "recovery/devx_flush_wait.h"
#include "recovery/devx_tx_recovery.h"

/**
 * DOC: Recovery of a send queue
 *
 * After an error CQE the device flushes all WQEs behind the failed one. The recovery timer waits
 * for that (devx_flush_wait.h) and resets the queue with firmware commands; until then bursts
 * accept no packets. The timer frees every mbuf in the ring and counts the packets from the failed
 * WQE on as lost. The device may have sent some packets of a multi-packet WQE before the failure;
 * they also count as lost. The counters of posted packets and bytes stay, because a counter never
 * decreases.
 *
 * A CQ never leaves the error state, and an SQ cannot change its CQ. So after an error of the CQ,
 * or if flush CQEs may still come, the queue gets a new CQ and SQ. All packets without a CQE count
 * as lost, although the device may have sent some of them.
 */

/* Counts the frames of the packets from elt @from on. */
static unsigned int count_frames(const struct devx_eth_txq *txq, uint16_t from)
{
	unsigned int n = 0;

	/* a process that was killed while it freed mbufs may have left only the end of a packet */
	for (uint16_t left = (uint16_t)(txq->head - from); left;) {
		const struct rte_mbuf *m = devx_eth_tx_get_elt(txq, (uint16_t)(txq->head - left));
		struct devx_eth_tx_shape shape = { .n_frames = 1 };

		if (m)
			devx_eth_tx_measure_packet(txq, m, &shape);
		n += shape.n_frames;
		left -= RTE_MIN(left, RTE_MAX(m ? m->nb_segs : 1, 1));
	}
	return n;
}

static void drop_cqes(struct devx_eth_txq *txq)
{
	while (devx_cq_peek(&txq->cq))
		devx_cq_pop(&txq->cq);
	devx_cq_release(&txq->cq);
}

/* Returns the first elt that no CQE completes; the CQ gets no more CQEs. */
static uint16_t find_incomplete(struct devx_eth_txq *txq)
{
	const struct prm_cqe *cqe;
	uint16_t end = txq->tail;

	while ((cqe = devx_cq_peek(&txq->cq)) && prm_cqe_opcode(cqe->op_own) == PRM_CQE_REQ) {
		end = txq->marks[prm_be16_get(cqe->wqe_counter) & txq->elts_mask].end;
		devx_cq_pop(&txq->cq);
	}
	return end;
}

static bool has_error_cqe(const struct devx_eth_txq *txq)
{
	if (txq->flush.began)
		return txq->flush.failed;
	return __atomic_load_n(&txq->owner, __ATOMIC_RELAXED) == DEVX_ETH_BROKEN &&
	       !txq->cq_failed && !txq->flush.overdue && !txq->user.ended;
}

/* Returns the first elt of the failed WQE; without an error CQE, the first that none completes. */
static uint16_t find_first_lost(struct devx_eth_txq *txq)
{
	if (txq->flush.began)
		return txq->flush.first;
	return has_error_cqe(txq) ? txq->marks[txq->error_wqe & txq->elts_mask].first
				  : find_incomplete(txq);
}

/* Resets the SQ and frees all mbufs. @lost: receives the number of lost frames. */
static int reset_queue(struct devx_eth_txq *txq, unsigned int *lost)
{
	uint16_t first;
	int rc = devx_sq_reset(&txq->sq);

	if (!rc)
		rc = devx_sq_ready(&txq->sq);
	if (rc)
		return rc;
	first = find_first_lost(txq);
	drop_cqes(txq); /* from before the reset */
	*lost = count_frames(txq, first);
	txq->n.lost += *lost;
	devx_eth_tx_free_elts(txq, txq->head);
	return 0;
}

void devx_eth_txq_count_lost(struct devx_eth_txq *txq)
{
	unsigned int n;

	if (txq->tail == txq->head)
		return; /* nothing is posted, or the queue has no objects */
	n = count_frames(txq, find_first_lost(txq));
	if (devx_eth_is_lost(txq->eth) && !has_error_cqe(txq))
		txq->n.unknown += n;
	else
		txq->n.lost += n;
}

int devx_eth_txq_reset(struct devx_eth_txq *txq)
{
	const int rc = devx_sq_reset(&txq->sq);

	if (rc)
		return rc;
	devx_eth_txq_count_lost(txq);
	drop_cqes(txq);
	devx_eth_tx_free_elts(txq, txq->head);
	devx_eth_txq_empty_ring(txq);
	return 0;
}

void devx_eth_txq_destroy_sq(struct devx_eth_txq *txq)
{
	const unsigned int n_stuck = txq->eth->dev.n_stuck;

	devx_sq_destroy(&txq->sq);
	if (devx_eth_is_stuck(txq->eth, n_stuck, "Tx", txq->id))
		txq->tail = txq->kept = txq->head;
	else
		devx_eth_tx_free_elts(txq, txq->head);
}

/* Gives the queue a new CQ and a new SQ. @lost: receives the number of lost frames. */
static int replace_queue(struct devx_eth_txq *txq, unsigned int *lost)
{
	struct devx_eth *eth = txq->eth;
	struct devx_cq cq = { 0 };
	struct devx_sq sq = { 0 };
	const struct devx_cq_attr cq_attr = txq->cq_attr;
	struct devx_umem_ring cq_place, place;
	struct devx_sq_attr attr = txq->sq_attr;
	const unsigned int n_stuck = eth->dev.n_stuck;
	uint64_t cookie;
	int rc;

	if (!txq->spare.chunk)
		return -ENOMEM;
	rc = devx_eth_rings_register(&txq->spare, &eth->dev);
	if (rc)
		return rc;
	cq_place = devx_eth_rings_get_cq(&txq->spare);
	place = devx_eth_rings_get_wq(&txq->spare);
	attr.cq = &cq;
	rc = devx_eth_cq_create(&cq, eth, &cq_attr, &cq_place, DEVX_ETH_CQ_TX, txq->id, &cookie);
	if (!rc)
		rc = devx_sq_create_in_umem(&sq, &eth->dev, &attr, &place);
	if (!rc)
		rc = devx_sq_ready(&sq);
	if (rc) {
		devx_sq_destroy(&sq);
		devx_cq_destroy(&cq);
		devx_eth_rings_check(&txq->spare, &eth->dev, n_stuck);
		return rc;
	}
	devx_eth_hash_refresh_self_lb(eth);
	*lost = count_frames(txq, find_first_lost(txq));
	txq->n.lost += *lost;
	devx_eth_txq_destroy_sq(txq);
	devx_cq_destroy(&txq->cq);
	txq->cq = cq;
	txq->sq = sq;
	txq->cq_cookie = cookie;
	devx_eth_rings_swap(&txq->rings, &txq->spare);
	devx_eth_rings_check(&txq->spare, &eth->dev, n_stuck);
	return 0;
}

int devx_eth_txq_reserve_spare(struct devx_eth_txq *txq)
{
	return devx_eth_rings_reserve(&txq->eth->rings, &txq->spare, txq->cq.buf.bytes,
				      txq->sq.buf.bytes, txq->socket);
}

static void report_restart(struct devx_eth_txq *txq, bool replaced, unsigned int lost)
{
	const char *what = replaced ? "created again" : "restarted";

	if (txq->user.ended)
		devx_eth_log(txq->eth, WARNING,
			     "Tx queue %u: secondary process %u ended while it used the queue; "
			     "queue %s, %u packets lost",
			     txq->id, txq->user.process, what, lost);
	else if (txq->cq_failed)
		devx_eth_log(txq->eth, WARNING,
			     "Tx queue %u: error of its CQ (syndrome 0x%02x); queue created again, "
			     "%u packets lost",
			     txq->id, txq->cq_syndrome, lost);
	else if (txq->flush.overdue && !txq->flush.began) /* the last error CQE is older */
		devx_eth_log(txq->eth, WARNING,
			     "Tx queue %u: flush CQEs from before its stop may still come; queue "
			     "created again",
			     txq->id);
	else
		devx_eth_log(txq->eth, WARNING,
			     "Tx queue %u: error CQE (syndrome 0x%02x, vendor syndrome 0x%02x); "
			     "queue %s, %u packets lost",
			     txq->id, txq->error_syndrome, txq->error_vendor, what, lost);
}

static int await_flush(struct devx_eth_txq *txq)
{
	const int rc = devx_eth_txq_poll_flush(txq);

	if (rc == DEVX_ETH_WAITING && txq->flush.n_polls > devx_eth_flush_periods)
		devx_eth_flush_give_up(txq->eth, &txq->flush, "Tx queue %u", txq->id);
	return rc;
}

int devx_eth_txq_recover(struct devx_eth_txq *txq)
{
	const bool replace = txq->cq_failed || txq->flush.overdue;
	unsigned int lost;
	int rc = replace ? replace_queue(txq, &lost) : await_flush(txq);

	if (!rc && !replace)
		rc = reset_queue(txq, &lost);
	if (rc)
		return rc;
	report_restart(txq, replace, lost);
	devx_eth_txq_empty_ring(txq);
	txq->n.cq_errors += txq->cq_failed;
	txq->n.recoveries++;
	txq->cq_failed = false;
	txq->flush.overdue = false;
	txq->table = NULL; /* a process that ended may have written only a part of txq->range */
	devx_eth_user_release(&txq->user);
	__atomic_store_n(&txq->owner, DEVX_ETH_RUNNING, __ATOMIC_RELEASE);
	return 0;
}
