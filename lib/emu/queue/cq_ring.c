/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completion queues: makes pushed CQEs visible to software.
 */
#include "emu/queue/cq_ring.h"

#include <string.h>

#include "emu/base/dev.h"
#include "emu/base/guard.h"
#include "emu/queue/cq_compress.h"

typedef uint64_t __attribute__((may_alias)) cq_word;

enum { TAIL = offsetof(struct prm_cqe, sop_drop_qpn) };

_Static_assert(TAIL + sizeof(cq_word) == sizeof(struct prm_cqe), "the tail is one word");

/*
 * The driver reads the owner bit first. The release order makes the packet and the other bytes of
 * the CQE visible before the owner bit. After a fault, this function starts again at the CQE that
 * faulted; handling the fault may itself have called emu_cq_publish().
 */
static void publish_held(void *arg)
{
	struct emu_adapter *a = arg;

	for (unsigned i = a->n_shown; i < a->n_held; i++) {
		const struct emu_held_cqe *h = &a->held[i];

		if (!h->cq->lost && h->kind != EMU_HELD_HOLE)
			memcpy(h->at, h->cqe, h->kind == EMU_HELD_CQE ? TAIL : sizeof(h->cqe));
	}
	for (; a->n_shown < a->n_held; a->n_shown++) {
		const struct emu_held_cqe *h = &a->held[a->n_shown];

		h->cq->n_held = 0;
		if (!h->cq->lost && h->kind == EMU_HELD_CQE)
			__atomic_store_n((cq_word *)((uint8_t *)h->at + TAIL),
					 *(const cq_word *)(h->cqe + TAIL), __ATOMIC_RELEASE);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
	}
	a->n_held = a->n_shown = a->n_compressed = 0;
}

void emu_cq_publish(struct emu_adapter *a)
{
	if (!a->n_held)
		return;
	emu_cq_compress(a);
	emu_guard_run(a->port[0], publish_held, a);
}

uint32_t emu_cq_record(struct emu *emu, const struct emu_cq *cq, unsigned dword)
{
	if (cq->lost)
		return 0;
	return prm_swap32(emu_guard_load(emu, emu_span_ptr(&cq->dbr, dword * sizeof(prm_be32)), 0));
}
