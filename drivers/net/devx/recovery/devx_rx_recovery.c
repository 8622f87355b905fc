/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_mbuf.h>

#include "burst/devx_rx_burst.h"
#include "devx_log.h"

/**
 * DOC: What happens rarely to a receive queue
 *
 * A frame longer than its buffer makes an error CQE and costs that frame alone. Any other
 * error CQE means that the device has stopped the queue: the burst hands it to the watch,
 * which resets it with firmware commands; until then bursts return nothing. No mbuf is
 * lost: what was posted goes back to the pool, and the ring is filled anew.
 */

__rte_noinline bool
devx_eth_rx_skip(struct devx_eth_rxq *rxq, struct rte_mbuf *m, const struct prm_cqe *cqe)
{
	const struct prm_err_cqe *err = (const struct prm_err_cqe *)cqe;

	if (prm_cqe_opcode(err->op_own) != PRM_CQE_RESP_ERR ||
	    err->syndrome != PRM_SYND_LOCAL_LENGTH)
		return false;
	rxq->n.too_long++;
	rte_mempool_put(rxq->pool, m);
	return true;
}

__rte_noinline void
devx_eth_rx_error(struct devx_eth_rxq *rxq, const struct prm_cqe *cqe)
{
	const struct prm_err_cqe *err = (const struct prm_err_cqe *)cqe;

	rxq->n.error_cqes++;
	rxq->error_syndrome = err->syndrome;
	rxq->error_vendor = err->vendor_err_synd;
	__atomic_store_n(&rxq->owner, DEVX_ETH_BROKEN, __ATOMIC_RELEASE);
}

__rte_noinline uint32_t
devx_eth_rx_starved(struct devx_eth_rxq *rxq, struct rte_mbuf **m, uint32_t n)
{
	uint32_t got = 0;

	while (got < n && !rte_mempool_get(rxq->pool, (void **)&m[got]))
		got++;
	if (!rxq->starving)
		rxq->n.no_mbuf += n - got;
	rxq->starving = 1;
	return got;
}

int
devx_eth_rx_recover(struct devx_eth_rxq *rxq)
{
	struct devx_eth *eth = rxq->eth;
	const uint32_t pi = rxq->rq.pi; /* a reset sets it to 0 */
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
		devx_eth_log(eth, WARNING, "Rx queue %u: pool %s is short of buffers after a reset",
			     rxq->id, rxq->pool->name);
	devx_eth_log(eth, WARNING,
		     "Rx queue %u: error completion, syndrome %02Xh (vendor %02Xh): %" PRIu64
		     " packets lost, queue restarted", rxq->id, rxq->error_syndrome,
		     rxq->error_vendor, lost);
	__atomic_store_n(&rxq->owner, DEVX_ETH_RUNNING, __ATOMIC_RELEASE);
	return 0;
}
