/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Doorbells: executes a write to a register of a UAR. A write that arrives as a message rings only
 * the queue that it names; uar_page.c scans pages for writes to memory.
 */
#include "emu/queue/doorbell.h"

#include <string.h>

#include "emu/base/dev.h"
#include "emu/queue/cq.h"
#include "emu/queue/sq.h"

/*
 * Returns the queue that a send doorbell names. Returns NULL and counts a mistake if the queue is
 * unknown, uses another UAR, or is in RST.
 *
 * PRM-MISSING: a doorbell on another UAR page, or for a queue in RST, does nothing (a comment
 * in Linux says that hardware ignores the first kind; net_mlx5 gives all SQs the one UAR that it
 * rings, mlx5_txq_create_devx_sq_resources).
 */
static struct emu_sq *find_named_sq(struct emu *emu, const struct emu_uar *uar, uint64_t value)
{
	struct prm_ctrl_seg ctrl = { .rsvd09 = { 0 } };
	struct emu_sq *sq;

	memcpy(&ctrl, &value, sizeof(value));
	sq = emu_obj_at(&emu->table[EMU_SQ], prm_ctrl_sqn(&ctrl));
	if (!sq) /* a doorbell may also name a QP; struct emu_qp begins with its SQ */
		sq = emu_obj_at(&emu->table[EMU_QP], prm_ctrl_sqn(&ctrl));
	if (!sq) {
		emu_count_mistake(emu, EMU_MISTAKE_db_unknown_queue,
				  "doorbell on UAR 0x%x: no such SQ 0x%x", uar->obj.id,
				  prm_ctrl_sqn(&ctrl));
		return NULL;
	}
	if (sq->uar != uar) {
		emu_count_mistake(
			emu, EMU_MISTAKE_db_wrong_uar,
			"doorbell on UAR 0x%x for SQ 0x%x (valid: UAR 0x%x of its context)",
			uar->obj.id, sq->obj.id, sq->uar ? sq->uar->obj.id : 0);
		return NULL;
	}
	if (sq->state == PRM_WQ_STATE_RST) {
		emu_count_mistake(emu, EMU_MISTAKE_db_not_ready,
				  "doorbell for SQ 0x%x in RST (valid: in RDY)", sq->obj.id);
		return NULL;
	}
	return sq;
}

/*
 * Counts a mistake if the driver rang before it wrote the doorbell record. The doorbell carries the
 * index of the last posted WQE; the record must be ahead of it. The engine may see a doorbell late:
 * an index far behind the record comes from an old doorbell and is not a mistake.
 */
static void check_record_advanced(struct emu *emu, const struct emu_sq *sq, uint64_t value,
				  uint16_t pc)
{
	struct prm_ctrl_seg ctrl = { .rsvd09 = { 0 } };
	uint16_t ahead;

	memcpy(&ctrl, &value, sizeof(value));
	ahead = prm_ctrl_index(&ctrl) - pc;
	if (ahead < 1u << sq->log_size && ahead < EMU_RING_INDEXES / 4)
		emu_count_mistake(
			emu, EMU_MISTAKE_db_not_advanced,
			"SQ 0x%x: doorbell for WQE 0x%x, but doorbell record 0x%x is not ahead",
			sq->obj.id, prm_ctrl_index(&ctrl), pc);
}

static void ring_named_sq(struct emu *emu, struct emu_sq *sq, uint64_t value)
{
	const uint16_t pc = emu_sq_record(emu, sq);

	if (!sq->lost)
		check_record_advanced(emu, sq, value, pc);
	emu_sq_ring(emu, sq, pc);
}

struct emu_sq *emu_ring_sq(struct emu *emu, struct emu_uar *uar, uint64_t value)
{
	struct emu_sq *sq = find_named_sq(emu, uar, value);

	emu->pcie.sq_doorbells++;
	if (sq)
		ring_named_sq(emu, sq, value);
	return sq;
}

/* PRM: dword 0 of an arm doorbell has serial number, command and index, dword 1 the CQ number. */
struct emu_cq *emu_ring_cq(struct emu *emu, struct emu_uar *uar, uint64_t value)
{
	prm_be32 word[2];
	struct emu_cq *cq;

	emu->pcie.cq_doorbells++;
	memcpy(word, &value, sizeof(word));
	cq = emu_obj_at(&emu->table[EMU_CQ], prm_be32_get(word[1]) & PRM_CQN_MASK);
	if (!cq)
		emu_count_mistake(emu, EMU_MISTAKE_db_unknown_queue,
				  "arm doorbell on UAR 0x%x: no such CQ 0x%x", uar->obj.id,
				  prm_be32_get(word[1]));
	else if (cq->uar != uar)
		emu_count_mistake(
			emu, EMU_MISTAKE_db_wrong_uar,
			"arm doorbell on UAR 0x%x for CQ 0x%x (valid: UAR 0x%x of its context)",
			uar->obj.id, cq->obj.id, cq->uar ? cq->uar->obj.id : 0);
	else
		emu_cq_arm(emu, cq, prm_be32_get(word[0]));
	return cq;
}

/* PRM: an EQ doorbell is one dword: EQ number in bits 31:24, consumer index in bits 23:0. */
static void ring_eq(struct emu *emu, uint64_t value)
{
	prm_be32 word;
	struct emu_eq *eq;

	memcpy(&word, &value, sizeof(word));
	eq = emu_obj_at(&emu->table[EMU_EQ], prm_be32_get(word) >> PRM_EQ_CI_EQN_SHIFT);
	if (eq)
		eq->ci = eq->pi - ((eq->pi - prm_be32_get(word)) & PRM_EQ_CI_MASK);
}

static bool is_sq_register(uint32_t offset)
{
	return offset >= PRM_UAR_BF && offset < PRM_UAR_BYTES && offset % PRM_UAR_BF_STEP == 0;
}

/*
 * Keeps the first WQEBB of a WQE that the driver copied to a BlueFlame register, until the engine
 * executes the WQE. The engine reads the other WQEBBs of the WQE from the ring. (Linux' test of
 * write combining gives the register and the ring different control segments, to see which one the
 * device reads.) An SQ holds one copy at a time; the engine reads later WQEs from the ring.
 */
void emu_blueflame(struct emu *emu, uint32_t number, uint32_t offset, const void *wqe)
{
	struct emu_uar *uar;
	struct emu_sq *sq;
	uint64_t value;

	memcpy(&value, wqe, sizeof(value));
	emu_lock(emu->adapter);
	emu->pcie.blueflames++;
	uar = emu_obj_at(&emu->table[EMU_UAR], number);
	sq = uar && is_sq_register(offset) ? find_named_sq(emu, uar, value) : NULL;
	if (sq && !sq->has_bf) {
		memcpy(sq->bf_wqebb, wqe, sizeof(sq->bf_wqebb));
		sq->has_bf = emu_sq_bf_ahead(sq);
	}
	if (sq)
		ring_named_sq(emu, sq, value);
	emu_unlock(emu->adapter);
}

void emu_doorbell(struct emu *emu, uint32_t number, uint32_t offset, uint64_t value)
{
	struct emu_uar *uar;

	emu_lock(emu->adapter);
	uar = emu_obj_at(&emu->table[EMU_UAR], number);
	if (uar && offset == PRM_UAR_CQ_ARM)
		emu_ring_cq(emu, uar, value);
	else if (uar && (offset == PRM_UAR_EQ_ARM || offset == PRM_UAR_EQ_CI))
		ring_eq(emu, value);
	else if (uar && is_sq_register(offset))
		emu_ring_sq(emu, uar, value);
	emu_unlock(emu->adapter);
}
