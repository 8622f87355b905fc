/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completion queues: writes CQEs and detects overrun.
 */
#include "emu/queue/cq.h"

#include <stddef.h>
#include <string.h>

#include "emu/base/dev.h"
#include "emu/queue/eq.h"
#include "emu/queue/rq.h"
#include "emu/queue/sq.h"
#include "prm/wqe.h"

_Static_assert(EMU_CQE_BYTES == sizeof(struct prm_cqe), "held and counted CQEs have this size");

/* Puts the CQ into error state, which is final, and its SQs and RQs that are in RDY into ERR. */
static void fail_cq(struct emu *emu, struct emu_cq *cq, uint8_t status, uint8_t syndrome)
{
	const uint32_t dwords[7] = { [0] = cq->obj.id, [2] = syndrome };

	cq->status = status;
	emu_post_event(emu, PRM_EVENT_CQ_ERROR, 0, dwords);
	emu->adapter->callbacks->cq_failed(emu, cq);
}

/*
 * Returns whether the CQ has room for one CQE. Rereads the consumer index from the doorbell record
 * only if the CQ is full according to the last value that was read.
 */
static bool has_room(struct emu *emu, struct emu_cq *cq)
{
	const uint32_t size = 1u << cq->log_size;
	uint32_t unread;

	if (cq->oi || emu_cq_unread(cq, cq->ci) < size)
		return true;
	emu->pcie.record_reads++;
	cq->ci = emu_cq_record(emu, cq, PRM_DBR_CQ_CI);
	if (cq->status)
		return false; /* reading the record faulted: the client has unmapped it */
	unread = emu_cq_unread(cq, cq->ci);
	if (unread > size) {
		emu_count_mistake(emu, EMU_MISTAKE_cq_ci_ahead,
				  "CQ 0x%x: consumer index 0x%x is ahead of producer index 0x%x",
				  cq->obj.id, cq->ci, cq->pi);
		cq->ci = cq->pi;
		return true;
	}
	if (unread < size)
		return true;
	emu_count_mistake(emu, EMU_MISTAKE_cq_overrun,
			  "CQ 0x%x: overrun: all %u entries hold unread CQEs", cq->obj.id, size);
	return false;
}

void emu_cq_fail(struct emu *emu, struct emu_cq *cq)
{
	if (!cq->status)
		fail_cq(emu, cq, PRM_CQC_STATUS_CQ_WRITE_FAIL,
			PRM_CQ_ERROR_SYNDROME_CQ_ACCESS_VIOLATION);
}

/* publish_held() drops the pending CQEs of a lost CQ. */
void emu_cq_lose(struct emu *emu, struct emu_cq *cq)
{
	cq->lost = true;
	emu_cq_fail(emu, cq);
}

struct prm_cqe *emu_cq_make_slot(struct emu *emu, struct emu_cq *cq)
{
	struct emu_adapter *a = emu->adapter;
	struct emu_held_cqe *h;
	void *at;

	if (cq->status)
		return NULL;
	if (!has_room(emu, cq)) {
		if (!cq->status)
			fail_cq(emu, cq, PRM_CQC_STATUS_CQ_OVERFLOW,
				PRM_CQ_ERROR_SYNDROME_CQ_OVERRUN);
		return NULL;
	}
	at = emu_cq_entry(cq, cq->pi);
	if (!at || !cq->ring.write) {
		emu_cq_fail(emu, cq);
		return NULL;
	}
	if (a->n_held == EMU_MAX_HELD) /* possible if a queue fails while emu_cq_publish() runs */
		emu_cq_publish(a);
	h = &a->held[a->n_held];
	h->cq = cq;
	h->at = at;
	h->kind = EMU_HELD_CQE;
	return memset(h->cqe, 0, sizeof(h->cqe));
}

void emu_cq_pushed(struct emu *emu, struct emu_cq *cq, struct emu_cqe_tail tail)
{
	struct emu_adapter *a = emu->adapter;
	const bool error = tail.op == PRM_CQE_REQ_ERR || tail.op == PRM_CQE_RESP_ERR;

	if (a->n_held == EMU_MAX_HELD || cq->n_held >> cq->log_size || cq->cc)
		emu_cq_publish(a);
	if (cq->arm || tail.event)
		emu_cq_notify(emu, cq, error, tail.event);
}

void emu_cq_push_error(struct emu *emu, struct emu_cq *cq, struct emu_cq_error error,
		       struct emu_cqe_tail tail)
{
	struct prm_err_cqe *cqe = (struct prm_err_cqe *)emu_cq_slot(emu, cq);

	if (!cqe)
		return;
	cqe->srqn = prm_be32_of(error.user_index);
	cqe->byte_cnt = prm_be32_of(error.byte_cnt);
	cqe->syndrome = error.syndrome;
	emu_cq_push(emu, cq, tail);
}

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
