/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_mbuf.h>

#include "burst/devx_tx_complete.h"
#include "devx_log.h"
#include "recovery/devx_tx_recovery.h"

/**
 * DOC: Recovery of a send queue
 *
 * After an error CQE the device flushes everything behind the WQE that failed. The recovery
 * timer resets the queue with firmware commands; until then bursts take nothing. Every mbuf
 * in the ring is freed, and the packets from the failed WQE on count as lost, though some of
 * a multi-packet WQE may have been sent before it failed.
 */

/* Take back from the statistics what stands in the ring from elt @from on. */
static unsigned int count_lost(struct devx_eth_txq *txq, uint16_t from)
{
	unsigned int lost = 0;

	while (from != txq->head) {
		const struct rte_mbuf *m = txq->elts[from & txq->elts_mask];

		lost++;
		txq->n.bytes -= m->pkt_len;
		from += m->nb_segs;
	}
	txq->n.packets -= lost;
	txq->n.lost += lost;
	return lost;
}

int devx_eth_txq_recover(struct devx_eth_txq *txq)
{
	struct devx_eth *eth = txq->eth;
	unsigned int lost;
	int rc;

	rc = devx_sq_reset(&txq->sq);
	if (!rc)
		rc = devx_sq_ready(&txq->sq);
	if (rc)
		return rc;
	while (devx_cq_peek(&txq->cq))
		devx_cq_pop(&txq->cq); /* of before the reset: none comes after it */
	devx_cq_release(&txq->cq);

	lost = count_lost(txq, txq->marks[txq->error_wqe & txq->elts_mask].first);
	devx_eth_tx_free_elts(txq, txq->head);
	txq->head = txq->tail = txq->comp = 0;
	txq->n.recoveries++;
	devx_eth_log(
		eth, WARNING,
		"Tx queue %u: error completion, syndrome %02Xh (vendor %02Xh): %u packets lost, "
		"queue restarted",
		txq->id, txq->error_syndrome, txq->error_vendor, lost);
	__atomic_store_n(&txq->owner, DEVX_ETH_RUNNING, __ATOMIC_RELEASE);
	return 0;
}
