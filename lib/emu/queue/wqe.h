/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_WQE_H
#define EMU_QUEUE_WQE_H

#include "emu/base/dev.h"
#include "emu/queue/sq.h"

/** struct emu_wqe - a send WQE while it is executed */
struct emu_wqe {
	struct emu_sq *sq;
	uint32_t at; /* first byte in the ring */
	uint8_t opcode, ce;
	unsigned n_ds;
};

/** emu_wqe_ds - segment @i of a WQE; it may lie past the ring's end, at its start again */
static inline const void *emu_wqe_ds(const struct emu_wqe *w, unsigned i)
{
	const uint32_t mask = (PRM_WQEBB_BYTES << w->sq->log_size) - 1;

	return emu_span_ptr(&w->sq->ring, (w->at + i * PRM_DS_BYTES) & mask);
}

/** emu_wqe_bbs - WQEBBs that a WQE takes; at least one, so that a broken one can be passed */
static inline uint16_t emu_wqe_bbs(unsigned n_ds)
{
	const unsigned ds_per_bb = PRM_WQEBB_BYTES / PRM_DS_BYTES;

	return n_ds ? (uint16_t)((n_ds + ds_per_bb - 1) / ds_per_bb) : 1;
}

/** emu_wqe_fetch - the WQE at sq->cc. Return: its control segment, or NULL: its memory is gone */
const struct prm_ctrl_seg *emu_wqe_fetch(struct emu_sq *sq, struct emu_wqe *w);

/** enum emu_wqe_result - how far the execution of a WQE came */
enum emu_wqe_result {
	EMU_WQE_DONE,
	EMU_WQE_LATER,  /* the wire or the budget said so: again from sq->at_entry */
	EMU_WQE_FAILED, /* with the syndrome in struct emu_tx */
};

/** struct emu_tx - what one call of emu_sq_run() may do and has done */
struct emu_tx {
	struct emu *emu;
	unsigned budget, moved; /* packets */
	uint8_t syndrome;       /* of EMU_WQE_FAILED */
};

/** emu_wqe_refuse - a malformed WQE: counts the mistake and names it. Return: EMU_WQE_FAILED */
enum emu_wqe_result emu_wqe_refuse(struct emu_tx *tx, const struct emu_wqe *w, const char *why);

/** emu_wqe_refuse_lkey - as emu_wqe_bad, for an address that the lkey does not give */
enum emu_wqe_result emu_wqe_refuse_lkey(struct emu_tx *tx, const struct emu_wqe *w,
					const struct prm_data_seg *seg);

#endif
