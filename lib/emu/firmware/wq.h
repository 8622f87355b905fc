/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_WQ_H
#define EMU_FIRMWARE_WQ_H

#include "emu/base/mkey.h"
#include "emu/queue/cq_ring.h"

/** struct emu_wq_refs - what a wq context refers to, found and checked */
struct emu_wq_refs {
	struct emu_span ring, dbr;
	struct emu_umem *ring_umem, *dbr_umem;
	struct emu_pd *pd;
	struct emu_cq *cq;
};

/** emu_wq_open - check a wq context and translate its memory; emu_wq_close() undoes it */
uint8_t emu_wq_open(struct emu *emu, uint16_t uid, const struct prm_wq *wq, uint32_t cqn,
		    size_t n_pas, struct emu_wq_refs *refs);
void emu_wq_close(struct emu_wq_refs *refs);

/** emu_wq_transition - may a queue in state @is go from @from to @to? */
uint8_t emu_wq_transition(struct emu *emu, uint8_t is, uint8_t from, uint8_t to);

#endif
