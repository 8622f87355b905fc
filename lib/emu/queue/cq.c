/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completion queues: writing CQEs, overrun.
 */
#include "emu/queue/engine.h"

typedef uint64_t __attribute__((may_alias)) cq_word;

enum {
	STATUS_OVERFLOW = 0x9,           /* cqc.status */
	STATUS_WRITE_FAILURE = 0xa,
	SYNDROME_OVERRUN = 1,            /* of the CQ error event */
	SYNDROME_ACCESS = 2,
};

/*
 * CQEs that software has not read. Some drivers publish 16 bits of their consumer index
 * only, so the difference is taken modulo twice the size, or 2^16 where that is less: of a
 * CQ with 2^16 entries and more an overrun cannot be told.
 */
uint32_t emu_cq_unread(const struct emu_cq *cq, uint32_t ci)
{
	const uint32_t twice = 2u << cq->log_size;
	const uint32_t modulo = twice < EMU_RING_INDEXES ? twice : EMU_RING_INDEXES;

	return (cq->pi - ci) & (modulo - 1);
}

uint32_t emu_cq_record(const struct emu_cq *cq, unsigned dword)
{
	const uint32_t *rec = emu_span_ptr(&cq->dbr, dword * sizeof(prm_be32));

	return rec ? prm_swap32(__atomic_load_n(rec, __ATOMIC_ACQUIRE)) : 0;
}

/* A CQ in error never recovers, and takes the queues that complete to it along. */
static void cq_fail(struct emu *emu, struct emu_cq *cq, uint8_t status, uint8_t syndrome)
{
	const uint32_t dwords[7] = { [0] = cq->obj.id, [2] = syndrome };
	const struct emu_table *sqs = &emu->table[EMU_SQ], *rqs = &emu->table[EMU_RQ];

	cq->status = status;
	emu_event(emu, PRM_EVENT_CQ_ERROR, 0, dwords);
	for (uint32_t i = 0; i < sqs->n_slots; i++) {
		struct emu_sq *sq = (struct emu_sq *)sqs->slot[i];

		if (sq && sq->cq == cq && sq->state == EMU_WQ_RDY)
			emu_sq_fail(emu, sq);
	}
	for (uint32_t i = 0; i < rqs->n_slots; i++) {
		struct emu_rq *rq = (struct emu_rq *)rqs->slot[i];

		if (rq && rq->cq == cq && rq->state == EMU_WQ_RDY)
			emu_rq_fail(emu, rq);
	}
}

/* Is there room for one CQE? Reads the record only when what it knows of it says no. */
static bool cq_has_room(struct emu *emu, struct emu_cq *cq)
{
	const uint32_t size = 1u << cq->log_size;
	uint32_t unread;

	if (cq->oi || emu_cq_unread(cq, cq->ci) < size)
		return true;
	cq->ci = emu_cq_record(cq, PRM_DBR_CQ_CI);
	unread = emu_cq_unread(cq, cq->ci);
	if (unread > size) {
		emu_mistake(emu, EMU_MISTAKE_cq_ci_ahead,
			    "CQ 0x%x: consumer index 0x%x is past the %u CQEs written",
			    cq->obj.id, cq->ci, cq->pi);
		cq->ci = cq->pi;
		return true;
	}
	if (unread < size)
		return true;
	emu_mistake(emu, EMU_MISTAKE_cq_overrun, "CQ 0x%x: all %u entries hold unread CQEs",
		    cq->obj.id, size);
	return false;
}

static struct prm_cqe *slot(const struct emu_cq *cq, uint32_t index)
{
	const uint32_t place = cq->cc ? 0 : index & ((1u << cq->log_size) - 1);
	const uint64_t second_half = cq->log_cqe > 6 ? sizeof(struct prm_cqe) : 0;

	return emu_span_ptr(&cq->ring, ((uint64_t)place << cq->log_cqe) + second_half);
}

struct prm_cqe *emu_cq_slot(struct emu *emu, struct emu_cq *cq)
{
	struct prm_cqe *cqe;

	if (cq->status)
		return NULL;
	if (!cq_has_room(emu, cq)) {
		cq_fail(emu, cq, STATUS_OVERFLOW, SYNDROME_OVERRUN);
		return NULL;
	}
	cqe = slot(cq, cq->pi);
	if (!cqe || !cq->ring.write) {
		cq_fail(emu, cq, STATUS_WRITE_FAILURE, SYNDROME_ACCESS);
		return NULL;
	}
	memset(cqe, 0, offsetof(struct prm_cqe, sop_drop_qpn));
	return cqe;
}

/* The driver reads the owner bit first: payload and CQE must be there before it. */
void emu_cq_publish_one(struct emu_cq *cq)
{
	for (uint32_t i = 0; i < cq->n_held; i++) {
		struct prm_cqe *cqe = slot(cq, cq->pi - cq->n_held + i);

		__atomic_store_n((cq_word *)&cqe->sop_drop_qpn, cq->held[i], __ATOMIC_RELEASE);
	}
	cq->n_held = 0;
}

void emu_cq_publish(struct emu_adapter *a)
{
	for (; a->held; a->held = a->held->next_held) {
		emu_cq_publish_one(a->held);
		a->held->in_held = false;
	}
}

static void hold(struct emu_adapter *a, struct emu_cq *cq, uint64_t tail)
{
	const uint32_t size = 1u << cq->log_size;

	if (!cq->in_held) {
		cq->in_held = true;
		cq->next_held = a->held;
		a->held = cq;
	}
	cq->held[cq->n_held++] = tail;
	cq->pi++;
	if (cq->n_held == EMU_CQ_HELD || cq->n_held == size)
		emu_cq_publish_one(cq);
}

void emu_cq_push(struct emu *emu, struct emu_cq *cq, struct emu_cqe_tail tail)
{
	const bool error = tail.op == PRM_CQE_REQ_ERR || tail.op == PRM_CQE_RESP_ERR;
	const uint8_t owner = cq->pi >> cq->log_size & 1;
	const uint64_t word = (uint64_t)tail.sop << 32 | (uint32_t)tail.wqe_counter << 16 |
			      (uint32_t)tail.op << 4 | owner;

	hold(emu->adapter, cq, prm_be64_of(word).raw);
	if (cq->arm || tail.event)
		emu_cq_notify(emu, cq, error, tail.event);
}
