/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>

#include "burst/devx_rx_ring.h"
#include "devx_log.h"
#include "recovery/devx_rx_recovery.h"

/**
 * DOC: Recovery of a receive queue
 *
 * After an error CQE the queue is in error state. The recovery timer resets it with firmware
 * commands; until then bursts return no packets. The posted mbufs go back to the pool, and the
 * timer fills the ring again. Received packets that no burst has taken yet count as lost.
 */

int devx_eth_rxq_recover(struct devx_eth_rxq *rxq)
{
	struct devx_eth *eth = rxq->eth;
	const uint32_t pi = rxq->rq.pi; /* devx_rq_reset() sets rq.pi to 0 */
	const struct prm_cqe *cqe;
	uint64_t lost = 0;
	int rc;

	rc = devx_rq_reset(&rxq->rq);
	if (rc)
		return rc;
	for (; (cqe = devx_cq_peek(&rxq->cq)); devx_cq_pop(&rxq->cq))
		lost += prm_cqe_opcode(cqe->op_own) == PRM_CQE_RESP_SEND;
	devx_cq_release(&rxq->cq);
	devx_eth_rxq_free_all(rxq, pi);
	rc = devx_rq_ready(&rxq->rq);
	if (rc)
		return rc;
	rxq->n.lost += lost;
	rxq->n.recoveries++;
	if (devx_eth_rxq_post_all(rxq))
		devx_eth_log(eth, WARNING,
			     "Rx queue %u: pool %s has too few free buffers to fill the queue",
			     rxq->id, rxq->pool->name);
	devx_eth_log(eth, WARNING,
		     "Rx queue %u: error CQE (syndrome 0x%02x, vendor syndrome 0x%02x); queue "
		     "restarted, %" PRIu64 " packets lost",
		     rxq->id, rxq->error_syndrome, rxq->error_vendor, lost);
	__atomic_store_n(&rxq->owner, DEVX_ETH_RUNNING, __ATOMIC_RELEASE);
	return 0;
}
