/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completion queues: a CQ in error puts the SQs and RQs that complete to it into ERR.
 */
#include "emu/queue/cq_error.h"

#include "emu/queue/eq.h"
#include "emu/queue/rq.h"
#include "emu/queue/sq_cqe.h"

/*
 * PRM-MISSING: a queue whose CQ failed raises WQ_CATAS_ERROR, because no CQE can report it (the
 * InfiniBand specification asks for this event; no source names it for a CQ's error). mlx5_ib only
 * passes it on as IB_EVENT_QP_FATAL or IB_EVENT_WQ_FATAL. net_mlx5 acts on events of devices and
 * ports only, mlx5_dev_interrupt_handler.
 */
void emu_announce_queue(struct emu *emu, enum prm_event_queue_type type, uint32_t id)
{
	const uint32_t dwords[7] = {
		[PRM_EQE_QUEUE_TYPE] = (uint32_t)type << PRM_EQE_QUEUE_TYPE_SHIFT,
		[PRM_EQE_NUMBER] = id,
	};

	emu_post_event(emu, PRM_EVENT_WQ_CATAS_ERROR, 0, dwords);
}

void emu_cq_fail_queues(struct emu *emu, const struct emu_cq *cq)
{
	const struct emu_table *sqs = &emu->table[EMU_SQ], *rqs = &emu->table[EMU_RQ];

	for (uint32_t i = 0; i < sqs->n_slots; i++) {
		struct emu_sq *sq = (struct emu_sq *)sqs->slot[i];

		if (!sq || sq->cq != cq || sq->state != PRM_WQ_STATE_RDY)
			continue;
		emu_sq_fail(emu, sq);
		emu_announce_queue(emu, PRM_EVENT_QUEUE_TYPE_SQ, sq->obj.id);
	}
	for (uint32_t i = 0; i < rqs->n_slots; i++) {
		struct emu_rq *rq = (struct emu_rq *)rqs->slot[i];

		if (!rq || rq->cq != cq || rq->state != PRM_WQ_STATE_RDY)
			continue;
		emu_rq_fail(emu, rq);
		emu_announce_queue(emu, PRM_EVENT_QUEUE_TYPE_RQ, rq->obj.id);
	}
}
