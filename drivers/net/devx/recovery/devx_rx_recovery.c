/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "burst/devx_rx_ring.h"
#include "devx_hash_tables.h"
#include "devx_log.h"
#include "devx_ring_memory.h"
#include "recovery/devx_flush_wait.h"
#include "recovery/devx_rx_recovery.h"

/**
 * DOC: Recovery of a receive queue
 *
 * After an error CQE the queue is in error state. The recovery timer waits for the flush CQEs
 * (devx_flush_wait.h) and resets the queue with firmware commands; until then bursts return no
 * packets. The posted mbufs go back to the pool, and the timer fills the ring again. Received
 * packets that no burst has taken yet count as lost.
 *
 * A CQ never leaves the error state, and an RQ cannot change its CQ. So after an error of the CQ,
 * or if flush CQEs may still come, the queue gets a new CQ and RQ. The RQTs get the number of the
 * new RQ:
 *
 *     create CQ, RQ -> change the RQTs -> destroy old RQ, CQ
 *
 * Other queues are not affected. Packets that arrive before the new RQ has buffers are lost.
 */

/* Takes all CQEs; those of received packets count as lost. */
static void drain_cq(struct devx_eth_rxq *rxq)
{
	const struct prm_cqe *cqe;
	uint64_t lost = 0;

	for (; (cqe = devx_cq_peek(&rxq->cq)); devx_cq_pop(&rxq->cq)) {
		lost += prm_cqe_opcode(cqe->op_own) == PRM_CQE_RESP_SEND;
		rxq->flush.over |= prm_be16_get(cqe->wqe_counter) == (uint16_t)(rxq->flush.end - 1);
	}
	devx_cq_release(&rxq->cq);
	rxq->n.lost += lost;
	rxq->lost_now += lost;
}

static int begin_wait(struct devx_eth_rxq *rxq)
{
	const bool error_cqe = __atomic_load_n(&rxq->owner, __ATOMIC_RELAXED) == DEVX_ETH_BROKEN &&
			       !rxq->user.ended;
	enum prm_wq_state state = PRM_WQ_STATE_ERR;
	const int rc = error_cqe ? 0 : devx_rq_query_state(&rxq->rq, &state);

	if (rc || state != PRM_WQ_STATE_ERR)
		return rc;
	rxq->flush.began = true;
	/* a process that ended may have filled WQEs that it did not post */
	rxq->flush.end = (uint16_t)prm_be32_get(rxq->rq.dbrec[PRM_DBR_RCV]);
	rxq->flush.over = (uint16_t)rxq->ci == rxq->flush.end;
	return DEVX_ETH_WAITING;
}

int devx_eth_rxq_poll_flush(struct devx_eth_rxq *rxq)
{
	const int rc = rxq->flush.began ? DEVX_ETH_WAITING : begin_wait(rxq);

	if (rc != DEVX_ETH_WAITING)
		return rc;
	if (!rxq->flush.over)
		drain_cq(rxq);
	if (rxq->flush.over)
		return 0;
	rxq->flush.n_polls++;
	return DEVX_ETH_WAITING;
}

int devx_eth_rxq_reset(struct devx_eth_rxq *rxq)
{
	const uint32_t pi = rxq->rq.pi; /* devx_rq_reset() sets rq.pi to 0 */
	const int rc = devx_rq_reset(&rxq->rq);

	if (rc)
		return rc;
	drain_cq(rxq);
	devx_eth_rxq_free_all(rxq, pi);
	return 0;
}

void devx_eth_rxq_destroy_rq(struct devx_eth_rxq *rxq)
{
	const unsigned int n_stuck = rxq->eth->dev.n_stuck;
	const uint32_t pi = rxq->rq.pi;

	devx_rq_destroy(&rxq->rq);
	if (pi) /* the queue had buffers, so it has a CQ */
		drain_cq(rxq);
	if (devx_eth_is_stuck(rxq->eth, n_stuck, "Rx", rxq->id))
		devx_eth_rxq_forget_all(rxq);
	else
		devx_eth_rxq_free_all(rxq, pi);
}

static int replace_queue(struct devx_eth_rxq *rxq)
{
	struct devx_eth *eth = rxq->eth;
	struct devx_cq cq = { 0 };
	struct devx_rq rq = { 0 };
	const struct devx_cq_attr cq_attr = rxq->cq_attr;
	struct devx_umem_ring cq_place, place;
	struct devx_rq_attr attr = rxq->rq_attr;
	const unsigned int n_stuck = eth->dev.n_stuck;
	uint64_t cookie;
	int rc;

	if (!rxq->spare.chunk)
		return -ENOMEM;
	rc = devx_eth_rings_register(&rxq->spare, &eth->dev);
	if (rc)
		return rc;
	cq_place = devx_eth_rings_get_cq(&rxq->spare);
	place = devx_eth_rings_get_wq(&rxq->spare);
	attr.cq = &cq;
	rc = devx_eth_cq_create(&cq, eth, &cq_attr, &cq_place, DEVX_ETH_CQ_RX, rxq->id, &cookie);
	if (!rc)
		rc = devx_rq_create_in_umem(&rq, &eth->dev, &attr, &place);
	if (!rc)
		rc = devx_eth_rx_wakeup_attach(&rxq->wakeup, &cq);
	if (!rc)
		rc = devx_eth_hash_move(eth, rxq->id, &rq);
	if (rc) {
		devx_rq_destroy(&rq);
		devx_cq_destroy(&cq);
		devx_eth_rings_check(&rxq->spare, &eth->dev, n_stuck);
		return rc;
	}
	memcpy(rq.wqes, rxq->rq.wqes, rq.buf.bytes); /* size and key of every slot */
	devx_eth_rxq_destroy_rq(rxq);
	devx_cq_destroy(&rxq->cq);
	rxq->cq = cq;
	rxq->rq = rq;
	rxq->rq_keeps_vlan = attr.keep_vlan;
	rxq->cq_cookie = cookie;
	devx_eth_rings_swap(&rxq->rings, &rxq->spare);
	devx_eth_rings_check(&rxq->spare, &eth->dev, n_stuck);
	return 0;
}

int devx_eth_rxq_reserve_spare(struct devx_eth_rxq *rxq)
{
	return devx_eth_rings_reserve(&rxq->eth->rings, &rxq->spare, rxq->cq.buf.bytes,
				      rxq->rq.buf.bytes, rxq->socket);
}

int devx_eth_rxq_sync_vlan(struct devx_eth_rxq *rxq)
{
	const bool keep = rxq->rq_attr.keep_vlan;
	const int rc = keep == rxq->rq_keeps_vlan ? 0 : devx_rq_set_keep_vlan(&rxq->rq, keep);

	if (!rc)
		rxq->rq_keeps_vlan = keep;
	return rc;
}

/* Changes the RQ from RST to RDY, with the settings that changed meanwhile. */
static int ready_rq(struct devx_eth_rxq *rxq)
{
	int rc = devx_rq_ready(&rxq->rq);

	if (rc)
		return rc;
	rc = devx_eth_rxq_sync_vlan(rxq);
	if (rc)
		devx_rq_reset(&rxq->rq);
	return rc;
}

int devx_eth_rxq_ready(struct devx_eth_rxq *rxq)
{
	int rc = 0;

	if (rxq->rq.pi) /* a failed start could not reset the RQ */
		rc = devx_eth_rxq_reset(rxq);
	rxq->lost_now = 0;
	return rc ? rc : ready_rq(rxq);
}

/* @late: the wait of an earlier stop for flush CQEs timed out; the last error CQE is older */
static void report_restart(struct devx_eth_rxq *rxq, bool replaced, bool late)
{
	const char *what = replaced ? "created again" : "restarted";

	if (rxq->user.ended)
		devx_eth_log(rxq->eth, WARNING,
			     "Rx queue %u: secondary process %u ended while it used the queue; "
			     "queue %s, %" PRIu64 " packets lost",
			     rxq->id, rxq->user.process, what, rxq->lost_now);
	else if (rxq->cq_failed)
		devx_eth_log(rxq->eth, WARNING,
			     "Rx queue %u: error of its CQ (syndrome 0x%02x); queue created again, "
			     "%" PRIu64 " packets lost",
			     rxq->id, rxq->cq_syndrome, rxq->lost_now);
	else if (late)
		devx_eth_log(rxq->eth, WARNING,
			     "Rx queue %u: flush CQEs from before its stop may still come; queue "
			     "created again",
			     rxq->id);
	else
		devx_eth_log(rxq->eth, WARNING,
			     "Rx queue %u: error CQE (syndrome 0x%02x, vendor syndrome 0x%02x); "
			     "queue %s, %" PRIu64 " packets lost",
			     rxq->id, rxq->error_syndrome, rxq->error_vendor, what, rxq->lost_now);
}

static int await_flush(struct devx_eth_rxq *rxq)
{
	const int rc = devx_eth_rxq_poll_flush(rxq);

	if (rc == DEVX_ETH_WAITING && rxq->flush.n_polls > devx_eth_flush_periods)
		devx_eth_flush_give_up(rxq->eth, &rxq->flush, "Rx queue %u", rxq->id);
	return rc;
}

int devx_eth_rxq_recover(struct devx_eth_rxq *rxq)
{
	const bool replace = rxq->cq_failed || rxq->flush.overdue;
	const bool late = rxq->flush.overdue && !rxq->flush.began;
	int rc = replace ? replace_queue(rxq) : await_flush(rxq);

	if (!rc && !replace)
		rc = devx_eth_rxq_reset(rxq);
	if (!rc)
		rc = ready_rq(rxq);
	if (rc)
		return rc;
	rxq->n.cq_errors += rxq->cq_failed;
	rxq->n.recoveries++;
	if (devx_eth_rxq_post_all(rxq))
		devx_eth_log(rxq->eth, WARNING,
			     "Rx queue %u: pool %s has too few free buffers to fill the queue",
			     rxq->id, rxq->pool->name);
	report_restart(rxq, replace, late);
	rxq->lost_now = 0;
	rxq->cq_failed = false;
	rxq->flush.overdue = false;
	devx_eth_user_release(&rxq->user);
	__atomic_store_n(&rxq->owner, DEVX_ETH_RUNNING, __ATOMIC_RELEASE);
	/* the CQ is not armed: a thread that enabled the interrupt before must enable it again */
	devx_eth_rx_wakeup_raise(&rxq->wakeup);
	return 0;
}
