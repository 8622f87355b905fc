/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_WQE_H
#define EMU_QUEUE_WQE_H

#include "emu/base/dev.h"
#include "emu/queue/sq.h"

/** struct emu_wqe - a send WQE while it is executed */
struct emu_wqe {
	struct emu_sq *sq;
	uint32_t at;         /* offset of its first byte in the ring */
	const uint8_t *copy; /* its first WQEBB from the BlueFlame register; NULL: in the ring */
	uint8_t opcode, ce;
	unsigned n_ds;
};

/** emu_wqe_ds - address of the 16-byte segment @i of a WQE; a WQE wraps at the ring's end */
static inline const void *emu_wqe_ds(const struct emu_wqe *w, unsigned i)
{
	const uint32_t mask = (PRM_WQEBB_BYTES << w->sq->log_size) - 1;

	if (w->copy && i < PRM_WQEBB_BYTES / PRM_DS_BYTES)
		return w->copy + i * PRM_DS_BYTES;
	return emu_span_ptr(&w->sq->ring, (w->at + i * PRM_DS_BYTES) & mask);
}

/** emu_wqe_at - address of byte @off of a WQE; @run receives how many bytes follow in a row */
static inline const uint8_t *emu_wqe_at(const struct emu_wqe *w, uint32_t off, uint64_t *run)
{
	const uint32_t ring = PRM_WQEBB_BYTES << w->sq->log_size;
	const uint32_t at = (w->at + off) & (ring - 1);
	const uint8_t *p;

	if (w->copy && off < PRM_WQEBB_BYTES) {
		*run = PRM_WQEBB_BYTES - off;
		return w->copy + off;
	}
	p = emu_span_at(&w->sq->ring, at, run);
	if (*run > ring - at)
		*run = ring - at;
	return p;
}

/**
 * emu_wqe_bbs - number of WQEBBs of a WQE with @n_ds segments; at least 1, also for an invalid
 * WQE
 */
static inline uint16_t emu_wqe_bbs(unsigned n_ds)
{
	const unsigned ds_per_bb = PRM_WQEBB_BYTES / PRM_DS_BYTES;

	return n_ds ? (uint16_t)((n_ds + ds_per_bb - 1) / ds_per_bb) : 1;
}

/**
 * emu_wqe_fetch - read the WQE at sq->cc. Return: its control segment; NULL if a part of the WQE
 * is unmapped
 */
const struct prm_ctrl_seg *emu_wqe_fetch(struct emu_sq *sq, struct emu_wqe *w);

/** enum emu_wqe_result - result of executing a WQE */
enum emu_wqe_result {
	EMU_WQE_DONE,
	EMU_WQE_RETRY,  /* wire full, budget used up or rate limit; retry from sq->at_entry */
	EMU_WQE_FAILED, /* the syndrome is in struct emu_tx */
};

/** struct emu_tx - budget and results of one call of emu_sq_run() */
struct emu_tx {
	struct emu *emu;
	struct emu_sq *sq;
	unsigned budget, moved; /* packets that it may send; has sent (a NOP or UMR is one) */
	uint8_t syndrome;       /* for the error CQE, with EMU_WQE_FAILED */
};

/** emu_wqe_refuse - count a malformed WQE as a mistake, with the reason. Return: EMU_WQE_FAILED */
enum emu_wqe_result emu_wqe_refuse(struct emu_tx *tx, const struct emu_wqe *w, const char *why);

/** emu_wqe_refuse_lkey - count a segment that its lkey does not allow. Return: EMU_WQE_FAILED */
enum emu_wqe_result emu_wqe_refuse_lkey(struct emu_tx *tx, const struct emu_wqe *w,
					const struct prm_data_seg *seg);

#endif
