/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completion queues: makes pushed CQEs visible to software.
 */
#include "emu/queue/cq_ring.h"

#include "emu/base/dev.h"

typedef uint64_t __attribute__((may_alias)) cq_word;

/*
 * The driver reads the owner bit first. The release order makes the packet and the other bytes of
 * the CQE visible before the owner bit.
 */
static void publish_cq(struct emu_cq *cq)
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
		publish_cq(a->held);
		a->held->in_held = false;
	}
}
