/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completion queues: a CQ in error puts the SQs and RQs that complete to it into ERR.
 */
#include "emu/queue/cq_error.h"

#include "emu/queue/rq.h"
#include "emu/queue/sq_cqe.h"

void emu_cq_fail_queues(struct emu *emu, const struct emu_cq *cq)
{
	const struct emu_table *sqs = &emu->table[EMU_SQ], *rqs = &emu->table[EMU_RQ];

	for (uint32_t i = 0; i < sqs->n_slots; i++) {
		struct emu_sq *sq = (struct emu_sq *)sqs->slot[i];

		if (sq && sq->cq == cq && sq->state == PRM_WQ_STATE_RDY)
			emu_sq_fail(emu, sq);
	}
	for (uint32_t i = 0; i < rqs->n_slots; i++) {
		struct emu_rq *rq = (struct emu_rq *)rqs->slot[i];

		if (rq && rq->cq == cq && rq->state == PRM_WQ_STATE_RDY)
			emu_rq_fail(emu, rq);
	}
}
