/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Send queues: writes completions and error CQEs, and flushes an SQ in ERR.
 */
#include "emu/queue/wqe.h"

#include "emu/base/clock.h"
#include "emu/base/guard.h"
#include "emu/queue/cq.h"
#include "emu/queue/flush.h"

/* Advances cc past a WQE that was not executed, at most to pc, because its length may be wrong. */
static void skip_wqe(struct emu_sq *sq, const struct emu_wqe *w)
{
	const uint16_t bbs = emu_wqe_bbs(w->n_ds), posted = emu_sq_posted(sq);

	sq->cc += bbs < posted ? bbs : posted;
}

static uint32_t make_sop(const struct emu_wqe *w)
{
	return (uint32_t)w->opcode << 24 | w->sq->obj.id;
}

void emu_wqe_complete(struct emu *emu, const struct emu_wqe *w)
{
	struct emu_sq *sq = w->sq;
	struct prm_cqe *cqe;

	if (w->ce != PRM_CE_ALWAYS && w->ce != PRM_CE_ALWAYS_EVENT)
		return;
	cqe = emu_cq_slot(emu, sq->cq);
	if (!cqe)
		return;
	cqe->srqn_uidx = prm_be32_of(sq->user_index);
	cqe->timestamp = prm_be64_of(emu_read_stamp(emu->adapter, sq->real_time));
	emu_cq_push(emu, sq->cq,
		    (struct emu_cqe_tail){ .sop = make_sop(w),
					   .wqe_counter = sq->cc,
					   .op = PRM_CQE_REQ,
					   .event = w->ce == PRM_CE_ALWAYS_EVENT });
}

static void complete_flushed(struct emu *emu, const struct emu_wqe *w)
{
	struct emu_sq *sq = w->sq;

	sq->first_error_done = true;
	emu_flush_add(emu, &(struct emu_flush){ .queue = &sq->obj,
						.cq = sq->cq,
						.user_index = sq->user_index,
						.tail = { .sop = make_sop(w),
							  .wqe_counter = sq->cc,
							  .op = PRM_CQE_REQ_ERR } });
}

/*
 * In ERR, a WQE gets an error CQE with syndrome "flushed" if flush_in_error_en is 1. Source: Linux,
 * mlx5e_wait_for_sq_flush.
 *
 * PRM-MISSING: a WQE with ce "first error" gets no CQE after the first error (judging by the name;
 * net_mlx5 uses it and ignores flush CQEs, mlx5_tx_error_cqe_handle).
 */
static void flush_posted(void *arg)
{
	struct emu_tx *tx = arg;
	struct emu *emu = tx->emu;
	struct emu_sq *sq = tx->sq;

	while (emu_sq_posted(sq) && emu_sq_posted(sq) <= 1u << sq->log_size) {
		struct emu_wqe w;

		if (!emu_wqe_fetch(sq, &w))
			break;
		if (sq->flush_in_error && !(w.ce == PRM_CE_FIRST_ERROR && sq->first_error_done))
			complete_flushed(emu, &w);
		skip_wqe(sq, &w);
	}
}

void emu_sq_flush(struct emu *emu, struct emu_sq *sq)
{
	struct emu_tx tx = { .emu = emu, .sq = sq };

	emu_guard_run(emu, flush_posted, &tx);
	sq->cc = sq->pc;
	sq->at_entry = 0;
}

void emu_sq_fail(struct emu *emu, struct emu_sq *sq)
{
	sq->state = PRM_WQ_STATE_ERR;
	emu_sq_flush(emu, sq);
}

/* Changes the state first, so that a driver that sees the CQE also sees the SQ in ERR. */
void emu_wqe_fail(struct emu *emu, const struct emu_wqe *w, uint8_t syndrome)
{
	struct emu_sq *sq = w->sq;

	sq->state = PRM_WQ_STATE_ERR;
	sq->first_error_done = true;
	emu_cq_push_error(
		emu, sq->cq,
		(struct emu_cq_error){ .user_index = sq->user_index, .syndrome = syndrome },
		(struct emu_cqe_tail){
			.sop = make_sop(w), .wqe_counter = sq->cc, .op = PRM_CQE_REQ_ERR });
	skip_wqe(sq, w);
	emu_sq_flush(emu, sq);
}
