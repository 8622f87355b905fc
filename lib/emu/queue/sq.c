/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Send queues: executes doorbells and posted WQEs, handles errors.
 */
#include "emu/queue/sq.h"

#include "emu/base/guard.h"
#include "emu/base/dev.h"
#include "emu/queue/pacing.h"
#include "emu/queue/pcie.h"
#include "emu/queue/wqe.h"

/* ---- the circular list of SQs with work: emu->busy was served last, its successor is next ---- */

void emu_sq_wake(struct emu *emu, struct emu_sq *sq)
{
	if (sq->rung)
		return;
	sq->rung = true;
	sq->next_busy = emu->busy ? emu->busy->next_busy : sq;
	if (emu->busy)
		emu->busy->next_busy = sq;
	emu->busy = sq;
}

void emu_sq_forget(struct emu *emu, struct emu_sq *sq)
{
	struct emu_sq *before = emu->busy;

	emu_pace_unpark(emu, sq);
	if (!sq->rung)
		return;
	while (before->next_busy != sq)
		before = before->next_busy;
	before->next_busy = sq->next_busy;
	if (emu->busy == sq)
		emu->busy = before == sq ? NULL : before;
	sq->next_busy = NULL;
	sq->rung = false;
}

/* ---- execution ---------------------------------------------------------------- */

uint16_t emu_sq_record(struct emu *emu, const struct emu_sq *sq)
{
	const uint32_t *rec = emu_span_ptr(&sq->dbr, PRM_DBR_SND * sizeof(prm_be32));

	if (sq->lost)
		return sq->pc;
	return (uint16_t)prm_swap32(emu_guard_load(emu, rec, prm_swap32(sq->pc)));
}

void emu_sq_reset(struct emu *emu, struct emu_sq *sq)
{
	sq->lost = false;
	sq->pc = 0;
	sq->cc = 0;
	sq->at_entry = 0;
	sq->first_error_done = false;
	sq->has_bf = false;
	/* the record may hold the old value until the driver's first doorbell */
	sq->fresh = true;
	sq->stale = emu_sq_record(emu, sq);
}

/*
 * Counts the PCIe reads of a device after a doorbell for the WQEBBs from sq->pc to @pc. The device
 * does not read the WQEBB that the driver copied to the register.
 *
 * PRM-MISSING: the device reads the doorbell record of an SQ at each doorbell. (net_mlx5 writes it
 * before each doorbell, mlx5_doorbell_ring, and cannot see the reads.)
 */
static void account_doorbell(struct emu *emu, const struct emu_sq *sq, uint16_t pc)
{
	uint16_t n = pc - sq->pc;

	if (sq->has_bf && (uint16_t)(prm_ctrl_index(&sq->bf) - sq->pc) < n)
		n--;
	emu->pcie.record_reads++;
	emu_pcie_read_send_wqes(emu, (uint32_t)n * PRM_WQEBB_BYTES);
}

/*
 * The device also flushes WQEs that are posted and rung in ERR. Source: Linux,
 * mlx5e_tx_reporter_err_cqe_recover, stops its queue after the error and waits for all CQEs.
 */
void emu_sq_ring(struct emu *emu, struct emu_sq *sq, uint16_t pc)
{
	const uint16_t ahead = pc - sq->cc;

	sq->fresh = false;
	if (sq->lost && sq->state == PRM_WQ_STATE_RDY)
		emu_sq_fail(emu, sq); /* the record got lost while the SQ was not in RDY */
	if (pc == sq->pc)
		return;
	if (ahead > 1u << sq->log_size) {
		emu_count_mistake(emu, EMU_MISTAKE_sq_overrun,
				  "SQ 0x%x: producer index 0x%x is %u WQEBBs ahead of consumer "
				  "index 0x%x (valid: at most %u)",
				  sq->obj.id, pc, ahead, sq->cc, 1u << sq->log_size);
		if (sq->state == PRM_WQ_STATE_RDY) {
			struct emu_wqe w;

			sq->pc = sq->cc;
			emu_wqe_fetch(sq, &w);
			emu_wqe_fail(emu, &w, PRM_SYND_LOCAL_QP_OP);
		}
		return;
	}
	if (!emu_sq_posted(sq))
		emu_pace_begin(emu, sq);
	account_doorbell(emu, sq, pc);
	sq->pc = pc;
	if (sq->state == PRM_WQ_STATE_ERR)
		emu_sq_flush(emu, sq);
	else
		emu_sq_wake(emu, sq);
}

/* Checks a control segment. Returns the reason why it is invalid, or NULL. */
static const char *find_ctrl_fault(struct emu_tx *tx, const struct emu_wqe *w,
				   const struct prm_ctrl_seg *ctrl)
{
	const struct emu_sq *sq = w->sq;

	if (!ctrl)
		return "the ring is unmapped";
	if (prm_ctrl_index(ctrl) != sq->cc) {
		emu_count_mistake(tx->emu, EMU_MISTAKE_wqe_index,
				  "SQ 0x%x: WQE at index 0x%x has wqe_index 0x%x", sq->obj.id,
				  sq->cc, prm_ctrl_index(ctrl));
		return "wqe_index differs from the position in the ring";
	}
	if (prm_ctrl_sqn(ctrl) != sq->obj.id) {
		emu_count_mistake(tx->emu, EMU_MISTAKE_wqe_sqn, "SQ 0x%x: WQE 0x%x names SQ 0x%x",
				  sq->obj.id, sq->cc, prm_ctrl_sqn(ctrl));
		return "qp_or_sq names another queue";
	}
	if (w->n_ds == 0)
		return "ds: 0 is invalid (valid: at least 1)";
	if (emu_wqe_bbs(w->n_ds) > emu_sq_posted(sq))
		return "ds: the WQE is longer than the posted WQEBBs";
	if (prm_ctrl_opmod(ctrl))
		return "opmod: invalid (valid: 0)";
	return NULL;
}

/*
 * Counts flags in the control segment of a frame that Linux, net_mlx5 and rdma-core leave 0. The
 * device sends the frame anyway. The kernel sets a fence in NOP and UMR WQEs only. Does not check
 * imm, where VPP stores its own data.
 */
static void check_ctrl_flags(struct emu_tx *tx, const struct prm_ctrl_seg *ctrl)
{
	const uint8_t known = PRM_CE_ALWAYS_EVENT << PRM_CE_SHIFT | PRM_SE;

	if (ctrl->signature || ctrl->fm_ce_se & ~known)
		emu_count_mistake(tx->emu, EMU_MISTAKE_ctrl_flags,
				  "SQ 0x%x: WQE 0x%x has signature 0x%x and fm_ce_se 0x%x "
				  "(valid: signature and fence 0)",
				  tx->sq->obj.id, tx->sq->cc, ctrl->signature, ctrl->fm_ce_se);
}

static enum emu_wqe_result execute_wqe(struct emu_tx *tx, const struct emu_wqe *w,
				       const struct prm_ctrl_seg *ctrl)
{
	const char *fault = find_ctrl_fault(tx, w, ctrl);

	if (fault)
		return emu_wqe_refuse(tx, w, fault);
	if (!w->sq->tis && w->opcode != PRM_WQE_NOP && w->opcode != PRM_WQE_UMR)
		return emu_wqe_refuse(tx, w,
				      "the SQ has no TIS (valid without a TIS: NOP; UMR on a QP)");
	if (w->opcode != PRM_WQE_NOP && w->opcode != PRM_WQE_UMR)
		check_ctrl_flags(tx, ctrl);
	switch (w->opcode) {
	case PRM_WQE_NOP:
		tx->moved++;
		return EMU_WQE_DONE;
	case PRM_WQE_SEND:
		return emu_wqe_send(tx, w);
	case PRM_WQE_LSO:
		return emu_wqe_lso(tx, w);
	case PRM_WQE_ENHANCED_MPSW:
		return emu_wqe_mpsw(tx, w);
	case PRM_WQE_UMR:
		if (w->sq->obj.type == EMU_QP)
			return emu_wqe_umr(tx, w);
		/* fall through */
	default:
		return emu_wqe_refuse(
			tx, w,
			"opcode: unsupported (valid: NOP, SEND, LSO, ENHANCED_MPSW; UMR on a QP)");
	}
}

/*
 * Executes WQEs, starting at sq->cc. After a fault it starts again at the WQE that faulted, or at
 * the entry in it (sq->at_entry). Both are stored before the WQE accesses client memory.
 */
static void execute_posted(void *arg)
{
	struct emu_tx *tx = arg;
	struct emu_sq *sq = tx->sq;
	struct emu *emu = tx->emu;

	while (sq->state == PRM_WQ_STATE_RDY && emu_sq_posted(sq) && tx->moved < tx->budget) {
		struct emu_wqe w;
		const struct prm_ctrl_seg *ctrl;

		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		ctrl = emu_wqe_fetch(sq, &w);
		switch (execute_wqe(tx, &w, ctrl)) {
		case EMU_WQE_RETRY:
			return;
		case EMU_WQE_FAILED:
			emu_wqe_fail(emu, &w, tx->syndrome);
			tx->moved++;
			return;
		case EMU_WQE_DONE:
			sq->at_entry = 0;
			if (emu->wqes.to)
				emu_wqe_copy(&emu->wqes, &w);
			/* before cc advances, because the CQE reports sq->cc */
			emu_wqe_complete(emu, &w);
			if (sq->state == PRM_WQ_STATE_RDY)
				sq->cc += emu_wqe_bbs(w.n_ds);
			sq->has_bf = sq->has_bf && emu_sq_bf_ahead(sq);
		}
	}
}

unsigned emu_sq_run(struct emu *emu, struct emu_sq *sq, unsigned budget)
{
	struct emu_tx tx = { .emu = emu, .sq = sq, .budget = budget };

	emu_guard_run(emu, execute_posted, &tx);
	return tx.moved;
}
