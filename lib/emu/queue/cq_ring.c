/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completion queues: the ring, the doorbell record, and when software sees a CQE.
 */
#include "emu/queue/cq_ring.h"

#include "emu/base/dev.h"
#include "emu/queue/wq.h"

typedef uint64_t __attribute__((may_alias)) cq_word;

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

struct prm_cqe *emu_cq_entry(const struct emu_cq *cq, uint32_t index)
{
	const uint32_t place = cq->cc ? 0 : index & ((1u << cq->log_size) - 1);
	const uint64_t second_half = cq->log_cqe > 6 ? sizeof(struct prm_cqe) : 0;

	return emu_span_ptr(&cq->ring, ((uint64_t)place << cq->log_cqe) + second_half);
}

/* The driver reads the owner bit first: payload and CQE must be there before it. */
void emu_cq_publish_one(struct emu_cq *cq)
{
	for (uint32_t i = 0; i < cq->n_held; i++) {
		struct prm_cqe *cqe = emu_cq_entry(cq, cq->pi - cq->n_held + i);

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
