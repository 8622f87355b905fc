/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_CQ_H
#define EMU_QUEUE_CQ_H

#include <string.h>

#include "emu/base/dev.h"
#include "emu/queue/cq_ring.h"

/** emu_cq_make_slot - the rare cases of emu_cq_slot(); only that function calls it */
struct prm_cqe *emu_cq_make_slot(struct emu *emu, struct emu_cq *cq);

/**
 * emu_cq_slot - begin the next CQE: a zeroed one in the engine's own memory
 *
 * The caller fills it and passes it to emu_cq_push() before it calls emu_cq_slot() again, for any
 * CQ.
 *
 * Return: the CQE; NULL if the CQ is in error state, full, or in unmapped or read-only memory. The
 * last three put the CQ into error state and post a CQ_ERROR event.
 */
static inline struct prm_cqe *emu_cq_slot(struct emu *emu, struct emu_cq *cq)
{
	struct emu_adapter *a = emu->adapter;
	struct emu_held_cqe *h = &a->held[a->n_held];

	/* the common case: a contiguous, writable ring with room by the last consumer index read */
	if (cq->status || !cq->ring.flat || !cq->ring.write || a->n_held == EMU_MAX_HELD ||
	    emu_cq_unread(cq, cq->ci) >= 1u << cq->log_size)
		return emu_cq_make_slot(emu, cq);
	h->cq = cq;
	h->at = emu_cq_entry(cq, cq->pi);
	h->kind = EMU_HELD_CQE;
	return memset(h->cqe, 0, sizeof(h->cqe));
}

/** emu_cq_fail - put a CQ into error state, as after a failed write; again: no effect */
void emu_cq_fail(struct emu *emu, struct emu_cq *cq);

/** emu_cq_lose - fail a CQ whose ring or record the client unmapped; stop accessing both */
void emu_cq_lose(struct emu *emu, struct emu_cq *cq);

/** struct emu_cqe_tail - the last 8 bytes of a CQE, host-endian */
struct emu_cqe_tail {
	uint32_t sop; /* sop_drop_qpn, s_wqe_opcode_qpn */
	uint16_t wqe_counter;
	uint8_t op; /* enum prm_cqe_opcode */
	bool event; /* PRM_CE_ALWAYS_EVENT: post an EQE even if the CQ is not armed */
};

/** emu_cq_pushed - the rest of emu_cq_push(), if the CQE may need publishing or an event */
void emu_cq_pushed(struct emu *emu, struct emu_cq *cq, struct emu_cqe_tail tail);

/**
 * emu_cq_push - complete the CQE that emu_cq_slot() began, and post its event if one is due
 *
 * An event is due if the CQ is armed or tail.event is set. The CQE stays in the engine's memory
 * until emu_cq_publish(), at the latest until the engine releases the adapter's lock.
 */
static inline void emu_cq_push(struct emu *emu, struct emu_cq *cq, struct emu_cqe_tail tail)
{
	struct emu_adapter *a = emu->adapter;
	struct prm_cqe *cqe = (struct prm_cqe *)a->held[a->n_held++].cqe;
	const uint64_t word = (uint64_t)tail.sop << 32 | (uint32_t)tail.wqe_counter << 16 |
			      (uint32_t)tail.op << 4 | (cq->pi >> cq->log_size & 1);
	const prm_be64 raw = prm_be64_of(word);

	memcpy(&cqe->sop_drop_qpn, &raw, sizeof(raw));
	emu->pcie.cqe_writes++;
	cq->pi++;
	cq->n_held++;
	/* a CQ never has more pending CQEs than entries */
	if (a->n_held == EMU_MAX_HELD || cq->n_held >> cq->log_size || cq->cc || cq->arm ||
	    tail.event)
		emu_cq_pushed(emu, cq, tail);
}

/** struct emu_cq_error - fields of an error CQE before its tail; host-endian */
struct emu_cq_error {
	uint32_t user_index; /* the queue's */
	uint32_t byte_cnt;   /* bytes of the frame that an RQ could not receive, else 0 */
	uint8_t syndrome;    /* PRM_SYND_* */
};

/** emu_cq_push_error - write an error CQE; drop it if the CQ is full or in error state */
void emu_cq_push_error(struct emu *emu, struct emu_cq *cq, struct emu_cq_error error,
		       struct emu_cqe_tail tail);

/**
 * emu_cq_notify - post the event of a pushed CQE if the CQ is armed; moderation may delay it
 * @error: the CQE is an error CQE; moderation does not delay its event
 * @always: post the event even if the CQ is not armed
 */
void emu_cq_notify(struct emu *emu, struct emu_cq *cq, bool error, bool always);
/** emu_cq_events_due - post the moderated events that are due */
void emu_cq_events_due(struct emu *emu);

/** emu_cq_find_due - earliest time of a moderated event in ns, or @due_ns if that is earlier */
uint64_t emu_cq_find_due(const struct emu *emu, uint64_t due_ns);

/** emu_cq_arm_from_record - arm from the record, as another CQ may have overwritten the doorbell */
void emu_cq_arm_from_record(struct emu *emu, struct emu_cq *cq);

/** emu_cq_forget_event - drop the moderated event of a CQ that is about to be destroyed */
void emu_cq_forget_event(struct emu *emu, struct emu_cq *cq);

/** emu_cq_arm - execute an arm doorbell. @dw0: its first dword, host-endian, as in the record */
void emu_cq_arm(struct emu *emu, struct emu_cq *cq, uint32_t dw0);

/** emu_cq_fail_queues - callback cq_failed: put the SQs and RQs of @cq from RDY into ERR */
void emu_cq_fail_queues(struct emu *emu, const struct emu_cq *cq);

/** emu_announce_queue - post WQ_CATAS_ERROR for a queue that failed and cannot write a CQE */
void emu_announce_queue(struct emu *emu, enum prm_event_queue_type type, uint32_t id);

#endif
