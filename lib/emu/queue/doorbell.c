/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Doorbells: what a write to a register of a UAR means. A write that comes as a message
 * rings what it names, and nothing else.
 */
#include "emu/queue/doorbell.h"

#include <string.h>

#include "emu/base/dev.h"
#include "emu/base/mistake.h"
#include "emu/queue/cq_event.h"
#include "emu/queue/sq.h"

/*
 * The queue that a send doorbell names, if it may ring it there; counts what is wrong with it.
 *
 * PRM-MISSING: a doorbell on another UAR page, or for a queue in RST, does nothing (a comment
 * in Linux says of the first that hardware ignores it).
 */
static struct emu_sq *find_named_sq(struct emu *emu, const struct emu_uar *uar, uint64_t value)
{
	struct prm_ctrl_seg ctrl = { .rsvd09 = { 0 } };
	struct emu_sq *sq;

	memcpy(&ctrl, &value, sizeof(value));
	sq = emu_obj_at(&emu->table[EMU_SQ], prm_ctrl_sqn(&ctrl));
	if (!sq) /* one numbering in the doorbell: a QP begins with its send queue */
		sq = emu_obj_at(&emu->table[EMU_QP], prm_ctrl_sqn(&ctrl));
	if (!sq) {
		emu_count_mistake(emu, EMU_MISTAKE_db_unknown_queue,
				  "doorbell for SQ 0x%x on UAR 0x%x: there is no such SQ",
				  prm_ctrl_sqn(&ctrl), uar->obj.id);
		return NULL;
	}
	if (sq->uar != uar) {
		emu_count_mistake(emu, EMU_MISTAKE_db_wrong_uar,
				  "doorbell for SQ 0x%x on UAR 0x%x: its context names UAR 0x%x",
				  sq->obj.id, uar->obj.id, sq->uar ? sq->uar->obj.id : 0);
		return NULL;
	}
	if (sq->state == PRM_WQ_STATE_RST) {
		emu_count_mistake(emu, EMU_MISTAKE_db_not_ready,
				  "doorbell for SQ 0x%x in state RST", sq->obj.id);
		return NULL;
	}
	return sq;
}

/*
 * The doorbell carries the index of the last WQE posted, so a record that stands at or
 * before it was not written before the doorbell. A doorbell may be looked at late: indexes
 * far behind the record are old, not wrong.
 */
static void check_record_advanced(struct emu *emu, const struct emu_sq *sq, uint64_t value,
				  uint16_t pc)
{
	struct prm_ctrl_seg ctrl = { .rsvd09 = { 0 } };
	uint16_t ahead;

	memcpy(&ctrl, &value, sizeof(value));
	ahead = prm_ctrl_index(&ctrl) - pc;
	if (ahead < 1u << sq->log_size && ahead < EMU_RING_INDEXES / 4)
		emu_count_mistake(emu, EMU_MISTAKE_db_not_advanced,
				  "SQ 0x%x: doorbell for WQE 0x%x, doorbell record says 0x%x",
				  sq->obj.id, prm_ctrl_index(&ctrl), pc);
}

struct emu_sq *emu_ring_sq(struct emu *emu, struct emu_uar *uar, uint64_t value)
{
	struct emu_sq *sq = find_named_sq(emu, uar, value);

	if (sq) {
		const uint16_t pc = emu_sq_record(sq);

		check_record_advanced(emu, sq, value, pc);
		emu_sq_ring(emu, sq, pc);
	}
	return sq;
}

/* The first dword is the arm, the second the CQ. */
struct emu_cq *emu_ring_cq(struct emu *emu, struct emu_uar *uar, uint64_t value)
{
	prm_be32 word[2];
	struct emu_cq *cq;

	memcpy(word, &value, sizeof(word));
	cq = emu_obj_at(&emu->table[EMU_CQ], prm_be32_get(word[1]) & PRM_CQN_MASK);
	if (!cq)
		emu_count_mistake(emu, EMU_MISTAKE_db_unknown_queue,
				  "arm of CQ 0x%x on UAR 0x%x: there is no such CQ",
				  prm_be32_get(word[1]), uar->obj.id);
	else if (cq->uar != uar)
		emu_count_mistake(emu, EMU_MISTAKE_db_wrong_uar,
				  "arm of CQ 0x%x on UAR 0x%x: its context names UAR 0x%x",
				  cq->obj.id, uar->obj.id, cq->uar ? cq->uar->obj.id : 0);
	else
		emu_cq_arm(emu, cq, prm_be32_get(word[0]));
	return cq;
}

/* PRM: EQ doorbells are a dword: EQ number 31:24, consumer index 23:0. */
static void ring_eq(struct emu *emu, uint64_t value)
{
	prm_be32 word;
	struct emu_eq *eq;

	memcpy(&word, &value, sizeof(word));
	eq = emu_obj_at(&emu->table[EMU_EQ], prm_be32_get(word) >> PRM_EQ_CI_EQN_SHIFT);
	if (eq)
		eq->ci = eq->pi - ((eq->pi - prm_be32_get(word)) & PRM_EQ_CI_MASK);
}

/*
 * The control segment counts, and is kept until the engine is there: all else of a WQE is the
 * same in the register and in memory, unless a driver wants to know which of them was read
 * (Linux' test of write combining). One is kept, the first: the engine is there for it soonest,
 * and those that come meanwhile are read from memory.
 */
void emu_blueflame(struct emu *emu, uint32_t number, uint32_t offset, const void *wqe)
{
	struct emu_uar *uar;
	struct emu_sq *sq;
	uint64_t value;

	memcpy(&value, wqe, sizeof(value));
	emu_lock(emu->adapter);
	uar = emu_obj_at(&emu->table[EMU_UAR], number);
	sq = uar ? find_named_sq(emu, uar, value) : NULL;
	if (sq && !sq->has_bf) {
		memcpy(&sq->bf, wqe, sizeof(sq->bf));
		sq->has_bf = emu_sq_bf_ahead(sq);
	}
	emu_unlock(emu->adapter);
	emu_doorbell(emu, number, offset, value);
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
	else if (uar && offset >= PRM_UAR_BF && offset < PRM_UAR_BYTES &&
		 offset % PRM_UAR_BF_STEP == 0)
		emu_ring_sq(emu, uar, value);
	emu_unlock(emu->adapter);
}
