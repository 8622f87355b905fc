/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When host memory is unmapped, every object forgets the host addresses of its pages in the range.
 */
#include "emu/queue/rq.h"
#include "emu/queue/sq.h"

static void forget_slice(struct emu_span *s, const struct emu_umem *umem, uint64_t addr,
			 uint64_t bytes)
{
	emu_span_forget_slice(s, umem ? &umem->span : NULL, addr, bytes);
}

static void forget_pages(enum emu_type type, struct emu_obj *obj, uint64_t addr, uint64_t bytes)
{
	struct emu_cq *cq = (struct emu_cq *)obj;
	struct emu_sq *sq = (struct emu_sq *)obj;
	struct emu_rq *rq = (struct emu_rq *)obj;
	struct emu_mkey *key = (struct emu_mkey *)obj;

	switch (type) {
	case EMU_UMEM:
		emu_span_forget(&((struct emu_umem *)obj)->span, addr, bytes);
		break;
	case EMU_MKEY:
		forget_slice(&key->span, key->umem, addr, bytes);
		break;
	case EMU_EQ:
		emu_span_forget(&((struct emu_eq *)obj)->ring, addr, bytes);
		break;
	case EMU_CQ:
		forget_slice(&cq->ring, cq->ring_umem, addr, bytes);
		forget_slice(&cq->dbr, cq->dbr_umem, addr, bytes);
		break;
	case EMU_SQ:
	case EMU_QP:
		forget_slice(&sq->ring, sq->ring_umem, addr, bytes);
		forget_slice(&sq->dbr, sq->dbr_umem, addr, bytes);
		break;
	case EMU_RQ:
		forget_slice(&rq->ring, rq->ring_umem, addr, bytes);
		forget_slice(&rq->dbr, rq->dbr_umem, addr, bytes);
		break;
	default:
		break;
	}
}

void emu_invalidate(struct emu *emu, uint64_t addr, uint64_t bytes)
{
	/* Umems come first: a slice keeps its flat pointer only if its umem is still flat. */
	static const enum emu_type types[] = { EMU_UMEM, EMU_MKEY, EMU_EQ, EMU_CQ,
					       EMU_SQ,   EMU_QP,   EMU_RQ };

	emu_lock(emu->adapter);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		const struct emu_table *t = &emu->table[types[i]];

		for (uint32_t k = 0; k < t->n_slots; k++)
			if (t->slot[k])
				forget_pages(types[i], t->slot[k], addr, bytes);
	}
	emu_unlock(emu->adapter);
}
