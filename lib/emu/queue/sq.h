/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_SQ_H
#define EMU_QUEUE_SQ_H

#include "emu/base/mkey.h"
#include "emu/queue/cq_ring.h"
#include "emu/queue/doorbell.h"
#include "emu/queue/tis.h"
#include "emu/queue/wq.h"
#include "prm/wqe.h"

struct emu_sq {
	struct emu_obj obj;
	struct emu_span ring, dbr;
	struct emu_umem *ring_umem, *dbr_umem;
	uint8_t state, log_size; /* WQEBBs */
	bool allow_multi_pkt, flush_in_error;
	uint8_t min_inline;
	uint16_t pc, cc;        /* posted (from the record), executed: WQEBBs, mod 2^16 */
	bool rung;              /* a doorbell came: in emu->busy until cc == pc */
	bool fresh;             /* no doorbell since RST->RDY: ... */
	uint16_t stale;         /* ... the record may still hold this from before */
	bool first_error_done;  /* PRM_CE_FIRST_ERROR was used up */
	bool has_bf;            /* bf is a WQE's that is posted and not executed */
	struct prm_ctrl_seg bf; /* as BlueFlame wrote it: holds instead of memory's */
	uint16_t at_entry;      /* DS already sent of the multi-packet WQE at cc */
	uint32_t pd, user_index;
	struct emu_cq *cq;
	struct emu_uar *uar;
	struct emu_tis *tis;
	struct emu_sq *next_on_uar;
	struct emu_sq *next_busy; /* ring of rung SQs, see struct emu */
	uint64_t n_packets, n_bytes;
	struct prm_sqc ctx;
};

/** emu_sq_posted - WQEBBs posted and not executed */
static inline uint16_t emu_sq_posted(const struct emu_sq *sq)
{
	return sq->pc - sq->cc;
}

/** emu_sq_bf_ahead - whether the WQE of sq->bf is one to come, and not one that is done with */
static inline bool emu_sq_bf_ahead(const struct emu_sq *sq)
{
	return (uint16_t)(prm_ctrl_index(&sq->bf) - sq->cc) < 1u << sq->log_size;
}

/** emu_sq_ring - a doorbell came: @pc is the producer counter of the record */
void emu_sq_ring(struct emu *emu, struct emu_sq *sq, uint16_t pc);

/** emu_sq_record - producer counter in the doorbell record of @sq */
static inline uint16_t emu_sq_record(const struct emu_sq *sq)
{
	const uint32_t *rec = emu_span_ptr(&sq->dbr, PRM_DBR_SND * sizeof(prm_be32));

	return rec ? (uint16_t)prm_swap32(__atomic_load_n(rec, __ATOMIC_ACQUIRE)) : sq->pc;
}

/** emu_sq_reset - the RST->RDY part of MODIFY_SQ that touches engine state */
void emu_sq_reset(struct emu_sq *sq);
/** emu_sq_forget - before the SQ is destroyed: the engine lets go of it */
void emu_sq_forget(struct emu *emu, struct emu_sq *sq);

/** emu_sq_run - execute posted WQEs, at most @budget packets. Return: packets moved */
unsigned emu_sq_run(struct emu *emu, struct emu_sq *sq, unsigned budget);

#endif
