/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completion queues: writing CQEs, overrun, arming.
 */
#include "emu/engine.h"

typedef uint64_t __attribute__((may_alias)) cq_word;

enum {
	STATUS_OVERFLOW = 0x9,           /* cqc.status */
	STATUS_WRITE_FAILURE = 0xa,
	SYNDROME_OVERRUN = 1,            /* of the CQ error event */
	SYNDROME_ACCESS = 2,
	ARM_SOLICITED = 0x6,             /* cqc.st */
	ARM_NEXT = 0x9,
	ARM_FIRED = 0xa,
};

/*
 * CQEs that software has not read. Some drivers publish 16 bits of their consumer index
 * only, so the difference is taken modulo twice the size, or 2^16 where that is less: of a
 * CQ with 2^16 entries and more an overrun cannot be told.
 */
static uint32_t cq_unread(const struct emu_cq *cq, uint32_t ci)
{
	const uint32_t twice = 2u << cq->log_size;
	const uint32_t modulo = twice < EMU_RING_INDEXES ? twice : EMU_RING_INDEXES;

	return (cq->pi - ci) & (modulo - 1);
}

static uint32_t cq_record(const struct emu_cq *cq, unsigned dword)
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

	if (cq->oi || cq_unread(cq, cq->ci) < size)
		return true;
	cq->ci = cq_record(cq, PRM_DBR_CQ_CI);
	unread = cq_unread(cq, cq->ci);
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
static void publish(struct emu_cq *cq)
{
	for (uint32_t i = 0; i < cq->n_held; i++) {
		struct prm_cqe *cqe = slot(cq, cq->pi - cq->n_held + i);

		__atomic_store_n((cq_word *)&cqe->sop_drop_qpn, cq->held[i], __ATOMIC_RELEASE);
	}
	cq->n_held = 0;
}

static void cq_event(struct emu *emu, struct emu_cq *cq)
{
	const uint32_t dwords[7] = { [6] = cq->obj.id };

	publish(cq); /* whoever hears of the event finds the CQE */
	if (cq->eq)
		emu_eq_post(emu, cq->eq, PRM_EVENT_COMP, 0, dwords);
}

static void cq_fire(struct emu *emu, struct emu_cq *cq)
{
	cq->arm = ARM_FIRED;
	cq->arm_sn = cq->arm_dw0 >> PRM_CQ_ARM_SN_SHIFT & 3;
	cq->arm_sn_used = cq->armed_once;
	cq->arm_late = false;
	cq->event_at = cq->eq ? cq->eq->pi : 0;
	cq_event(emu, cq);
}

void emu_cq_publish(struct emu_adapter *a)
{
	for (; a->held; a->held = a->held->next_held) {
		publish(a->held);
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
		publish(cq);
}

void emu_cq_push(struct emu *emu, struct emu_cq *cq, struct emu_cqe_tail tail)
{
	const bool error = tail.op == PRM_CQE_REQ_ERR || tail.op == PRM_CQE_RESP_ERR;
	const bool fires = cq->arm == ARM_NEXT || (cq->arm == ARM_SOLICITED && error);
	const uint8_t owner = cq->pi >> cq->log_size & 1;
	const uint64_t word = (uint64_t)tail.sop << 32 | (uint32_t)tail.wqe_counter << 16 |
			      (uint32_t)tail.op << 4 | owner;

	hold(emu->adapter, cq, prm_be64_of(word).raw);
	/* PRM-MISSING: "CQE and EQE" makes an EQE whether or not the CQ is armed (its name). */
	if (fires)
		cq_fire(emu, cq);
	else if (tail.event)
		cq_event(emu, cq);
}

static void cq_arm(struct emu *emu, struct emu_cq *cq, uint32_t dw0)
{
	cq->arm_dw0 = dw0;
	cq->arm = dw0 & PRM_CQ_ARM_SOLICITED ? ARM_SOLICITED : ARM_NEXT;
	/*
	 * PRM-MISSING: an arm whose consumer index is behind the producer fires at once
	 * (else a driver that arms and then sleeps could miss a CQE; IB asks for it).
	 */
	if (cq->arm == ARM_NEXT && cq_unread(cq, dw0) != 0)
		cq_fire(emu, cq);
}

/*
 * Whether the driver has read the event that the last serial number had. While it has not, it
 * may poll and arm again in good faith. An EQ without a consumer index (oi) is taken for read.
 */
static bool event_is_read(const struct emu_cq *cq)
{
	return !cq->eq || cq->eq->oi || (int32_t)(cq->eq->ci - cq->event_at) > 0;
}

void emu_cq_arm(struct emu *emu, struct emu_cq *cq, uint32_t dw0)
{
	const uint8_t sn = dw0 >> PRM_CQ_ARM_SN_SHIFT & 3;

	if (cq->arm_early && dw0 == cq->arm_dw0) {
		cq->arm_early = false;
		return;
	}
	cq->arm_early = false;
	if (cq->arm_sn_used && sn == cq->arm_sn) {
		/* One may have been under way when an interrupt read the event: mlx5_core's are. */
		if (event_is_read(cq) && cq->arm_late)
			emu_mistake(emu, EMU_MISTAKE_arm_stale,
				    "CQ 0x%x: armed with serial number %u, which has had its event",
				    cq->obj.id, sn);
		cq->arm_late = event_is_read(cq);
		return;
	}
	cq->armed_once = true;
	cq_arm(emu, cq, dw0);
}

/*
 * Another CQ's arm may have overwritten this one's before the engine looked: the record has
 * it too. The first arm of a new CQ writes 0 over 0, so a CQ that was never armed is taken
 * for armed, without using up its serial number: at worst one event too many.
 */
void emu_cq_arm_from_record(struct emu *emu, struct emu_cq *cq)
{
	const uint32_t dw0 = cq_record(cq, PRM_DBR_CQ_ARM);
	const uint8_t sn = dw0 >> PRM_CQ_ARM_SN_SHIFT & 3;

	if (!cq->armed_once && !dw0) {
		if (!cq->arm)
			cq_arm(emu, cq, dw0);
		return;
	}
	if ((cq->armed_once && dw0 == cq->arm_dw0) || (cq->arm_sn_used && sn == cq->arm_sn))
		return;
	cq->armed_once = true;
	cq->arm_early = true;
	cq_arm(emu, cq, dw0);
}
