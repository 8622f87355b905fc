/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Receive queues: flushes the WQEs of an RQ in ERR.
 */
#include "emu/queue/rq_flush.h"

#include "emu/base/guard.h"
#include "emu/queue/flush.h"

/** struct flush - arguments of flush_posted() */
struct flush {
	struct emu *emu;
	struct emu_rq *rq;
};

static void flush_posted(void *arg)
{
	const struct flush *f = arg;
	struct emu_rq *rq = f->rq;

	for (; rq->cc != rq->posted; rq->cc++)
		if (rq->flush_in_error)
			emu_flush_add(f->emu, &(struct emu_flush){ .queue = &rq->obj,
								   .cq = rq->cq,
								   .user_index = rq->user_index,
								   .tail = emu_rq_error_tail(rq) });
}

/* Drops the WQEs that the driver has posted until now. */
static void flush_rq(struct emu *emu, struct emu_rq *rq)
{
	struct flush f = { emu, rq };
	const uint16_t posted = emu_rq_record(emu, rq);

	if ((uint16_t)(posted - rq->cc) <= 1u << rq->log_size)
		rq->posted = posted;
	if (rq->cc != rq->posted)
		emu_guard_run(emu, flush_posted, &f);
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
