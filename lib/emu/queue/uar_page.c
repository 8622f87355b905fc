/* SPDX-License-Identifier: BSD-3-Clause
 *
 * UAR pages that are plain memory: finds doorbells by scanning.
 *
 * A second doorbell overwrites the first one in memory if the engine has not seen the first.
 * Nothing is lost, because a driver writes the doorbell record before the page. The engine first
 * exchanges the word (a full barrier), and then reads the record of every queue of that page:
 *
 *     driver   record = new index;   page = doorbell
 *     engine   exchange(page, IDLE); read all records
 *
 * The opposite order (read records, then store IDLE) would miss a doorbell that arrives in between.
 */
#include "emu/queue/doorbell.h"

#include "emu/base/dev.h"
#include "emu/queue/cq.h"
#include "emu/queue/sq.h"

typedef uint64_t __attribute__((may_alias)) db_word;

enum { N_SQ_REGISTERS = (PRM_UAR_BYTES - PRM_UAR_BF) / PRM_UAR_BF_STEP };

static db_word *get_register(const struct emu_uar *uar, unsigned offset)
{
	return (db_word *)((uint8_t *)uar->page + offset);
}

/*
 * Moves a doorbell from a register to @value. Reads before it exchanges: an exchange on every turn
 * of the engine would fetch the cache line from the driver's core each time.
 */
static bool take_doorbell(db_word *reg, uint64_t *value)
{
	if (__atomic_load_n(reg, __ATOMIC_RELAXED) == EMU_DB_IDLE)
		return false;
	*value = __atomic_exchange_n(reg, EMU_DB_IDLE, __ATOMIC_SEQ_CST);
	return *value != EMU_DB_IDLE;
}

/* ---- queues whose doorbell another doorbell may have overwritten ------------------------ */

static void ring_other_sqs(struct emu *emu, struct emu_uar *uar, const struct emu_sq *rung)
{
	for (struct emu_sq *sq = uar->sqs; sq; sq = sq->next_on_uar) {
		uint16_t pc;

		if (sq == rung || sq->state == PRM_WQ_STATE_RST)
			continue;
		pc = emu_sq_record(emu, sq);
		if (!sq->fresh || pc != sq->stale)
			emu_sq_ring(emu, sq, pc);
	}
}

static void arm_other_cqs(struct emu *emu, struct emu_uar *uar, const struct emu_cq *armed)
{
	const struct emu_table *t = &emu->table[EMU_CQ];

	for (uint32_t i = 0; i < t->n_slots; i++) {
		struct emu_cq *cq = (struct emu_cq *)t->slot[i];

		if (cq && cq != armed && cq->uar == uar)
			emu_cq_arm_from_record(emu, cq);
	}
}

/* ---- all pages ------------------------------------------------------------------------- */

void emu_take_doorbells(struct emu *emu)
{
	for (unsigned i = 0; i < emu->n_uars; i++) {
		struct emu_uar *uar = emu->uars[i];
		uint64_t value;

		for (unsigned r = 0; r < N_SQ_REGISTERS; r++)
			if (take_doorbell(get_register(uar, PRM_UAR_BF + r * PRM_UAR_BF_STEP),
					  &value))
				ring_other_sqs(emu, uar, emu_ring_sq(emu, uar, value));
		if (take_doorbell(get_register(uar, PRM_UAR_CQ_ARM), &value))
			arm_other_cqs(emu, uar, emu_ring_cq(emu, uar, value));
	}
}

void emu_uar_attach(struct emu *emu, uint32_t number, void *page)
{
	struct emu_uar *uar;
	unsigned i = 0;

	emu_lock(emu->adapter);
	uar = emu_obj_at(&emu->table[EMU_UAR], number);
	while (i < emu->n_uars && emu->uars[i] != uar)
		i++;
	if (uar && page && i < EMU_MAX_UARS) {
		uar->page = page;
		for (unsigned r = 0; r < N_SQ_REGISTERS; r++)
			__atomic_store_n(get_register(uar, PRM_UAR_BF + r * PRM_UAR_BF_STEP),
					 EMU_DB_IDLE, __ATOMIC_RELAXED);
		__atomic_store_n(get_register(uar, PRM_UAR_CQ_ARM), EMU_DB_IDLE, __ATOMIC_RELEASE);
		emu->uars[i] = uar;
		emu->n_uars += i == emu->n_uars;
	} else if (uar && !page && i < emu->n_uars) {
		uar->page = NULL;
		emu->uars[i] = emu->uars[--emu->n_uars];
	}
	emu_unlock(emu->adapter);
}
