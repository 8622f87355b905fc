/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completion queues: makes pushed CQEs visible to software.
 */
#include "emu/queue/cq_ring.h"

#include "emu/base/dev.h"
#include "emu/base/guard.h"

typedef uint64_t __attribute__((may_alias)) cq_word;

/*
 * The driver reads the owner bit first. The release order makes the packet and the other bytes of
 * the CQE visible before the owner bit.
 */
static void publish_cq(struct emu_cq *cq)
{
	for (uint32_t i = 0; i < cq->n_held && !cq->lost; i++) {
		struct prm_cqe *cqe = emu_cq_entry(cq, cq->pi - cq->n_held + i);

		__atomic_store_n((cq_word *)&cqe->sop_drop_qpn, cq->held[i], __ATOMIC_RELEASE);
	}
	*cq->n_writes += cq->n_held;
	cq->n_held = 0;
}

static void publish_all(void *arg)
{
	struct emu_adapter *a = arg;

	for (; a->held; a->held = a->held->next_held) {
		publish_cq(a->held);
		a->held->in_held = false;
	}
}

void emu_cq_publish(struct emu_adapter *a)
{
	if (a->held)
		emu_guard_run(a->port[0], publish_all, a);
}

uint32_t emu_cq_record(struct emu *emu, const struct emu_cq *cq, unsigned dword)
{
	if (cq->lost)
		return 0;
	return prm_swap32(emu_guard_load(emu, emu_span_ptr(&cq->dbr, dword * sizeof(prm_be32)), 0));
}
