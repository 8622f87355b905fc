/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Receive queues: flushes the WQEs of an RQ in ERR.
 */
#include "emu/queue/rq_flush.h"

#include "emu/queue/flush.h"

/* Drops the WQEs that the driver has posted until now. */
static void flush_rq(struct emu *emu, struct emu_rq *rq)
{
	const uint16_t posted = emu_rq_record(emu, rq);

	if ((uint16_t)(posted - rq->cc) <= 1u << rq->log_size)
		rq->posted = posted;
	for (; rq->cc != rq->posted; rq->cc++)
		if (rq->flush_in_error)
			emu_flush_add(emu, &(struct emu_flush){ .queue = &rq->obj,
								.cq = rq->cq,
								.user_index = rq->user_index,
								.tail = emu_rq_error_tail(rq) });
}

void emu_rq_fail(struct emu *emu, struct emu_rq *rq)
{
	rq->state = PRM_WQ_STATE_ERR;
	emu->pcie.record_reads += !rq->lost;
	emu->has_failed_rq = true;
	flush_rq(emu, rq);
}

void emu_rq_flush_failed(struct emu *emu)
{
	const struct emu_table *t = &emu->table[EMU_RQ];

	emu->has_failed_rq = false;
	for (uint32_t i = 0; i < t->n_slots; i++) {
		struct emu_rq *rq = (struct emu_rq *)t->slot[i];

		if (!rq || rq->state != PRM_WQ_STATE_ERR)
			continue;
		emu->has_failed_rq = true;
		flush_rq(emu, rq);
	}
}
