/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdio.h>

#include "burst/devx_tx_complete.h"
#include "burst/devx_tx_room.h"
#include "devx_log.h"
#include "recovery/devx_flush_wait.h"

unsigned int devx_eth_flush_periods = 400;

void devx_eth_flush_give_up(struct devx_eth *eth, struct devx_eth_flush *flush, const char *queue,
			    ...)
{
	char name[32];
	va_list args;

	flush->overdue = true;
	va_start(args, queue);
	vsnprintf(name, sizeof(name), queue, args);
	va_end(args);
	devx_eth_log(eth, WARNING,
		     "%s: the device has not written the flush CQE of its last WQE in time; the "
		     "queue gets a new CQ before its next use",
		     name);
}

/* Stores the first lost elt, because the NOP may later overwrite the mark of the failed WQE. */
static int begin_wait(struct devx_eth_txq *txq)
{
	const bool error_cqe = __atomic_load_n(&txq->owner, __ATOMIC_RELAXED) == DEVX_ETH_BROKEN &&
			       !txq->user.ended;
	enum prm_wq_state state = PRM_WQ_STATE_ERR;
	const int rc = error_cqe ? 0 : devx_sq_query_state(&txq->sq, &state);

	if (rc || state != PRM_WQ_STATE_ERR)
		return rc;
	txq->flush.began = true;
	txq->flush.failed = error_cqe;
	txq->flush.first =
		error_cqe ? txq->marks[txq->error_wqe & txq->elts_mask].first : txq->tail;
	/* a process that ended may have written WQEs that it did not post */
	txq->sq.pi = (uint16_t)prm_be32_get(txq->sq.dbrec[PRM_DBR_SND]);
	return DEVX_ETH_WAITING;
}

static void take_cqes(struct devx_eth_txq *txq)
{
	const struct prm_cqe *cqe;

	for (; (cqe = devx_cq_peek(&txq->cq)); devx_cq_pop(&txq->cq)) {
		const uint16_t at = prm_be16_get(cqe->wqe_counter);

		txq->flush.failed |= prm_cqe_opcode(cqe->op_own) != PRM_CQE_REQ;
		if (!txq->flush.failed)
			txq->flush.first = txq->marks[at & txq->elts_mask].end;
		txq->done = devx_eth_tx_get_end_of_wqe(txq, at);
	}
	devx_cq_release(&txq->cq);
	txq->flush.over = (int16_t)(txq->sq.pi - txq->done) <= 0;
}

int devx_eth_txq_poll_flush(struct devx_eth_txq *txq)
{
	const int rc = txq->flush.began ? DEVX_ETH_WAITING : begin_wait(txq);

	if (rc != DEVX_ETH_WAITING)
		return rc;
	if (!txq->flush.over)
		take_cqes(txq);
	if (txq->flush.over)
		return 0;
	txq->flush.n_polls++;
	if (!txq->flush.asked && devx_eth_tx_count_free_blocks(txq)) {
		devx_eth_tx_post_nop(txq);
		txq->flush.asked = true;
	}
	return DEVX_ETH_WAITING;
}
