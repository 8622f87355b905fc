/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_mbuf.h>

#include "burst/devx_tx_complete.h"
#include "devx_log.h"
#include "recovery/devx_tx_recovery.h"

/**
 * DOC: Recovery of a send queue
 *
 * After an error CQE the device flushes all WQEs behind the failed one. The recovery timer resets
 * the queue with firmware commands; until then bursts accept no packets. The timer frees every mbuf
 * in the ring and counts the packets from the failed WQE on as lost. The device may have sent some
 * packets of a multi-packet WQE before the failure; they count as lost too.
 */

/* Moves the packets from elt @from on from the sent to the lost counter; returns their number. */
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
		devx_cq_pop(&txq->cq); /* drops the CQEs from before the reset */
	devx_cq_release(&txq->cq);

	lost = count_lost(txq, txq->marks[txq->error_wqe & txq->elts_mask].first);
	devx_eth_tx_free_elts(txq, txq->head);
	txq->head = txq->tail = txq->comp = 0;
	txq->n.recoveries++;
	devx_eth_log(eth, WARNING,
		     "Tx queue %u: error CQE (syndrome 0x%02x, vendor syndrome 0x%02x); queue "
		     "restarted, "
		     "%u packets lost",
		     txq->id, txq->error_syndrome, txq->error_vendor, lost);
	__atomic_store_n(&txq->owner, DEVX_ETH_RUNNING, __ATOMIC_RELEASE);
	return 0;
}
